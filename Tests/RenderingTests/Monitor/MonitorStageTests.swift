import Foundation
import SeamMeasures
import Signal
import Soundstage
import Testing

@testable import Rendering

/// The monitor section: gains of virtual loudspeakers, level and mono of the ears.
@Suite struct MonitorStageTests {
    /// Returns a stage of 7.1.4 and a second, stereo input, with a turning head.
    private static func stage(slice: Int = 64) throws -> StageRenderer {
        try ProgrammeTests.stage(
            [Programme(layout: try .named("7.1.4")), Programme(name: "talk", layout: try .named("stereo"))],
            slice: slice, poses: try turning(degreesPerSecond: 100, seconds: 1))
    }

    @Test(arguments: [64, 128, 256])
    func `What is left out is missing to the bit`(slice: Int) throws {
        let inputs = ProgrammeTests.inputs(14, frames: 24_000)
        let silent: Set = [0, 3, 8, 13]
        let muted = try Self.stage(slice: slice)
        muted.monitor.change { controls in for source in silent { controls.loudspeakers[source] = 0 } }
        let without = inputs.enumerated().map { silent.contains($0) ? [Float](repeating: 0, count: 24_000) : $1 }
        let reference = render(try Self.stage(slice: slice), without, periods: [256])
        let heard = render(muted, inputs, periods: [256]) { PeriodTime(restart: $0 == 0) }
        #expect(heard.isIdentical(to: reference))
        #expect(heard.error(against: render(try Self.stage(slice: slice), inputs, periods: [256])) > -20)
        // Muted during playback: the earlier sound has decayed after the ramp and one filter length.
        let late = try Self.stage(slice: slice)
        let switched = render(late, inputs, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: { done in
            if done == 8192 { for source in silent { late.monitor.change { $0.loudspeakers[source] = 0 } } }
        }
        let after = 8192 + 2048..<24_000
        #expect(switched.error(against: reference, in: after) == -.infinity)
        #expect(switched.error(against: reference, in: 0..<8192) > -20)
    }

    @Test func `A polarity is turned over to the bit, and what was asked for and taken back leaves nothing`() throws {
        let inputs = ProgrammeTests.inputs(14, frames: 24_000)
        let turned = try Self.stage()
        turned.monitor.change { $0.loudspeakers[5] = -1 }
        let inverted = inputs.enumerated().map { $0 == 5 ? $1.map { -$0 } : $1 }
        let reference = render(try Self.stage(), inverted, periods: [256])
        #expect(
            render(turned, inputs, periods: [256]) { PeriodTime(restart: $0 == 0) }.isIdentical(to: reference))
        let undone = try Self.stage()
        let heard = render(undone, inputs, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: { done in
            if done == 2048 { undone.monitor.change { $0.loudspeakers[5] = -1 } }
            if done == 4096 { undone.monitor.change { $0.loudspeakers[5] = 1 } }
        }
        let plain = render(try Self.stage(), inputs, periods: [256])
        #expect(heard.error(against: plain, in: 0..<2048) == -.infinity)
        #expect(heard.error(against: plain, in: 4096 + 2048..<24_000) == -.infinity)
        #expect(heard.error(against: plain, in: 2048..<4096) > -40)
    }

    @Test func `Where a stream is cut makes no difference while gains move`() throws {
        func ears(_ periods: [Int]) throws -> Ears {
            let renderer = try Self.stage()
            return render(renderer, ProgrammeTests.inputs(14, frames: 12_288), periods: periods) {
                PeriodTime(restart: $0 == 0)
            } between: { done in
                if done == 2048 { renderer.monitor.change { $0.loudspeakers[0] = 0 } }
                if done == 4096 { renderer.monitor.change { $0.loudspeakers[1] = -1 } }
                if done == 6144 { renderer.monitor.change { $0.loudspeakers[0] = 1 } }
            }
        }
        let whole = try ears([2048])
        #expect(try ears([64]).isIdentical(to: whole))
        #expect(try ears([16, 48, 100, 60, 800]).error(against: whole) < -120)
    }

    /// Returns the largest energy above 4 kHz in the 80 ms around a switching, dB re the tone in as many frames.
    private static func splatter(
        tone hertz: Double, _ renderer: StageRenderer, channels: Int, finish: Bool = false,
        _ change: (Int, StageRenderer) -> Void
    ) -> Double {
        let frames = 48_000
        let inputs = (0..<channels).map { _ in sine(hertz, frames) }
        var count = 0
        let ears = renderAndFinish(renderer, inputs, period: 256, finishes: finish) { done in
            guard done > 0, done % 9600 < 256, done < 44_000 else { return }
            change(count, renderer)
            count += 1
        }
        var worst = -Double.infinity
        for ear in [ears.left, ears.right] {
            // Filtered twice: one filter would leave the tone itself at −72 dB.
            let high = HighPass.over(4000, HighPass.over(4000, ear, 48_000).map { Float($0) }, 48_000)
            let tone = ear[2400..<9600].reduce(0.0) { $0 + Double($1) * Double($1) } / 7200
            for turn in 1...count {
                let window = 9600 * turn - 480..<9600 * turn + 3360
                let energy = window.reduce(0.0) { $0 + high[$1] * high[$1] } / Double(window.count)
                worst = max(worst, 10 * log10(energy / tone))
            }
        }
        return worst
    }

    @Test(arguments: [100.0, 440, 1000])
    func `Loudspeakers are switched without a click`(hertz: Double) throws {
        let renderer = try ProgrammeTests.stage([Programme(layout: try .named("7.1.4"))])
        let level = Self.splatter(tone: hertz, renderer, channels: 12) { turn, renderer in
            let gains: [[Float]] = [[0, 1], [1, -1], [-1, 0], [1, 1]]
            renderer.monitor.change { controls in
                for source in 0..<12 { controls.loudspeakers[source] = gains[turn][source < 6 ? 0 : 1] }
            }
        }
        #expect(level < -74, "\(level) dB")
    }

    @Test(arguments: [100.0, 440, 1000])
    func `Inputs are soloed, silenced and turned over without a click`(hertz: Double) throws {
        let renderer = try ProgrammeTests.stage([try ProgrammeTests.surround()])
        let level = Self.splatter(tone: hertz, renderer, channels: 6) { turn, renderer in
            renderer.programmes[0].change {
                $0.isSilenced = turn == 0 || turn == 3
                $0.isInverted = turn >= 2
            }
        }
        #expect(level < -74, "\(level) dB")
    }

    @Test(arguments: [100.0, 440, 1000])
    func `The ears' level and mono are switched without a click`(hertz: Double) throws {
        let renderer = try ProgrammeTests.stage([try ProgrammeTests.surround()])
        let level = Self.splatter(tone: hertz, renderer, channels: 6, finish: true) { turn, renderer in
            renderer.monitor.change {
                $0.level = [0.1, 1, 0, 1][turn]
                $0.isMono = turn == 1 || turn == 2
            }
        }
        #expect(level < -74, "\(level) dB")
    }

    @Test func `Level and mono are exact, and nothing is done while nothing is asked for`() throws {
        let inputs = ProgrammeTests.inputs(6)
        func ears(_ change: (inout MonitorControls) -> Void) throws -> Ears {
            let renderer = try ProgrammeTests.stage([try ProgrammeTests.surround()])
            renderer.monitor.change(change)
            return renderAndFinish(renderer, inputs, period: 256)
        }
        let plain = render(try ProgrammeTests.stage([try ProgrammeTests.surround()]), inputs, periods: [256])
        #expect(try ears { _ in }.isIdentical(to: plain))
        let half = try ears { $0.level = 0.5 }
        #expect(half.left == plain.left.map { $0 * 0.5 } && half.right == plain.right.map { $0 * 0.5 })
        #expect(try ears { $0.level = 0 }.left.allSatisfy { $0.bitPattern == 0 })
        let mono = try ears { $0.isMono = true }
        #expect(mono.left == mono.right)
        #expect(mono.left == zip(plain.left, plain.right).map { ($0 + $1) * 0.5 })
    }

    @Test func `What is made louder stays within full scale where there is a guard`() throws {
        let inputs = ProgrammeTests.inputs(2, frames: 9600).map { $0.map { $0 * 0.2 } }
        for isGuarded in [true, false] {
            let renderer = try RenderingTests.stage(
                Array(sevenOneFour.prefix(2)), outputGuard: isGuarded ? .instant : .off)
            renderer.monitor.change { $0.level = 30 }
            let ears = renderAndFinish(renderer, inputs, period: 256)
            let peak = (ears.left + ears.right).map(abs).max() ?? 0
            #expect(isGuarded ? peak <= InstantGuard.threshold * 1.000_001 : peak > 2)
            // The meters show the output as it is delivered.
            #expect(try #require(renderer.telemetry()).outputPeaks.x < 0.9)
        }
    }
}

/// Renders as `render` does, and returns the ears after the monitor section.
func renderAndFinish(
    _ renderer: StageRenderer, _ inputs: [[Float]], period: Int, finishes: Bool = true,
    between: (Int) -> Void = { _ in }
) -> Ears {
    let total = inputs[0].count
    let input = PlanarBlock(channels: inputs.count, frames: total)
    for (channel, samples) in inputs.enumerated() { for i in 0..<total { input[channel][i] = samples[i] } }
    let output = PlanarBlock(channels: 2, frames: total)
    for done in stride(from: 0, to: total, by: period) {
        let frames = min(period, total - done)
        between(done)
        let rows = (0..<inputs.count).map { UnsafePointer(input[$0]) + done }
        let ears = [output[0] + done, output[1] + done]
        renderer.handle.pointee.process(
            inputs: rows, outputs: ears, frames: frames, time: PeriodTime(restart: done == 0))
        if finishes { renderer.handle.pointee.finish(ears, frames: frames) }
    }
    return Ears(left: (0..<total).map { output[0][$0] }, right: (0..<total).map { output[1][$0] })
}
