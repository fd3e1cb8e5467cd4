import Foundation
import Geometry
import IMU
import SeededRandom

/// A raw IMU whose stream changes after six seconds: its rate, or the setting of its clock; or that loses and repeats
/// messages throughout. Turns about the vertical.
struct ChangingStream {
    /// Samples per second before and after the change.
    var before = 100.0
    var after = 100.0
    var isCounted = true
    var isStamped = true
    /// Seconds by which the sender's clock is set at the change.
    var setting = 0.0
    /// Shares of lost messages and of those sent twice.
    var loss = 0.0
    var repetition = 0.0
    /// Whether it swings by ±40° with a period of four seconds, rather than turning at 30°/s.
    var isSwinging = false
    var seed: UInt64 = 1

    /// What became of it.
    struct Outcome {
        /// Error of the shown turn eight seconds after the change, degrees.
        var lasting = 0.0
        /// Names of the faults that were reported at any time.
        var faults: Set<String> = []
        /// Seconds by which the last time differs from the usual delay, at the end.
        var lateness = 0.0
    }

    /// Turn at a time, degrees; no rate changes in a moment, which a lost message would hide.
    private func turn(_ time: Double) -> Double {
        if isSwinging { return 40 - 40 * cos(2 * .pi * 0.25 * max(0, time - 2)) }
        let since = max(0, time - 3)
        return since < 1 ? 15 * since * since : 30 * since - 15
    }

    /// Sends 14 s over a quiet network through a clock into a filter.
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

    /// The sender's clock: slow by 80 ppm, and set at the change.
    private func stamp(_ time: Double) -> Double { 1234.5 + time * (1 - 80e-6) + (time >= 6 - 1e-9 ? setting : 0) }
}
