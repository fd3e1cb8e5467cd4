import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Arrivals of both ears that jump together between directions are smoothed; interaural delays stay.
@Suite struct CommonArrivalTests {
    private let grid = RingGrid(stepDegrees: 10).directions(in: Head.self)

    /// Returns the generated head's set with delays of both ears, samples.
    private func set(_ common: [Double]) throws -> MeasuredSet {
        let responses = GeneratedHead().responses(grid)
        return try MeasuredSet(
            FreeFieldHRIR(
                path: "planted", attributes: [:], sampleRate: 48_000,
                sampleCount: responses.count / grid.count / 2, directions: grid,
                distances: [Double](repeating: 1, count: grid.count), responses: responses,
                delays: common.flatMap { [$0, $0] }))
    }

    /// Steps of up to 60 µs from direction to direction, as in sets whose subject moved between the measurements.
    @Test func stepsCommonToBothEarsAreSmoothed() throws {
        var random = UInt64(41)
        let common = grid.indices.map { _ -> Double in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return 3 + 2.88 * Double(random >> 40) / Double(1 << 24)
        }
        let (even, uneven) = (try set([Double](repeating: 4.44, count: grid.count)), try set(common))
        let (before, after) = (Alignment(even).smoothedOnsets(even), Alignment(uneven).smoothedOnsets(uneven))
        let raw = Alignment(uneven).onsets
        func mean(_ onsets: [Double], _ index: Int) -> Double { 0.5 * (onsets[2 * index] + onsets[2 * index + 1]) }
        func error(_ onsets: [Double]) -> Double {
            let errors = grid.indices.map { mean(onsets, $0) - mean(before, $0) }
            return (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot() / 48_000 * 1e6
        }
        // The set was given an error of 17 µs RMS.
        #expect(error(raw) > 15 && error(after) < 6, "\(error(raw)) µs, \(error(after)) µs")
        for index in grid.indices {
            let difference = (raw[2 * index] - raw[2 * index + 1]) - (after[2 * index] - after[2 * index + 1])
            #expect(abs(difference) < 1e-9)
        }
    }
}
