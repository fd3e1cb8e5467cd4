import Foundation
import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Sources with width, measured at the ears of the generated head.
@Suite struct WidthTests {
    static let head = Result { try FilterField.load(HRTFSelection("generated"), sampleRate: .studio).0 }

    /// Returns a stage of one loudspeaker at an azimuth, with a width that may change.
    static func stage(
        _ azimuth: Double, width: Double = 0, elevation: Double = 0, slice: Int = 64,
        poses: PoseSource = .fixed(.identity), field: FilterField? = nil
    ) throws -> StageRenderer {
        let place = Loudspeaker(symbol: "S", azimuthDegrees: azimuth, elevationDegrees: elevation)
        let programme = Programme(
            layout: Layout(name: "one", loudspeakers: [place]), width: width * .pi / 180)
        return try ProgrammeTests.stage([programme], slice: slice, poses: poses, field: field ?? head.get())
    }

    /// Returns the ears for pink noise through a source of a width, without the first half second.
    static func ears(_ azimuth: Double, _ width: Double, elevation: Double = 0) throws -> Ears {
        let all = render(try stage(azimuth, width: width, elevation: elevation), [pink], periods: [1024])
        return Ears(left: Array(all.left[24_000...]), right: Array(all.right[24_000...]))
    }
    static let pink = pinkNoise(24_000 + 4 * 65_536)

    @Test(arguments: [0.0, 40, 90, 150]) func widthKeepsTheLevelAndLowersTheCoherence(_ azimuth: Double) throws {
        let narrow = try Self.ears(azimuth, 0)
        var last = BinauralMeasures.coherence(narrow)
        let level = BinauralMeasures.level(narrow)
        for width in [20.0, 45, 90, 135, 180] {
            let wide = try Self.ears(azimuth, width)
            #expect(abs(BinauralMeasures.level(wide) - level) < 0.5, "\(azimuth)°, \(width)° wide")
            let coherence = BinauralMeasures.coherence(wide)
            #expect(coherence < last + 0.05, "\(azimuth)°, \(width)° wide: \(coherence) after \(last)")
            last = coherence
        }
        #expect(last < (azimuth == 90 ? 0.8 : 0.65))
    }

    @Test func theMiddleOfAWideSourceStaysWhereItWas() throws {
        for azimuth in [0.0, 30, -60] {
            let narrow = try Self.ears(azimuth, 0)
            for width in [30.0, 60] {
                let wide = try Self.ears(azimuth, width)
                let (before, after) = (BinauralMeasures.difference(narrow), BinauralMeasures.difference(wide))
                #expect(abs(after - before) < 1.5, "\(azimuth)°, \(width)° wide: \(before) dB, then \(after) dB")
            }
        }
    }

    @Test(arguments: [64, 128, 256]) func aSourceWithoutWidthIsWhatItWasBitForBit(_ slice: Int) throws {
        let poses = try turning(degreesPerSecond: 100, seconds: 0.2)
        let inputs = ProgrammeTests.inputs(6)
        let plain = render(
            try ProgrammeTests.plain(try .named("5.1"), slice: slice, poses: poses), inputs, periods: [100])
        let renderer = try ProgrammeTests.stage([try ProgrammeTests.surround()], slice: slice, poses: poses)
        #expect(render(renderer, inputs, periods: [100]).isIdentical(to: plain))
    }

    /// A stage whose width has grown and shrunk again gives the same bits as one of constant width.
    @Test func nothingRemainsOfAWidthThatIsGone() throws {
        let inputs = ProgrammeTests.inputs(6, frames: 96_000)
        func ears(_ isChanged: Bool) throws -> Ears {
            let renderer = try ProgrammeTests.stage([try ProgrammeTests.surround()], poses: .fixed(Rotation(yaw: 0.3)))
            return render(renderer, inputs, periods: [256]) {
                PeriodTime(restart: $0 == 0)
            } between: { done in
                if isChanged, done == 2560 { renderer.programmes[0].change { $0.width = 1 } }
                if isChanged, done == 25_600 { renderer.programmes[0].change { $0.width = 0 } }
            }
        }
        let (plain, changed) = (try ears(false), try ears(true))
        #expect(changed.error(against: plain, in: 12_000..<25_000) > -20)
        #expect(changed.error(against: plain, in: 0..<2560) == -.infinity)
        #expect(changed.error(against: plain, in: 80_000..<96_000) == -.infinity)
    }

