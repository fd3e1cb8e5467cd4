import Foundation
import Geometry
import SeamMeasures
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Fold-downs on the stage.
@Suite struct FoldDownTests {
    private static let poses = Result { try turning(degreesPerSecond: 60, from: -20, seconds: 1) }

    private static func stage(_ layout: Layout) throws -> StageRenderer {
        try ProgrammeTests.stage([Programme(layout: layout)], poses: try poses.get())
    }

    /// Returns channels folded as `process --to` folds files.
    private static func folded(_ inputs: [[Float]], _ layout: Layout, to target: Layout) throws -> [[Float]] {
        let matrix = try layout.conversion(to: target)
        let frames = inputs[0].count
        let from = PlanarBlock(channels: inputs.count, frames: frames)
        let to = PlanarBlock(channels: matrix.outputCount, frames: frames)
        for (channel, samples) in inputs.enumerated() { for i in 0..<frames { from[channel][i] = samples[i] } }
        matrix.apply(from.pointers, to: to.pointers, frames: frames)
        return (0..<matrix.outputCount).map { channel in (0..<frames).map { to[channel][$0] } }
    }

    static let pairs: [(String, String)] = ["9.1.6", "7.1.4", "7.1", "5.1.2", "5.1", "stereo"].flatMap { from in
        ["7.1", "5.1", "stereo", "mono"].map { (from, $0) }
    }

    @Test(arguments: pairs)
    func `A fold-down is the folded file in the narrower layout`(from: String, to: String) throws {
        let (layout, target) = (try Layout.named(from), try Layout.named(to))
        let inputs = ProgrammeTests.inputs(layout.channelCount, frames: 12_000).map { $0.map { $0 * 0.1 } }
        let renderer = try Self.stage(layout)
        guard layout.channelCount > target.channelCount else {
            #expect(throws: FoldDownError.self) { try renderer.monitor.fold(to: target) }
            return
        }
        try renderer.monitor.fold(to: target)
        let heard = render(renderer, inputs, periods: [256]) { PeriodTime(restart: $0 == 0) }
        let reference = render(
            try Self.stage(target), try Self.folded(inputs, layout, to: target), periods: [256])
        let error = heard.error(against: reference)
        #expect(error < -120, "\(error) dB")
    }

