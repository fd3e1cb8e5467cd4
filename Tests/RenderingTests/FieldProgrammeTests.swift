import Foundation
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// A sound field as a programme: its level, its mode, its place, its loudness and dynamics.
@Suite struct FieldProgrammeTests {
    static func stage(
        _ poses: PoseSource = .fixed(.identity), beside: [Programme] = [],
        _ ask: (inout ProgrammeControls) -> Void = { _ in }
    ) throws -> StageRenderer {
        let format = try AmbisonicFormat(order: 3, convention: .n3d)
        var controls = ProgrammeControls(Programme(layout: Layout(format)))
        ask(&controls)
        let sources = beside.enumerated().flatMap { index, programme in
            programme.layout.loudspeakers.map { SourcePlacement(direction: $0.direction, programme: index) }
        }
        let others = beside.map { StageProgramme($0, controls: ProgrammeControls($0)) }
        let configuration = StageConfiguration(
            sampleRate: .studio, sources: sources,
            programmes: others + [StageProgramme(format, controls: controls)], trim: Decibels(0), outputGuard: .off)
        return try StageRenderer(configuration, field: sphere, poses: poses)
    }

    static func inputs(_ frames: Int = 9600) -> [[Float]] {
        (0..<16).map { channel in noise(frames, seed: UInt64(channel + 1)).map { 0.1 * $0 } }
    }

    private static func scaled(_ ears: Ears, _ gain: Float) -> Ears {
        Ears(left: ears.left.map { $0 * gain }, right: ears.right.map { $0 * gain })
    }

    @Test func aFixedFieldHangsFromTheHeadAndAPlaceTurnsIt() throws {
        let inputs = Self.inputs()
        let front = render(try Self.stage(), inputs, periods: [256])
        let turned = PoseSource.fixed(Rotation(yaw: 0.8, pitch: 0.2))
        let fixed = render(try Self.stage(turned) { $0.mode = .fixed }, inputs, periods: [256])
        #expect(fixed.isIdentical(to: front))
        #expect(render(try Self.stage(turned), inputs, periods: [256]).error(against: front) > -20)
        let placed = render(
            try Self.stage { $0.place = Rotation<Stage, Stage>(yaw: 0.6).quaternion }, inputs, periods: [256])
        let seen = render(try Self.stage(.fixed(Rotation(yaw: -0.6))), inputs, periods: [256])
        #expect(placed.error(against: seen) < -100)
    }

    /// A sound field is multichannel, whatever its number of loudspeakers.
    @Test func aPolicyOfMultichannelSoundPlaysAField() throws {
        let inputs = Self.inputs()
        let all = render(try Self.stage(), inputs, periods: [256])
        let multichannel = render(try Self.stage { $0.policy = .multichannel }, inputs, periods: [256])
        #expect(multichannel.isIdentical(to: all) && all.left.contains { abs($0) > 0.01 })
    }

    @Test func anotherInputsTieIsNotTheFields() throws {
        let talk = Programme(name: "talk", layout: try .named("mono"), role: .fixed)
        let pose = PoseSource.fixed(Rotation(yaw: 0.8))
        let alone = render(try Self.stage(pose), Self.inputs(), periods: [256])
        let silence = [Float](repeating: 0, count: 9600)
        let beside = render(try Self.stage(pose, beside: [talk]), [silence] + Self.inputs(), periods: [256])
        #expect(beside.error(against: alone) < -120)
    }

