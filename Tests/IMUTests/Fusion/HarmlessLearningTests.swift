import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

/// Motion that does not fit the model of a gyroscope's errors: learning from it must not harm the heading.
@Suite struct HarmlessLearningTests {
    /// Motion of a body, and errors of its measurement.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        /// Amplitudes about the axes x, y, z, rad.
        var swing: SIMD3<Double>
        /// Metres from the pivot to the IMU.
        var lever = 0.6
        /// Delay of the accelerometer, seconds.
        var lag = 0.0
        /// Scale error of the accelerometer, differently on each axis.
        var forceScale = 0.0
        /// Greatest error of a stamp, ± seconds.
        var jitter = 0.0
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "a stick swung about one axis", swing: SIMD3(0.05, 1.2, 0.02), lag: 0.004),
        Case(name: "a stick swung about all axes", swing: SIMD3(0.6, 0.9, 0.7), forceScale: 0.01),
        Case(name: "stamps off by 5 ms", swing: SIMD3(0.4, 0.6, 0.8), lever: 0.1, jitter: 0.005),
        Case(name: "a pendulum with repeated samples", swing: SIMD3(0.02, 0.05, 1.0), lever: 1, lag: 0.01),
    ]

    @Test(arguments: cases, [71 as UInt64, 72, 73])
    func theHeadingIsNoWorseThanTheGyroscopesByMoreThanIsStated(_ it: Case, _ seed: UInt64) {
        var dice = SensorNoise(state: seed)
        let (f, g, h) = (0.5 + 0.3 * dice.unit(), 0.4 + 0.4 * dice.unit(), 0.3 + 0.3 * dice.unit())
        @Sendable func orientation(_ t: Double) -> Quaternion {
            let ramp = min(1, max(0, (t - 3) / 2))
            return Quaternion(
                rotationVector: ramp * it.swing
                    * SIMD3(sin(2 * .pi * f * t), sin(2 * .pi * g * t), sin(2 * .pi * h * t)))
        }
        @Sendable func place(_ t: Double) -> SIMD3<Double> { orientation(t).rotate(SIMD3(it.lever, 0, 0)) }
        func force(_ t: Double) -> SIMD3<Double> {
            let d = 1e-3
            let acceleration = (place(t + d) - 2 * place(t) + place(t - d)) / (d * d)
            return orientation(t).conjugate.rotate(acceleration + SIMD3(0, 0, 9.81))
        }
        var imu = SyntheticIMU(motion: orientation)
        imu.bias = dice.vector(0.02 * degree)
        var filter = InertialFilter()
        var gyroscope = Quaternion.identity
        var (last, excess) = (0.0, 0.0)
        let scale = SIMD3(1, 1, 1) + it.forceScale * SIMD3(1, -0.6, 0.4)
        for time in evenTimes(100, until: 90) {
            var sample = imu.sample(from: last, to: time)
            sample.force = force(time - it.lag) * scale + dice.vector(0.03)
            gyroscope = (gyroscope * Quaternion(rotationVector: sample.rate * (time - last))).normalized
            filter.take(sample, at: time + it.jitter * (2 * dice.unit() - 1))
            last = time
            guard time > 5 else { continue }
            let ours = abs(headingError(filter.bodyToWorld, orientation(time)))
            let bare = abs(headingError(gyroscope, orientation(time)))
            excess = max(excess, ours - bare - 2 * filter.headingDeviation / degree)
        }
        #expect(excess < 0.5, "worse by \(excess)° more than stated")
        let end = abs(headingError(filter.bodyToWorld, orientation(last)))
        // The use of brief rests costs 0.6° in one case (8.6°), and reduces the error of recordings of hands and joints
        // by 5 to 80 %.
        #expect(end < (it.jitter > 0 ? 25 : 9), "off by \(end)° at the end")
    }

    @Test func measurementsThatDoNotFitAreNoticed() {
        /// In each second, `lost` seconds of motion are lost, and the other samples are stamped as if none were lost.
        func misfit(lost: Double) -> Double {
            var imu = SyntheticIMU(
                motion: {
                    Quaternion(rotationVector: SIMD3(0.7 * sin(2.1 * $0), 0.9 * sin(2.9 * $0), 0.8 * sin(1.7 * $0)))
                })
            var (filter, last, worst) = (InertialFilter(), 0.0, 1.0)
            for time in evenTimes(100, until: 40) {
                let moment = time + lost * time.rounded(.down)
                filter.take(imu.sample(from: max(last, moment - 0.01), to: moment), at: time)
                last = moment
                worst = max(worst, filter.misfit)
            }
            return worst
        }
        #expect(misfit(lost: 0) < 1.1)
        #expect(misfit(lost: 0.1) > 2)
    }
}
