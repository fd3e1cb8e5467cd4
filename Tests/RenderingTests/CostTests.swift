import CRealtime
import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

@Suite struct CostTests {
    /// What one core pays for a stage. A coarse bound that a loaded machine meets too; `make bench` measures.
    @Test(arguments: [(64, true), (64, false), (128, true), (256, true)], MotionTests.fields.indices)
    func aTurning714StageTakesASmallShareOfACore(_ setting: (Int, Bool), _ index: Int) throws {
        let (slice, moving) = setting
        let (name, field) = MotionTests.fields[index]
        let seconds = 4.0
        let renderer = try stage(
            sevenOneFour, slice: slice,
            poses: moving ? turning(degreesPerSecond: 60, seconds: seconds) : .fixed(.identity), field: field,
            outputGuard: .instant, trim: Decibels(-6))
        let nanoseconds = periodTimes(of: renderer, channels: sevenOneFour.count, slice: slice, seconds: seconds)
        let period = Double(slice) / 48_000 * 1e9
        let (median, tail) = (nanoseconds[nanoseconds.count / 2], nanoseconds[nanoseconds.count * 99 / 100])
        #expect(median / period < 0.1)
        if soak {
            let each = median / Double(slice * sevenOneFour.count)
            print(
                "cost, \(name), slice \(slice), \(moving ? "turning" : "still"): \(each) ns per frame and source, p50",
                "\(100 * median / period) %, p99 \(100 * tail / period) % of a core at 48 kHz; taps \(field.tapCount)")
        }
    }
}

/// Nanoseconds that each period of one slice takes, noise in every channel, least first.
func periodTimes(of renderer: StageRenderer, channels: Int, slice: Int, seconds: Double) -> [Double] {
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
    return nanoseconds.sorted()
}
