import FakePlugins
import Foundation
import Geometry
import Inserts
import SeamMeasures
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Effects: programmes fed by sends of other programmes.
@Suite struct EffectTests {
    /// Returns a stage with programmes, then an effect if `sends` are given, else a programme with ports instead of the
    /// effect. `field`: an additional sound field.
    static func stage(
        _ programmes: [Programme], returning layout: Layout, sends: [(programme: Int, gain: Double)]? = nil,
        poses: PoseSource? = nil, field: AmbisonicFormat? = nil
    ) throws -> StageRenderer {
        var last = Programme(name: "reverb", layout: layout, place: Rotation(yaw: 2))
        last.isEffect = sends != nil
        var stages = programmes.map { StageProgramme($0, controls: ProgrammeControls($0)) }
        stages.append(
            StageProgramme(
                last, controls: ProgrammeControls(last),
                sends: try (sends ?? []).map { send in
                    ProgrammeSend(
                        programme: send.programme,
                        matrix: try programmes[send.programme].layout.conversion(to: layout), gain: send.gain)
                }))
        var configuration = StageConfiguration(
            sampleRate: .studio, sources: ProgrammeTests.placements(stages.map(\.programme)), programmes: stages,
            trim: Decibels(0), outputGuard: .off)
        if let field { configuration.programmes.append(StageProgramme(field)) }
        return try StageRenderer(
            configuration, field: sphere, poses: try poses ?? turning(degreesPerSecond: 100, seconds: 1))
    }

    static func twoInputs() throws -> [Programme] {
        [try ProgrammeTests.surround(), Programme(name: "talk", layout: try .named("mono"))]
    }

    /// Returns the sum that the sends feed to an effect, for a programme with ports.
    static func sent(
        _ inputs: [[Float]], _ programmes: [Programme], to layout: Layout, gains: [Double]
    ) throws -> [[Float]] {
        var first = 0
        var sum = [[Double]](
            repeating: .init(repeating: 0, count: inputs[0].count), count: layout.channelCount)
        for (programme, gain) in zip(programmes, gains) {
            let matrix = try programme.layout.conversion(to: layout)
            for (output, row) in matrix.gains.enumerated() {
                for (input, factor) in row.enumerated() where factor != 0 {
                    for i in sum[output].indices { sum[output][i] += factor * gain * Double(inputs[first + input][i]) }
                }
            }
            first += programme.layout.channelCount
        }
        return sum.map { $0.map { Float($0) } }
    }

    private static func delayed(_ rows: [[Float]], by frames: Int) -> [[Float]] {
        rows.map { [Float](repeating: 0, count: frames) + $0.dropLast(frames) }
    }

    @Test(arguments: ["stereo", "5.1", "7.1.4"])
    func `An effect without plugins is a programme that is fed by ports with what is sent`(name: String) throws {
        let layout = try Layout.named(name)
        let programmes = try Self.twoInputs()
        let inputs = ProgrammeTests.inputs(7, frames: 24_000)
        let fed = inputs + (try Self.sent(inputs, programmes, to: layout, gains: [1, 0.25]))
        let reference = render(try Self.stage(programmes, returning: layout), fed, periods: [256])
        let effect = try Self.stage(programmes, returning: layout, sends: [(0, 1), (1, 0.25)])
        #expect(effect.configuration.inputCount == 7 && effect.inputLatencies.count == 7)
        let ears = render(effect, inputs, periods: [256])
        #expect(ears.error(against: reference) < -120)
        let dry = render(try Self.stage(programmes, returning: layout, sends: []), inputs, periods: [256])
        #expect(dry.error(against: reference) > -20)
    }

