import Foundation
import Geometry
import IMU
import Testing

@Suite struct BiasTests {
    /// A head that looks about for half an hour and hardly ever rests, on a neck.
    private static func looking(_ time: Double) -> Quaternion {
        Quaternion(
            yaw: 70 * degree * sin(0.61 * time) * cos(0.043 * time), pitch: 15 * degree * sin(0.83 * time + 1) - 0.1,
            roll: 6 * degree * sin(1.1 * time))
    }

    @Test func biasAndScaleAreLearntWithoutRest() {
        var imu = SyntheticIMU(motion: Self.looking)
        imu.bias = SIMD3(0.5, 0.5, 0.5) * degree
        imu.scale = 0.01
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(100, until: 120))
        let start = headingError(filter.bodyToWorld, imu.motion(120))
        for minute in 2..<30 {
            // 0.02°/s in 10 minutes.
            imu.bias += SIMD3(repeating: 0.002 * degree)
            imu.run(&filter, times: evenTimes(100, until: Double(minute + 1) * 60, from: Double(minute) * 60 + 0.01))
        }
        #expect(abs(filter.bias.value.z - imu.bias.z) < 0.05 * degree)
        // VQF's heading is hundreds of degrees off by now.
        #expect(abs(remainder(headingError(filter.bodyToWorld, imu.motion(1800)) - start, 360)) < 30)
        #expect(filter.headingDrift < 3)
    }

    @Test func whatIsKnownIsStatedAndComesTrue() {
        var imu = SyntheticIMU(motion: { _ in Quaternion(yaw: 0, pitch: 0.2, roll: -0.1) })
        imu.bias = SIMD3(0.4, -0.6, 0.5) * degree
        var filter = InertialFilter()
        let unknown = filter.bias.deviation
        imu.run(&filter, times: evenTimes(100, until: 20))
        #expect(filter.isAtRest)
        for axis in 0..<3 {
            let off = abs(filter.bias.value[axis] - imu.bias[axis])
            #expect(filter.bias.deviation[axis] < unknown[axis] / 5)
            #expect(off < 3 * filter.bias.deviation[axis] + 0.01 * degree)
        }
    }

    @Test func aRideIsNoticedAndTeachesNoWrongScale() {
        // A bus brakes, starts and turns: 1.5 m/s² for 3 s each way.
        var imu = SyntheticIMU(motion: Self.looking)
        var filter = InertialFilter()
        var (noticed, last) = (false, 0.0)
        for time in evenTimes(100, until: 120) {
            var sample = imu.sample(from: last, to: time)
            let phase = time.truncatingRemainder(dividingBy: 12)
            let push = phase < 3 ? 1.5 : phase >= 6 && phase < 9 ? -1.5 : 0
            sample.force += imu.motion(time).conjugate.rotate(SIMD3(push, 0, 0))
            filter.take(sample, at: time)
            last = time
            noticed = noticed || filter.isRiding
        }
        #expect(noticed)
        for (row, axis) in zip(filter.scaleError, 0...) { #expect(abs(row[axis]) < 0.015) }
        var still = InertialFilter()
        imu.run(&still, times: evenTimes(100, until: 60))
        #expect(!still.isRiding)
    }
}
