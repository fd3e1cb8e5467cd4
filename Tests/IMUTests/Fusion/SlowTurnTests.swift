import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

/// Returns the orientation over time of a body at rest on a vehicle, which turns about the vertical in phases, degrees
/// per second.
private func vehicle(_ phases: [(seconds: Double, rate: Double)]) -> (Double) -> Quaternion {
    let fastened = Quaternion(yaw: 0, pitch: 8 * degree, roll: -5 * degree)
    return { time in
        var (yaw, start) = (0.0, 0.0)
        for phase in phases {
            yaw += phase.rate * degree * min(max(0, time - start), phase.seconds)
            start += phase.seconds
        }
        return Quaternion(yaw: yaw, pitch: 0, roll: 0) * fastened
    }
}

@Suite struct SlowTurnTests {
    @Test(arguments: [0.5, 1.0, 1.5, 1.9, -0.5, -1.9], [100.0, 285.7])
    func aSlowTurnAfterRestIsNotTakenForBias(_ turn: Double, _ rate: Double) {
        var imu = SyntheticIMU(motion: vehicle([(30, 0), (40, turn), (40, 0)]))
        imu.bias = SIMD3(0.3, -0.2, 0.4) * degree
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(rate, until: 30))
        let before = headingError(filter.bodyToWorld, imu.motion(30))
        imu.run(&filter, times: evenTimes(rate, until: 70, from: 30 + 1 / rate))
        #expect(abs(headingError(filter.bodyToWorld, imu.motion(70)) - before) < 2)
        imu.run(&filter, times: evenTimes(rate, until: 110, from: 70 + 1 / rate))
        #expect(abs(headingError(filter.bodyToWorld, imu.motion(110)) - before) < 2)
    }

    @Test(arguments: [1.0, 1.9]) func aTurnTakenForBiasIsGivenUpWhenItEnds(_ turn: Double) {
        // The bias is not known before, so the turn cannot be distinguished from bias. The error must not grow after
        // the turn.
        var imu = SyntheticIMU(motion: vehicle([(40, turn), (60, 0)]))
        imu.bias.z = 0.2 * degree
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(100, until: 40))
        let atEnd = headingError(filter.bodyToWorld, imu.motion(40))
        imu.run(&filter, times: evenTimes(100, until: 100, from: 40.01))
        #expect(abs(filter.bias.value.z - imu.bias.z) < 0.1 * degree)
        let later = headingError(filter.bodyToWorld, imu.motion(100))
        #expect(abs(remainder(later - atEnd, 360)) < 40 * turn)
    }

    @Test(arguments: [0.3, -1.0, 3.0]) func aWrongMemoryIsGivenUpAtTheFirstRest(_ error: Double) {
        var imu = SyntheticIMU(motion: vehicle([(60, 0)]))
        imu.bias = SIMD3(0.1, 0.1, 0.2) * degree
        let wrong = GyroscopeBias(
            value: imu.bias + SIMD3(0, 0, error * degree), deviation: SIMD3(repeating: 0.01 * degree))
        var filter = InertialFilter(prior: wrong)
        imu.run(&filter, times: evenTimes(100, until: 30))
        #expect(abs(filter.bias.value.z - imu.bias.z) < 0.1 * degree, "\(filter.bias.value / degree)")
    }

    @Test(arguments: [2.5, -6.0]) func aCheapGyroscopesLargeBiasIsLearntInSeconds(_ bias: Double) {
        var imu = SyntheticIMU(motion: vehicle([(60, 0)]))
        imu.bias = SIMD3(1.5, -1, bias) * degree
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(100, until: 25))
        let off = (filter.bias.value - imu.bias) / degree
        #expect((off * off).sum().squareRoot() < 0.1, "\(off)")
        #expect(filter.isAtRest)
    }

    @Test func aBiasThatJumpedIsLearntAfterTwoMinutesOfRest() {
        var imu = SyntheticIMU(motion: vehicle([(300, 0)]))
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(100, until: 60))
        imu.bias.z = 1 * degree
        imu.run(&filter, times: evenTimes(100, until: 170, from: 60.01))
        #expect(abs(filter.bias.value.z) < 0.1 * degree, "too soon")
        imu.run(&filter, times: evenTimes(100, until: 200, from: 170.01))
        #expect(abs(filter.bias.value.z - imu.bias.z) < 0.1 * degree, "never")
    }

    @Test(arguments: [0.5, 1.9, 15.0], [0.0, 30.0])
    func twoOnOneVehicleAgreeThroughATurn(_ turn: Double, _ rest: Double) {
        let motion = vehicle([(rest, 0), (40, turn), (40, 0)])
        let mounting = Quaternion(yaw: 0.5, pitch: -0.2, roll: 0.3)
        var head = SyntheticIMU(motion: motion)
        var device = SyntheticIMU(motion: { motion($0) * mounting }, dice: SensorNoise(state: 2))
        head.bias = SIMD3(0.3, -0.2, 0.4) * degree
        device.bias = SIMD3(-0.3, 0.1, -0.4) * degree
        var (a, b) = (InertialFilter(), InertialFilter())
        var first: Double?
        for time in evenTimes(100, until: rest + 80) {
            let (x, y) = (head.sample(from: a.time ?? time, to: time), device.sample(from: b.time ?? time, to: time))
            let shared = (a.verticalRate, b.verticalRate)
            a.take(x, at: time, commonVerticalRate: shared.1)
            b.take(y, at: time, commonVerticalRate: shared.0)
            let relative =
                headingError(a.bodyToWorld, head.motion(time)) - headingError(b.bodyToWorld, device.motion(time))
            if first == nil, time >= 5 { first = relative }
            if time > 5 { #expect(abs(remainder(relative - first!, 360)) < 4) }
        }
    }
}
