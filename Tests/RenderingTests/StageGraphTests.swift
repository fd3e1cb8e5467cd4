import Convolution
import Foundation
import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

/// Returns the sum of the sources, each convolved directly with its filters, in double precision.
func directForm(_ inputs: [[Float]], _ filters: [(left: [Float], right: [Float])]) -> Ears {
    let total = inputs[0].count
    func ear(_ pick: (Int) -> [Float]) -> [Float] {
        var sum = [Double](repeating: 0, count: total)
        for (index, x) in inputs.enumerated() {
            let h = pick(index)
            for (k, tap) in h.enumerated() where tap != 0 {
                for i in k..<max(k, total) { sum[i] += Double(tap) * Double(x[i - k]) }
            }
        }
        return sum.map { Float($0) }
    }
    return Ears(left: ear { filters[$0].left }, right: ear { filters[$0].right })
}

func filters(_ sources: [SourcePlacement], _ field: FilterField, _ headToStage: Rotation<Head, Stage> = .identity)
    -> [(left: [Float], right: [Float])]
{
    // As played, but by longer transforms than a stage's: wrap-around in the stage's transforms counts as error.
    let played = SpectralField(field, form: FilterForm(slice: 2049 - field.tapCount, tapCount: field.tapCount))
    return sources.map { source in
        switch source.motion {
        case .tracked:
            let pair = played.responses(headToStage.inverse(source.direction))
            return (pair.left.map { $0 * source.gain }, pair.right.map { $0 * source.gain })
        case .fixed:
            let pair = played.responses(Direction(unit: source.direction.unit))
            return (pair.left.map { $0 * source.gain }, pair.right.map { $0 * source.gain })
        case .direct(let left, let right):
            var pair = (left: [Float](repeating: 0, count: 512), right: [Float](repeating: 0, count: 512))
            pair.left[Int(field.onsetFrames.rounded())] = left * source.gain
            pair.right[Int(field.onsetFrames.rounded())] = right * source.gain
            return pair
        }
    }
}

@Suite struct StageGraphTests {
    @Test(arguments: [64, 128, 256]) func aStillStageEqualsDirectConvolution(_ slice: Int) throws {
        for sources in [Array(sevenOneFour.prefix(2)), Array(sevenOneFour.prefix(6)), sevenOneFour] {
            let inputs = sources.indices.map { noise(2000, seed: UInt64($0)) }
            let pose = Rotation<Head, Stage>(yaw: 0.3, pitch: -0.2, roll: 0.1)
            let renderer = try stage(sources, slice: slice, poses: .fixed(pose))
            let wanted = directForm(inputs, filters(sources, sphere, pose))
            #expect(render(renderer, inputs, periods: [slice]).error(against: wanted) < -120)
        }
    }

    @Test(arguments: [64, 128]) func aDividedSetEqualsDirectConvolution(_ slice: Int) throws {
        // 60 slices: the first ones, before filters are at rest, and the others.
        let (field, _) = try FilterField.load(HRTFSelection("generated"), sampleRate: .studio)
        let sources = Array(sevenOneFour.prefix(4))
        let inputs = sources.indices.map { noise(60 * slice, seed: UInt64($0)) }
        let pose = Rotation<Head, Stage>(yaw: 0.3, pitch: -0.2, roll: 0.1)
        let renderer = try StageRenderer(
            StageConfiguration(
                sampleRate: .studio, slice: slice, sources: sources, trim: Decibels(0), outputGuard: .off),
            field: field, poses: .fixed(pose))
        let wanted = directForm(inputs, filters(sources, field, pose))
        #expect(render(renderer, inputs, periods: [slice]).error(against: wanted) < -95)
    }

    @Test func filtersBySpectraAreThoseOfTheFieldInTime() throws {
        for field in [sphere, try FilterField.load(HRTFSelection("generated"), sampleRate: .studio).0] {
            let played = SpectralField(field, form: field.form(slice: 64))
            for (azimuth, elevation) in [(0.0, 0.0), (33, 12), (91, -40), (203.7, 61), (359, 89)] {
                let direction = Direction<Head>(azimuthDegrees: azimuth, elevationDegrees: elevation)
                let (wanted, got) = (field.responses(direction), played.responses(direction))
                let (a, b) = (wanted.left + wanted.right, got.left + got.right)
                let error = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
                #expect(error < 1e-9 * a.reduce(0) { $0 + $1 * $1 }, "\(azimuth)°, \(elevation)°: -90 dB")
            }
        }
    }

    @Test func seventeenAndMoreSourcesFillSeveralGroups() throws {
        for count in [17, 33, 64] {
            let sources: [SourcePlacement] = (0..<count).map { (index: Int) -> SourcePlacement in
                let (azimuth, elevation) = (Double(index) * 21, Double(index % 5) * 15 - 30)
                return SourcePlacement(
                    direction: Direction(azimuthDegrees: azimuth, elevationDegrees: elevation), gain: 0.2,
                    motion: index % 3 == 0 ? .fixed : .tracked)
            }
            let inputs = sources.indices.map { noise(700, seed: UInt64($0)) }
            let pose = Rotation<Head, Stage>(yaw: -1)
            let wanted = directForm(inputs, filters(sources, sphere, pose))
            let got = render(try stage(sources, poses: .fixed(pose)), inputs, periods: [64, 17, 300])
            #expect(got.error(against: wanted) < -120)
        }
    }

