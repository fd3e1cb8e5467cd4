import AudioIO
import Desk
import Foundation
import PlantedPlugins
import Racks
import Signal
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Preview
@testable import Session

/// Plugins of a preview, which goes on with another file.
@Suite(.timeLimit(.minutes(10))) struct PreviewPluginTests {
    private func write(_ path: String, seconds: Double, channels: Int) throws {
        let frames = Int(seconds * 48_000)
        let writer = try SoundFileWriter(path: path, channels: channels, sampleRate: .studio)
        let block = PlanarBlock(channels: channels, frames: frames)
        for channel in 0..<channels {
            for (i, sample) in LiveRig.noise(frames, seed: 5 + UInt64(channel)).enumerated() {
                block[channel][i] = sample
            }
        }
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    @Test func `Chains stay as they were changed where the next file has another layout`() async throws {
        let (scratch, shelf) = (try Scratch(), try PluginShelf.planted())
        try write(scratch("a.wav"), seconds: 0.6, channels: 2)
        try write(scratch("b.wav"), seconds: 0.6, channels: 1)
        let gain = PlantedPlugins.uri("gain")
        let typed = try ["main=\(gain),name=one", "FR=\(gain),name=two"].map { try PluginRequest(parsing: $0) }
        let added = try PluginRequest(parsing: "ears=\(gain),name=three,gain=0.5")
        let rig = try PreviewTests.Rig([scratch("a.wav"), scratch("b.wav")]) { settings in
            settings.live.stage.shelf = shelf
            settings.live.stage.plugins = typed
        }
        let (isSet, isSeen) = (Flag(), Flag())
        try await rig.play { preview, _ in
            guard let status = await preview.status() else { return }
            if status.number == 1, !isSet.isRaised {
                isSet.raise()
                for command in [
                    PluginCommand.bypass("one", true), .set("one", symbol: "gain", value: "0.25"),
                    .add(added, position: nil),
                ] {
                    #expect(await rig.answer(.plugin(command))?.isDone == true, "\(command)")
                }
            }
            guard status.number == 2, !isSeen.isRaised, status.session.streamFrame > 0 else { return }
            isSeen.raise()
            #expect(status.session.layout == "mono")
            let plugins = status.session.plugins
            #expect(plugins.map(\.name) == ["one", "three"])
            #expect(plugins.first?.isBypassed == true && plugins.first?.controls["gain"] == 0.25)
            #expect(plugins.last?.controls["gain"] == 0.5)
        }
        #expect(isSet.isRaised && isSeen.isRaised)
        // The loudspeaker FR is not in the second file: its plugin is reported, and kept.
        #expect(rig.said.notes.contains { $0.contains("at 'main/FR' is left out") }, "\(rig.said.notes)")
    }
}
