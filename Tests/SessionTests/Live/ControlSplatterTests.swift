import AudioIO
import AudioInMemory
import Desk
import Foundation
import Loading
import Rendering
import SeamMeasures
import Stages
import Testing

@testable import HRTF
@testable import Session

/// Each control that acts during playback is stepped and swept while a tone plays. No other sound may become audible.
@Suite(.timeLimit(.minutes(20))) struct ControlSplatterTests {
    /// Length of the window for energies, frames: 50 ms.
    private static let window = 2400
    /// Upper limit of the energy above 4 kHz in a window, dB relative to the energy of the tone.
    private static let bound = -80.0
    /// Parameters that are not tried: they make sound themselves, do nothing alone, or act through other parameters.
    private static let others: Set = ["test-noise", "solo-clear", "solo-mode", "calibrated-level", "reference-level"]
    /// Parameters that must be among those tried.
    private static let least: Set = [
        "level", "mute", "solo", "polarity", "place", "source-width", "mode", "spatialize", "drc", "loudness-target",
        "room",
        "monitor-level", "dim", "mono", "fold-down", "compare", "loudspeaker-mute", "loudspeaker-solo",
        "loudspeaker-polarity",
    ]

    /// Returns a 5.1 stage in a room, the head 40° to the left, a 1 kHz tone at −14 dBFS on the left loudspeaker.
    private static func rig(_ poses: URL) async throws -> LiveRig {
        try Data("0,0.939693,0,0,0.342020\n1000,0.939693,0,0,0.342020\n".utf8).write(to: poses)
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            try StageAssembly.set(settings, sampleRate: rate, says: says)
        }
        let rig = try await LiveRig(
            { settings in
                settings.stage.layout = "5.1"
                settings.stage.limiter = .instant
                settings.stage.room = RoomSettings(name: "studio")
                settings.stage.hrtf = "kemar"
                settings.poses = poses.path
            }, sets: FileManager.default.fileExists(atPath: HRTFLibrary.systemDefault) ? sets : nil)
        try await rig.patch()
        await rig.done(try .set("programme-loudness", "-20"))
        return rig
    }

    /// Returns values to step between, as written: all words, or the ends and the middle of the range; gains up to 0
    /// dB.
    private static func values(_ parameter: Parameter) -> [String] {
        let words = parameter.words.filter { $0 != "toggle" }
        guard let first = parameter.numbers.first else { return words }
        let isGain = first.unit == "dB"
        let low = isGain ? max(first.range.lowerBound, -60) : first.range.lowerBound
        let high = isGain ? min(first.range.upperBound, 0) : first.range.upperBound
        let ends = [low, high, (low + high) / 2, low].map { first.isWhole ? $0.rounded() : $0 }
        return ends.map { "\($0)" } + words
    }

    @Test func `No control puts anything beside a tone`() async throws {
        let poses = FileManager.default.temporaryDirectory.appendingPathComponent("poses-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: poses) }
        let rig = try await Self.rig(poses)
        // One cycle of the tone has 48 samples.
        let cycle = (0..<48).map { 0.2 * Float(sin(2 * Double.pi * Double($0) / 48)) }
        rig.server.play([[Float]](repeating: cycle, count: 300_000).flatMap(\.self), on: "daw:out_1")
        func run(_ seconds: Double) { rig.server.run(seconds: seconds) }
        run(1)
        let steady = rig.server.takeEars(of: "proscenium").map {
            $0.suffix(Self.window).reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        let tone = try #require(steady.max())
        var tried: Set<String> = []
        // `LiveSceneTests` and `HotSwapTests` test stages that replace one another.
        for parameter in Parameter.all
        where !parameter.rebuildsStage && parameter.group != .scenes && !Self.others.contains(parameter.id) {
            let values = Self.values(parameter)
            let before = rig.state
            let input = parameter.isOfInputs ? "main" : parameter.isOfLoudspeakers ? "FL" : nil
            _ = rig.server.takeEars(of: "proscenium")
            var isTaken = false
            func ask(_ value: String) async throws {
                guard let command = try? SessionCommand.set(parameter.id, value, of: input) else { return }
                if await rig.refusal(of: command) == nil { isTaken = true }
            }
            for value in values {
                try await ask(value)
                if isTaken { run(0.15) }
            }
            guard isTaken else { continue }
            if let number = parameter.numbers.first, let low = Double(values[0]), let high = Double(values[1]),
                !number.isWhole
            {
                for step in 0...6 {
                    try await ask("\(low + (high - low) * Double(step) / 6)")
                    run(0.02)
                }
            }
            run(0.3)
            let ears = rig.server.takeEars(of: "proscenium")
            tried.insert(parameter.id)
            let worst = ears.map { Self.worst($0) / tone }.max() ?? 0
            #expect(10 * log10(worst + 1e-30) <= Self.bound, "\(parameter.id): \(10 * log10(worst + 1e-30)) dB")
            try await Self.restore(before, in: rig)
            run(0.2)
        }
        #expect(Self.least.isSubset(of: tried), "not taken: \(Self.least.subtracting(tried).sorted())")
        try await rig.live.end()
    }

    /// Returns the largest energy above 4 kHz in a window, without the first 0.1 s, in which the filter settles.
    private static func worst(_ ear: [Float]) -> Double {
        let high = HighPass.over(4000, HighPass.over(4000, ear, 48_000).map { Float($0) }, 48_000)
        return stride(from: 4800, to: high.count - window, by: window / 2).map { start in
            high[start..<(start + window)].reduce(0) { $0 + $1 * $1 }
        }.max() ?? 0
    }

    /// Undoes commands until the state is `before`.
    private static func restore(_ before: [String: ParameterValue], in rig: LiveRig) async throws {
        for _ in 0..<60 where rig.state != before { _ = await rig.refusal(of: .history(.undo)) }
    }
}
