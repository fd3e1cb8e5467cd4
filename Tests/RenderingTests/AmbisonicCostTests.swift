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
        let channels = (order + 1) * (order + 1)
        let input = PlanarBlock(channels: channels, frames: slice)
        let output = PlanarBlock(channels: 2, frames: slice)
        for channel in 0..<channels {
            for (i, x) in noise(slice, seed: UInt64(channel)).enumerated() { input[channel][i] = x }
        }
        let inputs = (0..<channels).map { UnsafePointer(input[$0]) }
        let outputs = [output[0], output[1]]
        var nanoseconds: [Double] = []
        for _ in 0..<Int(seconds * 48_000) / slice {
            let start = prc_monotonic_nanoseconds()
            renderer.handle.pointee.process(inputs: inputs, outputs: outputs, frames: slice, time: PeriodTime())
            nanoseconds.append(Double(prc_monotonic_nanoseconds() - start))
        }
        nanoseconds.sort()
        let (median, tail) = (nanoseconds[nanoseconds.count / 2], nanoseconds[nanoseconds.count * 99 / 100])
        #expect(median / (Double(slice) / 48_000 * 1e9) < 0.15)
        if soak {
            print(
                "cost, ambisonics order \(order), slice \(slice), turning: \(median / Double(slice)) ns per frame, least",
                "\(nanoseconds[0] / Double(slice)), p99 \(tail / Double(slice))")
        }
    }
}
