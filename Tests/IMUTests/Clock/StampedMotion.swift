import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

/// Distortion of a sender's stamps.
enum Distortion: Hashable, Sendable, CustomTestStringConvertible {
    case exact
    /// No stamps at all.
    case none
    /// Uniformly distributed error, ± seconds.
    case jitter(Double)
    /// Exponentially distributed lateness, mean in seconds.
    case late(Double)
    /// Rounded down to a multiple of this, seconds.
    case quantised(Double)
    /// Multiplied by a factor, as in a wrong unit.
    case unit(Double)
    case constant
    case backwards
    /// From two clocks in turn, which differ by this, seconds.
    case interleaved(Double)

    var testDescription: String { "\(self)" }

    /// Returns the stamp of a sample. The sender's clock is slow by 80 ppm.
    func stamp(_ index: Int, at time: Double, _ dice: inout SplitMix) -> SenderStamp? {
        var seconds = 1234.5 + time * (1 - 80e-6)
        switch self {
        case .exact: break
        case .none: return nil
        case .jitter(let most): seconds += most * (2 * dice.unit() - 1)
        case .late(let mean): seconds -= mean * log(1 - dice.unit())
        case .quantised(let step): seconds = (seconds / step).rounded(.down) * step
        case .unit(let factor): seconds *= factor
        case .constant: seconds = 1234.5
        case .backwards: seconds = -seconds
        case .interleaved(let apart): seconds += index % 2 == 0 ? 0 : apart
        }
        return SenderStamp(seconds: seconds, unit: 1e-9)
    }
}

/// Samples of an IMU with the stamps and arrivals of a stream.
struct StampedMotion {
    /// One sample: its time, its measured values, the true orientation (if known), and its arrival.
    struct Sample {
        var time: Double
        var measured: InertialSample
        var truth: Quaternion?
        var arrival: Double
    }

    var samples: [Sample] = []
    /// The gyroscope's bias, rad/s; nil if unknown.
    var bias: SIMD3<Double>?

    /// Delays of a network path that keeps the order of messages.
    enum Way: Sendable, CaseIterable {
        /// 2 ms, and an exponential delay of 0.3 ms on average.
        case quiet
        /// An exponential delay of 4 ms on average; one message in a hundred is held up by 20 to 80 ms.
        case wifi

        func arrivals(of times: [Double], seed: UInt64) -> [Double] {
            var dice = SplitMix(state: seed &* 991)
            var last = 0.0
            return times.map { time in
                var delay = 0.002 - (self == .quiet ? 0.0003 : 0.004) * log(1 - dice.unit())
                if self == .wifi, dice.unit() < 0.01 { delay += 0.02 + 0.06 * dice.unit() }
                last = max(last, 5000 + time + delay)
                return last
            }
        }
    }

    /// A head that looks about, at rest for the first four seconds and for three of every fifteen.
    static func looking(seed: UInt64) -> (Double) -> Quaternion {
        var dice = SplitMix(state: seed)
        let parts = [(0, 40.0), (0, 25), (0, 8), (1, 14), (1, 6), (2, 8), (2, 4)].map { axis, most in
            (
                axis: axis, amplitude: most * (0.6 + 0.8 * dice.unit()) * degree,
                omega: 2 * .pi * (0.08 + 0.9 * dice.unit()), phase: 2 * .pi * dice.unit()
            )
        }
        return { time in
            var angles = SIMD3<Double>(0, 0, 0)
            for part in parts { angles[part.axis] += part.amplitude * sin(part.omega * time + part.phase) }
            let phase = time - 15 * (time / 15).rounded(.down)
            func ease(_ x: Double) -> Double { x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x) }
            angles *= ease((phase - 4) / 1.5) * ease((15 - phase) / 1.5)
            return Quaternion(yaw: angles.x, pitch: angles.y, roll: angles.z)
        }
    }

    /// Takes samples of a synthetic IMU at these times, over a network path.
    init(times: [Double], seed: UInt64, way: Way) {
        var imu = SyntheticIMU(motion: Self.looking(seed: seed))
        imu.dice = SensorNoise(state: seed &* 77)
        imu.bias = imu.dice.vector(0.3 * degree)
        bias = imu.bias
        imu.scale = 0.005
        let rate = Double(times.count - 1) / ((times.last ?? 1) - (times.first ?? 0))
        imu.rateNoise *= (rate / 285.7).squareRoot()
        imu.forceNoise *= (rate / 285.7).squareRoot()
        let arrivals = way.arrivals(of: times, seed: seed)
        var last = times.first ?? 0
        for (time, arrival) in zip(times, arrivals) {
            samples.append(
                Sample(
                    time: time, measured: imu.sample(from: last, to: time), truth: imu.motion(time), arrival: arrival))
            last = time
        }
    }

    /// Returns the times that a clock gives to the samples, and the clock.
    func times(_ distortion: Distortion, seed: UInt64) -> (times: [Double], clock: StreamClock) {
        var dice = SplitMix(state: seed &* 31 &+ 5)
        var clock = StreamClock()
        let times = samples.enumerated().map { index, sample in
            clock.time(
                of: TrackerReading(
                    .inertial(sample.measured), stamp: distortion.stamp(index, at: sample.time, &dice)),
                arrival: sample.arrival)
        }
        return (times, clock)
    }

    /// Returns the mean square error of the fused orientation with these times, degrees². The heading is relative to
    /// its mean over the first second. The filter is given the bias if it is known, so that only the times matter.
    func meanSquareError(_ times: [Double]) -> Double {
        let prior = bias.map { GyroscopeBias(value: $0, deviation: SIMD3(repeating: 0.01 * degree)) }
        var filter = InertialFilter(prior: prior)
        var (zero, errors) = (SIMD2<Double>(0, 0), [Quaternion]())
        for (sample, time) in zip(samples, times) {
            filter.take(sample.measured, at: time)
            guard let truth = sample.truth else { continue }
            let error = filter.bodyToWorld * truth.conjugate
            if sample.time < samples[0].time + 1 {
                let heading = 2 * atan2(error.z, error.w)
                zero += SIMD2(cos(heading), sin(heading))
            }
            errors.append(error)
        }
        let back = Quaternion(yaw: -atan2(zero.y, zero.x), pitch: 0, roll: 0)
        return errors.reduce(0) { sum, error in
            let angle = (back * error).angle(to: .identity) / degree
            return sum + angle * angle
        } / Double(errors.count)
    }
}
