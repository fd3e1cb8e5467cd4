import AudioIO
import Desk
import Foundation
import Loading
import MotionLogs
import Offline
import PlantedPlugins
import Racks
import Rendering
import Signal
import SoundFixtures
import Stages
import Testing

@testable import Session

/// Plugin controls in motion logs.
@Suite(.timeLimit(.minutes(10))) struct PluginAutomationTests {
    private static let chains = ["main=\(PlantedPlugins.uri("gain")),name=soft,gain=1"]

    private static func stage(_ chains: [String] = chains) throws -> StageSettings {
        var stage = StageSettings(hrtf: "generated", limiter: .off)
        stage.shelf = try .planted()
        stage.plugins = try chains.map { try PluginRequest(parsing: $0) }
        return stage
    }

    /// Renders a second of noise with a motion log of these lines and one pose.
    private static func render(
        _ lines: [String], _ chains: [String] = chains, in folder: Scratch, to name: String
    ) throws -> (report: RenderReport, ears: [[Float]]) {
        let head = #"{"motion":{"version":1,"sampleRate":48000,"slice":64,"period":256,"layout":"stereo","hrtf":"x"}}"#
        let log = [head, #"{"start":0}"#] + lines + [#"{"pose":[0,1,0,0,0]}"#, ""]
        try Data(log.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: folder("motion.ndjson")))
        let samples = LiveRig.noise(48_000, seed: 3)
        let block = PlanarBlock(channels: 2, frames: samples.count)
        for channel in 0..<2 { for i in samples.indices { block[channel][i] = samples[i] } }
        let writer = try SoundFileWriter(path: folder("mix.wav"), channels: 2, sampleRate: .studio, replaces: true)
        try writer.write(block, from: 0, frames: samples.count)
        try writer.finish()
        let report = try OfflineSession.render(
            RenderSettings(
                stage: try stage(chains), input: folder("mix.wav"), output: folder(name),
                motion: folder("motion.ndjson")), progress: { _ in true })
        return (report, try WholeSound.read(folder(name)))
    }

    private static func level(_ ears: [[Float]], _ range: Range<Int>) -> Double {
        let sum = ears.reduce(0.0) { $0 + $1[range].reduce(0.0) { $0 + Double($1) * Double($1) } }
        return 10 * log10(sum / Double(2 * range.count))
    }

    @Test func `What is asked of a plugin while a log is recorded is written with its frames`() async throws {
        let scratch = try Scratch()
        let wanted = try Self.stage()
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins) = (wanted.shelf, wanted.plugins)
            settings.recordMotion = scratch("motion.log")
        }
        try await rig.patch()
        rig.play(seconds: 0.256)
        await rig.done(.plugin(.set("soft", symbol: "gain", value: "0.25")))
        rig.play(seconds: 0.256)
        await rig.done(.plugin(.bypass("soft", true)))
        try await rig.live.end()
        let recording = try MotionRecording(contentsOf: scratch("motion.log"))
        #expect(recording.plugins.map(\.controls) == [["gain": 1], ["gain": 0.25], [:]])
        #expect(recording.plugins.map(\.frame) == [0, 12_288, 24_576])
        #expect(recording.plugins.map(\.bypass) == [false, nil, true])
    }

    @Test func `A log moves controls and bypass of a render's plugins`() throws {
        let folder = try Scratch()
        let plain = try Self.render([], in: folder, to: "plain.wav").ears
        let moved = try Self.render(
            [
                #"{"plugin":{"name":"soft","frame":0,"controls":{"gain":0.5}}}"#,
                #"{"plugin":{"name":"soft","frame":12800,"controls":{"gain":0.1}}}"#,
                #"{"plugin":{"name":"soft","frame":25600,"controls":{},"bypass":true}}"#,
            ], in: folder, to: "moved.wav")
        #expect(zip(moved.ears, plain).allSatisfy { $0[..<12_000].elementsEqual($1[..<12_000].map { $0 / 2 }) })
        for (range, gain) in [(2000..<12_000, -6.02), (14_400..<25_000, -20), (30_000..<48_000, 0)] {
            #expect(abs(Self.level(moved.ears, range) - Self.level(plain, range) - gain) < 0.05)
        }
        #expect(moved.report.motion.contains { $0.hasPrefix("motion: 2 changes of plugins are played again") })
    }

    @Test func `What a log asks and plugins cannot do is said`() throws {
        let folder = try Scratch()
        let lines = [
            #"{"plugin":{"name":"soft","frame":0,"controls":{"loudness":0.5}}}"#,
            #"{"plugin":{"name":"hard","frame":0,"controls":{"gain":0.5}}}"#,
        ]
        let report = try Self.render(lines, in: folder, to: "ears.wav").report
        #expect(report.motion.contains { $0.contains("no plugin hard") })
        #expect(
            report.motion.contains {
                $0.hasPrefix("motion log, plugin soft at frame 0: ") && $0.contains("no control 'loudness'")
            })
        #expect(throws: SessionError.self) {
            try Self.render(
                [
                    #"{"plugin":{"name":"soft","frame":64,"controls":{}}}"#,
                    #"{"plugin":{"name":"soft","frame":0,"controls":{}}}"#,
                ], in: folder, to: "ears.wav")
        }
    }
}