    @Test(arguments: [64, 128, 256], [false, true])
    func onlyTheSliceDecidesTheSoundNotThePeriod(_ slice: Int, _ moving: Bool) throws {
        let inputs = sevenOneFour.indices.map { noise(17_000, seed: UInt64($0) + 9) }
        let poses: PoseSource = moving ? try turning(degreesPerSecond: 170, seconds: 1) : .fixed(Rotation(yaw: 0.5))
        func run(_ periods: [Int]) throws -> Ears {
            render(
                try stage(sevenOneFour, slice: slice, poses: poses, outputGuard: .instant, trim: Decibels(-20)), inputs,
                periods: periods)
        }
        let whole = try run([slice])
        for periods in [[256], [8192], [512, 256, 1024]] {
            #expect(try run(periods).isIdentical(to: whole), "periods \(periods)")
        }
        for periods in [[16], [100], [1000], [17], [1], [63, 1, 65, 200], [2048, 3]] {
            #expect(try run(periods).error(against: whole) < -120, "periods \(periods)")
        }
    }

    @Test(arguments: [OutputGuard.off, .instant]) func anImpulseComesOutInItsOwnFrame(_ outputGuard: OutputGuard) throws
    {
        let source = SourcePlacement(direction: Direction(azimuthDegrees: 0, elevationDegrees: 0))
        for period in [1, 16, 17, 64, 100, 1000] {
            for position in [0, 5, 63, 64, 130] {
                var x = [Float](repeating: 0, count: 400)
                x[position] = 0.5
                let renderer = try stage([source], field: .impulse(sampleRate: .studio), outputGuard: outputGuard)
                let ears = render(renderer, [x], periods: [period])
                #expect(renderer.latencyFrames == 0)
                for i in 0..<400 { #expect(abs(ears.left[i] - x[i]) < 1e-6 && abs(ears.right[i] - x[i]) < 1e-6) }
            }
        }
    }

    @Test func aDirectFeedKeepsTimeWithAFrontalSource() throws {
        let direct = SourcePlacement(
            direction: Direction(azimuthDegrees: 0, elevationDegrees: 0), gain: 0.5, motion: .direct(left: 1, right: -2)
        )
        var x = [Float](repeating: 0, count: 400)
        x[3] = 1
        let ears = render(try stage([direct]), [x], periods: [64])
        let onset = 3 + Int(sphere.onsetFrames.rounded())
        for i in 0..<400 {
            #expect(abs(ears.left[i] - (i == onset ? 0.5 : 0)) < 1e-6)
            #expect(abs(ears.right[i] - (i == onset ? -1 : 0)) < 1e-6)
        }
    }

    @Test func aStageWithoutSourcesIsSilent() throws {
        let renderer = try stage([])
        let output = PlanarBlock(channels: 2, frames: 300)
        for i in 0..<300 { output[0][i] = 1 }
        renderer.handle.pointee.process(
            inputs: [UnsafePointer(output[1])], outputs: [output[0], output[1]], frames: 300, time: PeriodTime())
        for i in 0..<300 { #expect(output[0][i] == 0 && output[1][i] == 0) }
    }

    @Test func samplesThatAreNotFiniteCountAsSilenceAndAreReported() throws {
        var broken = noise(3000)
        var mended = broken
        for i in [0, 63, 64, 999, 1000, 2999] {
            broken[i] = i % 2 == 0 ? .nan : -.infinity
            mended[i] = 0
        }
        let source = Array(sevenOneFour.prefix(1))
        let renderer = try stage(source)
        let got = render(renderer, [broken], periods: [100])
        #expect(got.isIdentical(to: render(try stage(source), [mended], periods: [100])))
        #expect(renderer.telemetry()?.refusedSamples == 6)
    }

    @Test(arguments: [Float(1e8), 1e20, 1e37, 3e38]) func whatIsTooLoudComesOutFiniteAndIsGoneAfterwards(_ size: Float)
        throws
    {
        let sources = Array(sevenOneFour.prefix(4))
        for outputGuard in [OutputGuard.instant, .lookahead] {
            let renderer = try stage(sources, outputGuard: outputGuard)
            var loud = noise(48_000)
            for i in 4800..<9600 { loud[i] = i % 2 == 0 ? size : -size }
            let got = render(renderer, [[Float]](repeating: loud, count: 4), periods: [64])
            for ear in [got.left, got.right] {
                #expect(ear.allSatisfy { abs($0) <= 1 })
                // The output limiter has recovered, and the filters play sound again.
                #expect(ear.suffix(4800).contains { $0 != 0 })
            }
        }
    }

    @Test func telemetryTellsWhatThePeriodHeld() throws {
        let renderer = try stage(Array(sevenOneFour.prefix(3)), field: .impulse(sampleRate: .studio))
        #expect(renderer.telemetry() == nil)
        var inputs = (0..<3).map { _ in [Float](repeating: 0, count: 200) }
        inputs[1][150] = -0.25
        inputs[2][10] = 1.5
        _ = render(renderer, inputs, periods: [100])
        let last = try #require(renderer.telemetry())
        #expect(last.periods == 2 && last.frames == 100 && last.streamFrame == 200 && last.nanoseconds > 0)
        #expect(last.inputPeaks[0] == 0 && last.inputPeaks[1] == 0.25 && last.inputPeaks[2] == 0)
        #expect(abs(last.outputPeaks.x - 0.25) < 1e-6 && !last.clipped && last.clippedPeriods == 1)
    }
}
