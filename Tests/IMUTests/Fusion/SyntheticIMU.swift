import Foundation
import Geometry
import IMU
import SeededRandom

typealias SensorNoise = SplitMix

extension SplitMix {
    /// Gaussian, variance 1 (Box and Muller).
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }
    mutating func vector(_ deviation: Double) -> SIMD3<Double> { SIMD3(normal(), normal(), normal()) * deviation }
}

let degree = Double.pi / 180

/// Generator of IMU samples for a known rotation without translation.
struct SyntheticIMU {
    /// Orientation, body to world, at a time in seconds.
    var motion: (Double) -> Quaternion
    /// Bias of the gyroscope, rad/s, body axes.
    var bias = SIMD3<Double>(0, 0, 0)
    /// Scale error of the gyroscope: it measures the true rate times 1 + scale.
    var scale = 0.0
    /// Standard deviations of single samples: rad/s, m/s². The defaults are those of BROAD's IMU at 286 Hz.
    var rateNoise = 0.12 * degree
    var forceNoise = 0.03
    var dice = SensorNoise(state: 1)

    /// Returns the sample at the end of the interval from `last` to `time`, with the interval's mean rate, as an
    /// averaging gyroscope measures it.
    mutating func sample(from last: Double, to time: Double) -> InertialSample {
        var sum = SIMD3<Double>(0, 0, 0)
        var before = motion(last)
        if time > last {
            for part in 1...8 {
                let after = motion(last + (time - last) * Double(part) / 8)
                sum += (before.conjugate * after).rotationVector
                before = after
            }
            sum /= time - last
        }
        return InertialSample(
            rate: sum * (1 + scale) + bias + dice.vector(rateNoise),
            force: motion(time).conjugate.rotate(SIMD3(0, 0, 9.81)) + dice.vector(forceNoise))
    }

    /// Runs a filter over times that rise; `each` sees the time, the filter and the truth.
    mutating func run(
        _ filter: inout InertialFilter, times: some Sequence<Double>,
        each: (Double, InertialFilter, Quaternion) -> Void = { _, _, _ in }
    ) {
        for time in times {
            filter.take(sample(from: filter.time ?? time, to: time), at: time)
            each(time, filter, motion(time))
        }
    }
}

/// Times at an even rate.
func evenTimes(_ rate: Double, until end: Double, from start: Double = 0) -> [Double] {
    (0...Int(((end - start) * rate).rounded())).map { start + Double($0) / rate }
}

/// Tilt of an orientation against the true one, degrees.
func inclinationError(_ q: Quaternion, _ truth: Quaternion) -> Double {
    let e = q * truth.conjugate
    return 2 * acos(min(1, (e.w * e.w + e.z * e.z).squareRoot())) / degree
}

/// Heading of an orientation against the true one, degrees, −180…180.
func headingError(_ q: Quaternion, _ truth: Quaternion) -> Double {
    let e = q * truth.conjugate
    return remainder(2 * atan2(e.z, e.w), 2 * .pi) / degree
}