    @Test(arguments: [(64, 128), (128, 128), (256, 128), (128, 256), (256, 256)])
    func whereAStreamIsCutMakesNoDifferenceToAWideSource(_ slice: Int, _ fade: Int) throws {
        func ears(_ periods: [Int]) throws -> Ears {
            let programme = Programme(layout: try .named("stereo"), width: 0.5)
            let sources = programme.layout.loudspeakers.map { SourcePlacement(direction: $0.direction) }
            let renderer = try StageRenderer(
                StageConfiguration(
                    sampleRate: .studio, slice: slice, sources: sources,
                    programmes: [StageProgramme(programme, controls: ProgrammeControls(programme))],
                    outputGuard: .off, fadeFrames: fade),
                field: sphere, poses: try turning(degreesPerSecond: 50, seconds: 1))
            return render(renderer, ProgrammeTests.inputs(2, frames: 30_720), periods: periods) { done in
                PeriodTime(restart: done == 0 || done == 20_480)
            } between: { done in
                if done == 2048 { renderer.programmes[0].change { $0.width = 0 } }
                if done == 12_288 { renderer.programmes[0].change { $0.width = 2 } }
            }
        }
        let whole = try ears([2048])
        #expect(try ears([256]).isIdentical(to: whole))
        #expect(try ears([512, 1024, 512]).isIdentical(to: whole))
        #expect(try ears([16, 48, 100, 60, 800]).error(against: whole) < -120)
    }

    @Test func widthGrowsWithoutAClick() throws {
        let renderer = try Self.stage(40, field: sphere)
        let ears = render(renderer, [sine(1000, 48_000)], periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: {
            if $0 == 12_032 { renderer.programmes[0].change { $0.width = .pi } }
        }
        // A 1 kHz tone's second difference is (2 sin(π·f/fs))² times its level.
        func bend(_ x: [Float], _ range: Range<Int>) -> (Float, Float) {
            var (sharpest, peak): (Float, Float) = (0, 0)
            for i in range {
                sharpest = max(sharpest, abs(x[i + 1] - 2 * x[i] + x[i - 1]))
                peak = max(peak, abs(x[i]))
            }
            return (sharpest, peak)
        }
        for x in [ears.left, ears.right] {
            let (steady, level) = bend(x, 4000..<12_000)
            let (all, loudest) = bend(x, 12_000..<46_000)
            #expect(all <= steady * max(1, loudest / level) * 1.15)
        }
    }

    @Test func anotherSetAndAWideLoudspeakerOfALayoutAreHeardAsFromTheStart() throws {
        let place = Loudspeaker(symbol: "S", azimuthDegrees: 20, widthDegrees: 60)
        let source = SourcePlacement(direction: place.direction, width: place.widthDegrees * .pi / 180)
        let own = try StageRenderer(
            StageConfiguration(sampleRate: .studio, sources: [source], trim: Decibels(0), outputGuard: .off),
            field: sphere, poses: .fixed(.identity))
        let asked = try Self.stage(20, width: 60, field: sphere)
        let input = [noise(19_200)]
        let expected = render(asked, input, periods: [256])
        #expect(render(own, input, periods: [256]).isIdentical(to: expected))
        // Published before the stream begins, a set is in force from its first frame.
        let swapped = try Self.stage(20, width: 60, field: .sphere(sampleRate: .studio, radius: 0.07))
        try swapped.publish(field: sphere)
        #expect(render(swapped, input, periods: [256]).isIdentical(to: expected))
        // A set that is published during playback is in force alone after the history of the first set has passed.
        let later = try Self.stage(20, width: 60, field: .sphere(sampleRate: .studio, radius: 0.07))
        let ears = render(later, input, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: {
            if $0 == 2560 { try? later.publish(field: sphere) }
        }
        #expect(ears.error(against: expected, in: 4096..<19_200) < -100)
    }
}

/// Measures of the two ears.
enum BinauralMeasures {
    /// Returns the power of both ears, dB.
    static func level(_ ears: Ears) -> Double { 10 * log10(power(ears.left) + power(ears.right)) }

    /// Returns the left ear's level over the right's, dB.
    static func difference(_ ears: Ears) -> Double { 10 * log10(power(ears.left) / power(ears.right)) }

    private static func power(_ x: [Float]) -> Double { x.reduce(0) { $0 + Double($1) * Double($1) } }

    /// Returns the interaural cross-correlation coefficient (ISO 3382-1, Annex B): the largest magnitude of the
    /// normalised correlation within ±1 ms.
    static func coherence(_ ears: Ears) -> Double {
        var largest = 0.0
        for lag in -48...48 {
            var sum = 0.0
            for i in max(0, -lag)..<(ears.left.count - max(0, lag)) {
                sum += Double(ears.left[i]) * Double(ears.right[i + lag])
            }
            largest = max(largest, abs(sum))
        }
        return largest / (power(ears.left) * power(ears.right)).squareRoot()
    }
}
