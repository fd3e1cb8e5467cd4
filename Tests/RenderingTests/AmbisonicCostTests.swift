import CRealtime
import Foundation
import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

@Suite struct AmbisonicCostTests {
    /// What one core pays for a sound field past a turning head. A coarse bound that a loaded machine meets too; the
    /// benchmarks measure.
    @Test(arguments: [1, 3, 5, 7], [64, 128, 256])
    func aTurningSoundFieldTakesASmallShareOfACore(_ order: Int, _ slice: Int) throws {
        let seconds = soak ? 4.0 : 0.5
        let renderer = try ambisonicStage(
            order, slice: slice, poses: turning(degreesPerSecond: 60, seconds: seconds))
        let nanoseconds = periodTimes(
            of: renderer, channels: (order + 1) * (order + 1), slice: slice, seconds: seconds)
        let (median, tail) = (nanoseconds[nanoseconds.count / 2], nanoseconds[nanoseconds.count * 99 / 100])
        #expect(median / (Double(slice) / 48_000 * 1e9) < 0.15)
        if soak {
            print(
                "cost, ambisonics order \(order), slice \(slice), turning: \(median / Double(slice)) ns per frame, least",
                "\(nanoseconds[0] / Double(slice)), p99 \(tail / Double(slice))")
        }
    }
}
