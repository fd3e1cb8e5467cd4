import Foundation
import Geometry
import IMU
import SeededRandom

/// A raw IMU that turns about the vertical. After six seconds its rate or the setting of its clock changes; or it loses
/// and repeats messages all the time.
struct ChangingStream {
    /// Samples per second before and after the change.
    var before = 100.0
    var after = 100.0
    var isCounted = true
    var isStamped = true
    /// Step of the sender's clock at the change, seconds.
    var setting = 0.0
    /// Shares of messages that are lost, and that are sent twice.
    var loss = 0.0
    var repetition = 0.0
    /// Whether the IMU swings by ±40° with a period of four seconds, rather than turning at 30°/s.
    var isSwinging = false
    var seed: UInt64 = 1

    /// Result of a stream.
    struct Outcome {
        /// Error of the shown turn eight seconds after the change, degrees.
        var lasting = 0.0
        /// Names of the faults that were reported at any time.
        var faults: Set<String> = []
        /// Error of the last sample's time beyond the usual delay, seconds.
        var lateness = 0.0
    }

    /// Returns the angle at a time, degrees. The rate never jumps, because a lost message would hide the jump.
    private func turn(_ time: Double) -> Double {
        if isSwinging { return 40 - 40 * cos(2 * .pi * 0.25 * max(0, time - 2)) }
        let since = max(0, time - 3)
        return since < 1 ? 15 * since * since : 30 * since - 15
    }

    /// Sends 14 s of samples over a quiet network, through a clock into a filter.
    func outcome() -> Outcome {
        var dice = SplitMix(state: seed &* 7919)
        var (clock, filter, result) = (StreamClock(), InertialFilter(), Outcome())
        var (time, previous, lastArrival, shown) = (0.0, 0.0, 0.0, 0.0)
        var number: UInt64 = 0
        while time < 14 {
            let rate = (turn(time) - turn(previous)) / max(1e-9, time - previous)
            previous = time
            let arrival = max(lastArrival, 5000 + time + 0.002 - 0.0003 * log(1 - dice.unit()))
            let isLost = dice.unit() < loss
            for _ in 0..<(isLost ? 0 : dice.unit() < repetition ? 2 : 1) {
                let measured = InertialSample(rate: SIMD3(0, 0, rate * degree), force: SIMD3(0, 0, 9.81))
                let reading = TrackerReading(
                    .inertial(measured),
                    stamp: isStamped ? SenderStamp(seconds: stamp(time), unit: 1e-9) : nil,
                    sequence: isCounted ? SenderSequence(number, modulus: nil) : nil)
                let found = clock.time(of: reading, arrival: arrival)
                filter.take(measured, at: found)
                result.lateness = found - 5000 - time - 0.002
                lastArrival = arrival
            }
            let heading = 2 * atan2(filter.bodyToWorld.z, filter.bodyToWorld.w) / degree
            shown = heading + 360 * ((shown - heading) / 360).rounded()
            if !isLost { result.lasting = shown - turn(time) }
            result.faults.formUnion(clock.timing.faults.map(\.name))
            number += 1
            time += 1 / (time < 6 - 1e-9 ? before : after)
        }
        return result
    }

    /// Returns the time of the sender's clock, which is slow by 80 ppm and is set at the change.
    private func stamp(_ time: Double) -> Double { 1234.5 + time * (1 - 80e-6) + (time >= 6 - 1e-9 ? setting : 0) }
}
