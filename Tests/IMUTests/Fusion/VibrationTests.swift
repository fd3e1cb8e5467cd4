import Foundation
import Geometry
import IMU
import Testing

/// A body that a vehicle shakes without turning it counts as at rest.
@Suite struct VibrationTests {
    /// 1.3 m/s² RMS up and down at three frequencies, and the nod of 1°/s RMS that goes with it.
    private static func shaking(_ time: Double) -> Double {
        sin(2 * .pi * 6.7 * time) + sin(2 * .pi * 13.1 * time + 1) + 1.2 * sin(2 * .pi * 27.3 * time + 2)
    }

    /// Runs a filter at 100 Hz from one time to another, shaken from 10 s on; turned by `turn` °/s from 20 s on.
    private static func run(
        _ filter: inout InertialFilter, _ imu: inout SyntheticIMU, from start: Double, to end: Double, turn: Double = 0,
        each: (Double, InertialFilter) -> Void = { _, _ in }
    ) {
        for time in evenTimes(100, until: end, from: start + 0.01) {
            var sample = imu.sample(from: time - 0.01, to: time)
            if time > 10 {
                let up = imu.motion(time).conjugate.rotate(SIMD3(0, 0, 1))
                sample.force += shaking(time) * up
                sample.rate.y += 0.8 * degree * shaking(time)
                if time > 20 { sample.rate += turn * degree * up }
            }
            filter.take(sample, at: time)
            each(time, filter)
        }
    }

    private static var inclined: SyntheticIMU {
        SyntheticIMU(motion: { _ in Quaternion(yaw: 0, pitch: 0.1, roll: -0.05) })
    }

    @Test func itShowsItsBias() {
        var (imu, filter) = (Self.inclined, InertialFilter())
        imu.bias = SIMD3(0.3, -0.2, 0.4) * degree
        var rests = 0
        Self.run(&filter, &imu, from: 10, to: 40) { time, filter in rests += time > 20 && filter.isAtRest ? 1 : 0 }
        #expect(rests > 1900)
        for axis in 0..<3 {
            #expect(abs(filter.bias.value[axis] - imu.bias[axis]) < 0.05 * degree)
            #expect(filter.bias.deviation[axis] < 0.05 * degree)
        }
    }

    @Test(arguments: [0.5, 1, 2.5]) func aSlowTurnOfAShakenVehicleIsNoBias(turn: Double) {
        var (imu, filter) = (Self.inclined, InertialFilter())
        Self.run(&filter, &imu, from: 0, to: 20)
        let start = headingError(filter.bodyToWorld, imu.motion(20))
        Self.run(&filter, &imu, from: 20, to: 80, turn: turn)
        let turned = headingError(filter.bodyToWorld, imu.motion(80)) - start
        #expect(abs(remainder(turned - 60 * turn, 360)) < 2)
        #expect(!filter.isAtRest)
    }

    @Test func theBeginningOfAMotionTeachesNothingWrong() {
        var (imu, filter) = (Self.inclined, InertialFilter())
        Self.run(&filter, &imu, from: 0, to: 20)
        let known = filter.bias.value
        // A gentle turn sets in at 20 s: 100°/s² about the vertical, up to 50°/s.
        imu.motion = {
            Quaternion(
                yaw: 0.5 * 100 * degree * min(0.5, max(0, $0 - 20)) * min(0.5, max(0, $0 - 20))
                    + 50 * degree * max(0, $0 - 20.5), pitch: 0.1, roll: -0.05)
        }
        Self.run(&filter, &imu, from: 20, to: 21)
        #expect(!filter.isAtRest)
        for axis in 0..<3 { #expect(abs(filter.bias.value[axis] - known[axis]) < 0.02 * degree) }
    }
}
