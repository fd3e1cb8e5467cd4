import Foundation
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Returns a stage that plays a sound field and, with `sources`, loudspeakers of mono programmes: no trim, no output
/// limiter, and the sphere's filters unless `field` is given.
func ambisonicStage(
    _ order: Int, _ convention: AmbisonicFormat.Convention = .sn3d, sources: [SourcePlacement] = [], slice: Int = 64,
    poses: PoseSource = .fixed(.identity), field: FilterField? = nil
) throws -> StageRenderer {
    var programmes = try sources.indices.map { index in
        let programme = Programme(name: "mono\(index)", layout: try .named("mono"))
        return StageProgramme(programme, controls: ProgrammeControls(programme))
    }
    programmes.append(StageProgramme(try AmbisonicFormat(order: order, convention: convention)))
    return try StageRenderer(
        StageConfiguration(
            sampleRate: .studio, slice: slice, sources: sources, programmes: programmes, trim: Decibels(0),
            outputGuard: .off),
        field: field ?? sphere, poses: poses)
}

/// Returns the channels of a plane wave in ACN order, SN3D.
func planeWave(_ x: [Float], order: Int, azimuth: Double, elevation: Double = 0) -> [[Float]] {
    let direction = Direction<Stage>(azimuthDegrees: azimuth, elevationDegrees: elevation)
    return SphericalHarmonics.values(order: order, direction).map { gain in x.map { Float(gain) * $0 } }
}

@Suite struct AmbisonicStageTests {
    /// Returns a decoder's output for a plane wave, in double precision.
    private static func decoded(_ x: [Float], _ decoder: AmbisonicDecoder, azimuth: Double, elevation: Double) -> Ears {
        let (left, right) = decoder.responses(Direction(azimuthDegrees: azimuth, elevationDegrees: elevation))
        func filtered(_ taps: [Float]) -> [Float] {
            x.indices.map { i in
                Float((0...min(i, taps.count - 1)).reduce(0.0) { $0 + Double(taps[$1]) * Double(x[i - $1]) })
            }
        }
        return Ears(left: filtered(left), right: filtered(right))
    }

    @Test(arguments: [1, 3, 5, 7], [64, 128, 256])
    func aPlaneWaveIsHeardThroughTheDecodersFilters(_ order: Int, _ slice: Int) throws {
        let x = noise(2048)
        let exact = Self.decoded(x, AmbisonicDecoder(order: order, field: sphere), azimuth: 50, elevation: 20)
        let field = planeWave(x, order: order, azimuth: 50, elevation: 20)
        let renderer = try ambisonicStage(order, slice: slice)
        #expect(render(renderer, field, periods: [slice]).error(against: exact) < -115)
        #expect(renderer.telemetry()?.inputPeaks[0] ?? 0 > 0.9)
    }

    @Test(arguments: [64, 128, 256]) func liveIsOffline(_ slice: Int) throws {
        let x = noise(4096)
        let field = planeWave(x, order: 3, azimuth: -70, elevation: 10)
        func heard(_ periods: [Int]) throws -> Ears {
            try render(
                ambisonicStage(3, slice: slice, poses: turning(degreesPerSecond: 200, seconds: 1)), field,
                periods: periods)
        }
        let offline = try heard([1024])
        for period in [slice, 2 * slice, 2048] where period % slice == 0 {
            #expect(try heard([period]).isIdentical(to: offline), "period \(period)")
        }
        for periods in [[16], [100], [63, 1, 64], [1000]] {
            #expect(try heard(periods).error(against: offline) < -120, "periods \(periods)")
        }
    }

    @Test(arguments: [
        (30.0, 0.0, 30.0, 0.0, 0.0), (-120, 0, -120, 0, 0), (180, 0, 180, 0, 0), (0, 40, 0, 40, 0),
        (75, 30, 75, 30, 0), (0, 0, 0, 0, 90),
    ])
    func aPlaneWaveTheHeadTurnsToSoundsFromTheFront(
        _ azimuth: Double, _ elevation: Double, _ yaw: Double, _ pitch: Double, _ roll: Double
    ) throws {
        let x = noise(2000)
        let degrees = Double.pi / 180
        let pose = Rotation<Head, Stage>(yaw: yaw * degrees, pitch: pitch * degrees, roll: roll * degrees)
        let turned = render(
            try ambisonicStage(4, poses: .fixed(pose)), planeWave(x, order: 4, azimuth: azimuth, elevation: elevation),
            periods: [64])
        let still = render(try ambisonicStage(4), planeWave(x, order: 4, azimuth: 0), periods: [64])
        #expect(turned.error(against: still) <= -110)
    }

