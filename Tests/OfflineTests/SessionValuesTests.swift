import AudioIO
import Foundation
import Loading
import Offline
import Rendering
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// Values of a saved session in a render.
@Suite struct SessionValuesTests {
    private let folder: Scratch

    init() throws {
        folder = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 24_000)
        for channel in 0..<2 {
            for frame in 0..<24_000 { block[channel][frame] = Float((frame &* 7919 &+ channel &* 31) % 997) / 2000 }
        }
        let writer = try SoundFileWriter(path: folder("mix.wav"), channels: 2, sampleRate: .studio)
        try writer.write(block, frames: 24_000)
        try writer.finish()
    }

    private func change(_ name: String, _ value: String, _ input: String? = nil) throws -> ParameterChange {
        try ParameterChange(name, [value], input: input)
    }

    private func render(_ values: [ParameterChange]) throws -> (ears: [[Float]], report: RenderReport) {
        let stage = StageSettings(layout: "stereo", hrtf: "generated", limiter: .off)
        var settings = RenderSettings(
            stage: stage, input: folder("mix.wav"), output: folder("ears.wav"), written: .replacing)
        settings.values = values
        let report = try OfflineSession.render(settings, progress: { _ in true })
        return (try WholeSound.read(folder("ears.wav")), report)
    }

    /// Returns the greatest magnitude of `ears` minus `gain` × `other`, without the first 0.2 s.
    private func greatest(_ ears: [[Float]], less other: [[Float]], times gain: Float) -> Float {
        zip(ears, other).reduce(0) { greatest, pair in
            zip(pair.0, pair.1).dropFirst(9600).reduce(greatest) { max($0, abs($1.0 - gain * $1.1)) }
        }
    }

    @Test func `Levels, mutes and loudspeakers are those of the session`() throws {
        let plain = try render([])
        let lower = try render([try change("level", "-20", "main"), try change("dim", "off")])
        #expect(greatest(plain.ears, less: plain.ears, times: 0) > 0.01)
        #expect(greatest(lower.ears, less: plain.ears, times: 0.1) < 1e-5)
        #expect(lower.report.remarks == plain.report.remarks)
        let silent = [try change("loudspeaker-mute", "on", "FL"), try change("loudspeaker-mute", "on", "FR")]
        let muted = try render(silent)
        #expect(greatest(muted.ears, less: plain.ears, times: 0) < 1e-6)
        let polarity = [try change("polarity", "on", "main"), try change("loudspeaker-polarity", "off", "FL")]
        let inverted = try render(polarity)
        #expect(greatest(inverted.ears, less: plain.ears, times: -1) < 1e-5)
    }

    @Test func `What has no effect in a render is named with its reason, defaults aside`() throws {
        let values = [
            try change("level", "-6", "talk"), try change("level", "0", "bell"), try change("monitor-level", "-12"),
            try change("dim", "on"), try change("yaw-pull", "2"), try change("follow", "1,1,1"),
            try change("room", "off"), try change("loudspeaker-mute", "on", "FC"), try change("fold-down", "5.1"),
        ]
        let remarks = try render(values).report.remarks
        for (words, reason) in [
            ("talk level -6", "no other inputs"), ("monitor-level -12, dim on", "monitor section"),
            ("yaw-pull 2", "no head tracker"), ("room off", "no room"),
            ("FC loudspeaker-mute on", "no such loudspeaker"), ("fold-down 5.1", "nothing to fold down"),
        ] {
            #expect(
                remarks.contains { $0.hasPrefix("session: \(words) without effect") && $0.contains(reason) },
                "\(words): \(remarks)")
        }
        #expect(!remarks.contains { $0.contains("bell") || $0.contains("follow") })
    }

    @Test func `The loudness settings of the session decide, and what they lack is named`() throws {
        let values = [try change("programme-loudness", "-20", "main"), try change("loudness-target", "-26", "main")]
        let (plain, quieter) = (try render([]), try render(values))
        #expect(greatest(quieter.ears, less: plain.ears, times: 0.501_187) < 1e-4)
        #expect(quieter.report.levels.contains { $0.contains("-20.0 LUFS") })
        let error = #expect(throws: SessionError.self) { try render([try change("loudness-target", "-26", "main")]) }
        #expect(error?.description.contains("needs the loudness") == true)
    }

    @Test func `A value that the stage has anyway leaves the metadata in force, and any other precedes it`() throws {
        try Data(#"{"place": {"yaw": 90}}"#.utf8).write(to: URL(fileURLWithPath: folder("mix.wav.json")))
        let turned = try render([])
        let same = try render([try change("place", "0", "main")])
        #expect(same.ears == turned.ears && same.report.levels.contains { $0.hasPrefix("place: 90") })
        let other = try render([try change("place", "-90", "main")])
        #expect(greatest(other.ears, less: turned.ears, times: 1) > 0.01)
        #expect(!other.report.levels.contains { $0.hasPrefix("place") })
    }
}