    @Test func `A fold-down asked for while the stage plays is that of one asked for before, and leaves nothing`()
        throws
    {
        let layout = try Layout.named("7.1.4")
        let inputs = ProgrammeTests.inputs(12, frames: 96_000).map { $0.map { $0 * 0.1 } }
        let renderer = try Self.stage(layout)
        let heard = render(renderer, inputs, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: { done in
            do {
                if done == 4096 { try renderer.monitor.fold(to: try .named("5.1")) }
                if done == 24_576 { try renderer.monitor.fold(to: try .named("stereo")) }
                if done == 49_152 { try renderer.monitor.fold(to: nil) }
            } catch {
                Issue.record(error)
            }
        }
        let plain = render(try Self.stage(layout), inputs, periods: [256])
        #expect(heard.error(against: plain, in: 0..<4096) == -.infinity)
        // A loudspeaker moves to its new place within a third of a second.
        for (target, range) in [("5.1", 20_480..<24_576), ("stereo", 45_056..<49_152)] {
            let reference = render(
                try Self.stage(try .named(target)), try Self.folded(inputs, layout, to: try .named(target)),
                periods: [256])
            let error = heard.error(against: reference, in: range)
            #expect(error < -120, "\(target): \(error) dB")
        }
        #expect(heard.error(against: plain, in: 75_776..<96_000) == -.infinity)
    }

    @Test(arguments: [100.0, 440, 1000])
    func `Fold-downs are switched without a click`(hertz: Double) throws {
        let renderer = try ProgrammeTests.stage([Programme(layout: try .named("7.1.4"))])
        let inputs = (0..<12).map { _ in sine(hertz, 48_000) }
        let targets = ["5.1", "stereo", "mono", nil]
        let ears = render(renderer, inputs, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: { done in
            guard done > 0, done % 9600 < 256, done < 44_000 else { return }
            do {
                try renderer.monitor.fold(to: try targets[done / 9600 - 1].map { try Layout.named($0) })
            } catch {
                Issue.record(error)
            }
        }
        for ear in [ears.left, ears.right] {
            // Filtered twice: one filter would leave the tone itself at −72 dB.
            let high = HighPass.over(4000, HighPass.over(4000, ear, 48_000).map { Float($0) }, 48_000)
            let tone = ear[2400..<9600].reduce(0.0) { $0 + Double($1) * Double($1) } / 7200
            for turn in 1...4 {
                let window = 9600 * turn - 480..<9600 * turn + 5280
                let energy = window.reduce(0.0) { $0 + high[$1] * high[$1] } / Double(window.count)
                let level = 10 * log10(energy / tone)
                #expect(level < -74, "\(hertz) Hz, turn \(turn): \(level) dB")
            }
        }
    }

    @Test func `What stands in a room does not walk, and what need not walk may`() throws {
        let renderer = try Self.stage(try .named("7.1.4"))
        #expect(throws: FoldDownError.self) { try renderer.monitor.fold(to: try .named("5.1")) { _ in true } }
        #expect(renderer.monitor.controls.fold == 0)
        try renderer.monitor.fold(to: try .named("stereo")) { _ in true }
        #expect(renderer.monitor.controls.fold != 0)
    }

    @Test func `An input whose loudspeakers cannot stand for others is named, alone and beside one that is folded`()
        throws
    {
        var still = try Layout.named("7.1.4")
        for channel in still.loudspeakers.indices { still.loudspeakers[channel].motion = .fixed }
        let alone = try ProgrammeTests.stage([Programme(name: "still", layout: still)])
        let error = #expect(throws: FoldDownError.self) { try alone.monitor.fold(to: try .named("5.1")) }
        #expect(error?.description.hasPrefix("'still': too few loudspeakers are tracked") == true)
        let both = try ProgrammeTests.stage([
            Programme(name: "still", layout: still), Programme(name: "film", layout: try .named("7.1.4")),
        ])
        #expect(try both.monitor.fold(to: try .named("5.1")) == ["still"])
        #expect(both.monitor.controls.fold != 0)
    }

    @Test func `Loudspeakers of their own gain are folded with it, once`() throws {
        let speakers = [30.0, -30, 0, 110, -110].enumerated().map { index, azimuth in
            Loudspeaker(
                symbol: ["FL", "FR", "FC", "SL", "SR"][index], azimuthDegrees: azimuth,
                gain: Decibels(Double(index) - 3))
        }
        let layout = Layout(name: "own", loudspeakers: speakers)
        func stage(_ layout: Layout) throws -> StageRenderer {
            let sources = layout.loudspeakers.map {
                SourcePlacement(direction: $0.direction, gain: Float($0.gain.amplitude))
            }
            let programme = Programme(layout: layout)
            return try StageRenderer(
                StageConfiguration(
                    sampleRate: .studio, sources: sources,
                    programmes: [StageProgramme(programme, controls: ProgrammeControls(programme))],
                    trim: Decibels(0), outputGuard: .off), field: sphere, poses: .fixed(.identity))
        }
        let inputs = ProgrammeTests.inputs(5, frames: 9600)
        let renderer = try stage(layout)
        try renderer.monitor.fold(to: try .named("stereo"))
        let heard = render(renderer, inputs, periods: [256]) { PeriodTime(restart: $0 == 0) }
        let reference = render(
            try stage(try .named("stereo")), try Self.folded(inputs, layout, to: try .named("stereo")),
            periods: [256])
        #expect(heard.error(against: reference) < -120)
    }
}