    /// A field is a programme like another: several play at once, before and behind loudspeakers.
    @Test func fieldsAreHeardTogetherWhateverTheirPlaceAmongTheProgrammes() throws {
        let (first, second) = (try AmbisonicFormat(order: 1), try AmbisonicFormat(order: 2, convention: .n3d))
        let talk = Programme(name: "talk", layout: try .named("mono"))
        func ears(_ programmes: [StageProgramme], _ channels: Range<Int>) throws -> Ears {
            let sources = programmes.enumerated().flatMap { index, stage in
                stage.programme.layout.loudspeakers.map { SourcePlacement(direction: $0.direction, programme: index) }
            }
            let configuration = StageConfiguration(
                sampleRate: .studio, sources: sources, programmes: programmes, trim: Decibels(0), outputGuard: .off)
            let renderer = try StageRenderer(configuration, field: sphere, poses: .fixed(Rotation(yaw: 0.4)))
            try renderer.publish(field: sphere)
            return render(renderer, Array(Self.inputs()[channels]), periods: [256])
        }
        let fields = [StageProgramme(first), StageProgramme(second)]
        let spoken = StageProgramme(talk, controls: ProgrammeControls(talk))
        let (one, other) = (try ears([fields[0]], 0..<4), try ears([fields[1]], 5..<14))
        let voice = try ears([spoken], 4..<5)
        let together = try ears([fields[0], spoken, fields[1]], 0..<14)
        let left = zip(zip(one.left, voice.left), other.left).map { $0.0 + $0.1 + $1 }
        let right = zip(zip(one.right, voice.right), other.right).map { $0.0 + $0.1 + $1 }
        #expect(together.error(against: Ears(left: left, right: right)) < -120)
    }

    @Test func levelAndLoudnessScaleEveryChannelAlike() throws {
        let inputs = Self.inputs()
        let plain = render(try Self.stage(), inputs, periods: [256])
        let quiet = render(try Self.stage { $0.level = 0.5 }, inputs, periods: [256])
        #expect(quiet.error(against: Self.scaled(plain, 0.5)) < -120)
        let brought = render(try Self.stage { $0.dynamics.normalisation = -6 }, inputs, periods: [256])
        #expect(brought.error(against: Self.scaled(plain, Float(pow(10, -0.3)))) < -110)
    }

    @Test func theOmnidirectionalChannelAloneRulesTheCompression() throws {
        func gain(_ loud: Int) throws -> (decibels: Float, heard: Double) {
            let inputs = (0..<16).map { channel in
                noise(144_000, seed: UInt64(channel + 1)).map { (channel == loud ? 0.5 : 0.001) * $0 }
            }
            let plain = render(try Self.stage(), inputs, periods: [1024])
            let renderer = try Self.stage { $0.dynamics = DynamicsControls(profile: .filmStandard, reference: -31) }
            let ears = render(renderer, inputs, periods: [1024])
            func power(_ x: [Float]) -> Double { x[120_000...].reduce(0) { $0 + Double($1) * Double($1) } }
            return (
                try #require(renderer.lead).state.dynamicsGain,
                10 * log10((power(ears.left) + power(ears.right)) / (power(plain.left) + power(plain.right)))
            )
        }
        let omnidirectional = try gain(0)
        #expect(omnidirectional.decibels < -6 && abs(Double(omnidirectional.decibels) - omnidirectional.heard) < 0.3)
        // Directional channels are not metered: their sound counts as too soft and is raised.
        #expect(try gain(5).decibels >= 0)
    }

    @Test func whereAStreamIsCutMakesNoDifferenceWhileAFieldChanges() throws {
        func ears(_ periods: [Int]) throws -> Ears {
            let renderer = try Self.stage(.fixed(Rotation(yaw: 0.7)))
            let field = try #require(renderer.lead)
            return render(renderer, Self.inputs(20_480), periods: periods) {
                PeriodTime(restart: $0 == 0)
            } between: {
                if $0 == 2048 { field.change { $0.mode = .fixed } }
                if $0 == 4096 { field.change { $0.level = 0.3 } }
                if $0 == 10_240 { field.change { $0.place = Rotation<Stage, Stage>(yaw: 1).quaternion } }
            }
        }
        let whole = try ears([2048])
        #expect(try ears([64]).isIdentical(to: whole))
        #expect(try ears([16, 48, 100, 60, 800]).error(against: whole) < -120)
    }
}