    @Test func `Whatever plugins delay, all that is heard stays aligned`() throws {
        let layout = try Layout.named("stereo")
        let programmes = try Self.twoInputs()
        let inputs = ProgrammeTests.inputs(7, frames: 24_000)
        let fed = inputs + (try Self.sent(inputs, programmes, to: layout, gains: [1, 0.5]))
        for (main, effect, loudspeaker, isOff) in [(0, 240, 0, false), (100, 240, 33, false), (100, 240, 33, true)] {
            func set(_ renderer: StageRenderer) {
                // Programmes that are off bypass the filters, in time with the others.
                if isOff { for programme in renderer.programmes.dropFirst() { programme.change { $0.mode = .off } } }
            }
            let late = main + effect + loudspeaker
            let reference = try Self.stage(programmes, returning: layout)
            set(reference)
            let expected = render(reference, Self.delayed(fed, by: late), periods: [64]) {
                PeriodTime(restart: $0 == 0)
            }
            let renderer = try Self.stage(programmes, returning: layout, sends: [(0, 1), (1, 0.5)])
            set(renderer)
            let places = renderer.inserts.places
            var chains = [[InsertRequest]](repeating: [], count: places.count)
            chains[0] = [FakePlugin(channels: 6, delay: main).request(channels: 6)]
            chains[2] = [FakePlugin(channels: 2, delay: effect).request(channels: 2)]
            chains[places.loudspeaker(7)] = [FakePlugin(delay: loudspeaker).request()]
            renderer.inserts.ask(for: chains)
            #expect(renderer.latencyFrames == late)
            let heard = render(renderer, inputs, periods: [64]) { PeriodTime(restart: $0 == 0) }
            let error = heard.error(against: expected)
            #expect(error < -120, "\(main) + \(effect) + \(loudspeaker): \(error) dB")
        }
    }

    @Test func `What is sent is what a programme plays: after its level, on the stage or not`() throws {
        let layout = try Layout.named("stereo")
        let programmes = [Programme(layout: layout)]
        let inputs = ProgrammeTests.inputs(2, frames: 9600)
        func ears(_ renderer: StageRenderer, _ inputs: [[Float]], returnLevel: Float) -> Ears {
            renderer.programmes[0].change {
                $0.mode = .off
                $0.level = 0.5
            }
            renderer.programmes[1].change { $0.level = returnLevel }
            return render(renderer, inputs, periods: [64]) { PeriodTime(restart: $0 == 0) }
        }
        let reference = ears(try Self.stage(programmes, returning: layout), inputs + inputs, returnLevel: 0.125)
        let heard = ears(
            try Self.stage(programmes, returning: layout, sends: [(0, 1)]), inputs, returnLevel: 0.25)
        #expect(heard.error(against: reference) < -120)
    }

    @Test func `Where a stream is cut makes no difference`() throws {
        func ears(_ periods: [Int]) throws -> Ears {
            render(
                try Self.stage(try Self.twoInputs(), returning: try .named("5.1"), sends: [(0, 0.5), (1, 1)]),
                ProgrammeTests.inputs(7, frames: 10_240), periods: periods)
        }
        let whole = try ears([2048])
        #expect(try ears([64]).isIdentical(to: whole))
        #expect(try ears([16, 48, 100, 60, 800]).error(against: whole) < -120)
    }

    @Test func `A plugin that comes to an effect under a tone is not heard as a tick`() throws {
        let layout = try Layout.named("stereo")
        let renderer = try Self.stage(
            [Programme(layout: layout)], returning: layout, sends: [(0, 1)], poses: .fixed(.identity))
        let tone = (0..<48_000).map { Float(0.25 * sin(2 * Double.pi * 1000 * Double($0) / 48_000)) }
        let heard = render(renderer, [tone, tone], periods: [64]) { _ in
            PeriodTime()
        } between: { done in
            renderer.inserts.advance()
            guard done == 12_800 || done == 32_000 else { return }
            var chains = [[InsertRequest]](repeating: [], count: renderer.inserts.places.count)
            if done == 12_800 { chains[1] = [FakePlugin(channels: 2, delay: 240).request(channels: 2)] }
            renderer.inserts.ask(for: chains)
        }
        #expect(renderer.inserts.isSettled && renderer.latencyFrames == 0)
        for ear in [heard.left, heard.right] {
            let high = HighPass.over(4000, ear, 48_000).dropFirst(4800).map { abs($0) }.max() ?? 1
            let level = ear.map { abs($0) }.max() ?? 0
            let ratio = 20 * log10(high / Double(level))
            #expect(ratio < -74, "above 4 kHz \(ratio) dB")
        }
    }
}