    @Test(arguments: [64, 128, 256]) func aToneStaysATonePastATurningHead(_ slice: Int) throws {
        let seconds = soak ? 10 : 4
        let x = sine(1000, seconds * 48_000)
        let field = planeWave(x, order: 3, azimuth: 0)
        for period in [100, 256] {
            let renderer = try ambisonicStage(
                3, slice: slice, poses: turning(degreesPerSecond: 100, seconds: Double(seconds)))
            let ears = render(renderer, field, periods: [period])
            let worse = max(
                artefactLevel(ears.left, tone: 1000, band: 150, rate: 48_000, dropped: 48_000),
                artefactLevel(ears.right, tone: 1000, band: 150, rate: 48_000, dropped: 48_000))
            #expect(worse <= -80, "slice \(slice), period \(period): \(worse) dB")
            if soak { print("tone, ambisonics order 3, slice \(slice), period \(period): \(worse) dB") }
        }
    }

    @Test func everyConventionCarriesTheSameField() throws {
        let x = noise(1000)
        let plain = planeWave(x, order: 3, azimuth: 110, elevation: -30)
        let exact = render(try ambisonicStage(3), plain, periods: [64])
        for convention in [AmbisonicFormat.Convention.n3d, .fuma] {
            let format = try AmbisonicFormat(order: 3, convention: convention)
            let field = (0..<16).map { channel in
                let (acn, gain) = format.place(ofChannel: channel)
                return plain[acn].map { $0 / Float(gain) }
            }
            let found = render(try ambisonicStage(3, convention), field, periods: [64])
            #expect(found.error(against: exact) < -120, "\(convention)")
        }
    }

    @Test func aFieldKeepsTimeWithTheLoudspeakersBesideIt() throws {
        // At order 7 a plane wave and a loudspeaker in its direction are the same sound up to 3 kHz.
        let x = sine(700, 4000)
        let direction = Direction<Stage>(azimuthDegrees: 60, elevationDegrees: 0)
        let wave = planeWave(x, order: 7, azimuth: 60)
        let silence = [Float](repeating: 0, count: x.count)
        let beside = [SourcePlacement(direction: direction)]
        func rest(_ channels: Int) -> [[Float]] { [[Float]](repeating: silence, count: channels) }
        // A stage has 64 inputs at most: order 6 is the highest beside a loudspeaker.
        let loudspeaker = render(try ambisonicStage(6, sources: beside), [x] + rest(49), periods: [64])
        let field = render(try ambisonicStage(7), wave, periods: [64])
        #expect(field.error(against: loudspeaker, in: 1000..<4000) < -30)
        let both = render(
            try ambisonicStage(6, sources: beside), [x] + planeWave(x, order: 6, azimuth: 60), periods: [64])
        #expect(both.error(against: loudspeaker, in: 1000..<4000) < 0.5)
        #expect(both.error(against: loudspeaker, in: 1000..<4000) > -0.5)
    }

    @Test func anotherSetFadesInWithoutAClick() throws {
        let x = sine(500, 16_384)
        let field = planeWave(x, order: 2, azimuth: 30)
        let near = FilterField.sphere(sampleRate: .studio, radius: 0.07)
        let renderer = try ambisonicStage(2)
        let swapped = render(
            renderer, field, periods: [64], between: { if $0 == 8192 { try! renderer.publish(field: near) } })
        let (before, after) = (
            render(try ambisonicStage(2), field, periods: [64]),
            render(try ambisonicStage(2, field: near), field, periods: [64])
        )
        #expect(swapped.error(against: before, in: 0..<8192) == -.infinity)
        #expect(swapped.error(against: after, in: 8256..<16_384) < -120)
        // No step is larger than those of the sine.
        let steps = zip(swapped.left[8000...8500], swapped.left[8001...8501]).map { abs($0 - $1) }
        let own = zip(before.left[7000...7500], before.left[7001...7501]).map { abs($0 - $1) }
        #expect((steps.max() ?? 1) < 1.2 * (own.max() ?? 0))
        #expect(renderer.heldFieldCount == 1)
    }

    @Test func tooManyInputsAreRefused() {
        #expect(throws: RenderingError.tooManySources(65, most: 64)) {
            _ = try ambisonicStage(7, sources: [SourcePlacement(direction: Direction(azimuth: 0, elevation: 0))])
        }
    }
}
