import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

@Suite struct InertialFilterTests {
    @Test(arguments: [(0, 0), (30, -20), (-75, 60), (80, 170), (0, 180), (-90, 0)])
    func theFirstSampleSaysWhereUpIs(_ pitch: Int, _ roll: Int) {
        let truth = Quaternion(yaw: 0, pitch: Double(pitch) * degree, roll: Double(roll) * degree)
        var filter = InertialFilter()
        filter.take(
            InertialSample(rate: .zero, force: truth.conjugate.rotate(SIMD3(0, 0, 9.81))), at: 5)
        #expect(inclinationError(filter.bodyToWorld, truth) < 1e-5)
        #expect(filter.time == 5)
    }

    @Test(arguments: [SIMD3<Double>(0, 0, 1), SIMD3(1, 0, 0), SIMD3(0.6, 0, 0.8), SIMD3(0.48, 0.6, 0.64)])
    func aTurnAboutAnyAxisIsFollowed(_ axis: SIMD3<Double>) {
        var imu = SyntheticIMU(motion: { Quaternion(rotationVector: axis * (90 * degree * $0)) })
        (imu.rateNoise, imu.forceNoise) = (0, 0)
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(200, until: 4))
        // Four seconds at 90°/s: once round.
        #expect(filter.bodyToWorld.angle(to: imu.motion(4)) < 0.02 * degree)
        let expected = imu.motion(4).conjugate.rotate(axis) * (90 * degree)
        let off = filter.rate - expected
        #expect((off * off).sum().squareRoot() < 0.02 * degree)
    }

    @Test func coningDoesNotDrift() {
        // The axis describes a 10° cone ten times a second, so that 100 Hz give ten samples per turn. The coning term
        // removes three quarters of the drift.
        let (cone, omega) = (10 * degree, 2 * Double.pi * 10)
        var imu = SyntheticIMU(motion: { time in
            Quaternion(rotationVector: SIMD3(cos(omega * time), sin(omega * time), 0) * cone)
        })
        (imu.rateNoise, imu.forceNoise) = (0, 0)
        var options = InertialOptions()
        options.learnsScale = false
        var plain = Quaternion.identity
        var filter = InertialFilter(
            options: options, prior: GyroscopeBias(value: .zero, deviation: SIMD3(repeating: 1e-6)))
        var first: Quaternion?
        var last = 0.0
        for time in evenTimes(100, until: 20) {
            let sample = imu.sample(from: last, to: time)
            filter.take(sample, at: time)
            plain = plain * Quaternion(rotationVector: sample.rate * (time - last))
            last = time
            if first == nil { first = filter.bodyToWorld }
        }
        let drift = abs(headingError(filter.bodyToWorld * first!.conjugate, imu.motion(20) * imu.motion(0).conjugate))
        #expect(drift < 5)
        let uncorrected = abs(headingError(plain, imu.motion(20) * imu.motion(0).conjugate))
        #expect(uncorrected > 3 * drift, "the test would not notice a missing term: \(uncorrected)° and \(drift)°")
    }

    /// A head that looks about, never still.
    private static func looking(_ time: Double) -> Quaternion {
        Quaternion(
            yaw: 60 * degree * sin(0.9 * time), pitch: 20 * degree * sin(1.7 * time + 1),
            roll: 10 * degree * sin(2.3 * time))
    }

    @Test(arguments: [50.0, 100, 285.7, 1000])
    func everyRateGivesTheSameAnswer(_ rate: Double) {
        var imu = SyntheticIMU(motion: Self.looking)
        imu.bias = SIMD3(0.4, -0.3, 0.2) * degree
        // The same noise density at every rate.
        imu.rateNoise = 0.12 * degree * (rate / 285.7).squareRoot()
        imu.forceNoise = 0.03 * (rate / 285.7).squareRoot()
        var filter = InertialFilter()
        var (worst, start) = (0.0, Quaternion.identity)
        imu.run(&filter, times: evenTimes(rate, until: 90)) { time, filter, truth in
            if time == 0 { start = filter.bodyToWorld }
            if time > 20 { worst = max(worst, inclinationError(filter.bodyToWorld, truth)) }
        }
        #expect(worst < 1, "inclination")
        let zero = headingError(start, imu.motion(0))
        // The bias about the vertical alone would cause 18°.
        #expect(abs(headingError(filter.bodyToWorld, imu.motion(90)) - zero) < 8, "heading")
        let off = (filter.bias.value - imu.bias) / degree
        #expect(abs(off.x) < 0.05 && abs(off.y) < 0.05, "bias across the vertical: \(off)")
    }

    @Test func jitterAndLossHardlyMatter() {
        func end(jitter: Double, loss: Double) -> (inclination: Double, heading: Double) {
            var imu = SyntheticIMU(motion: Self.looking)
            imu.bias = SIMD3(0.1, -0.1, 0.1) * degree
            var dice = SensorNoise(state: 9)
            let times = evenTimes(100, until: 60).filter { $0 == 0 || $0 == 60 || dice.unit() >= loss }
                .map { $0 == 0 ? 0 : $0 + (dice.unit() - 0.5) * jitter }
            var filter = InertialFilter()
            var worst = 0.0
            imu.run(&filter, times: times) { time, filter, truth in
                if time > 20 { worst = max(worst, inclinationError(filter.bodyToWorld, truth)) }
            }
            return (worst, headingError(filter.bodyToWorld, imu.motion(filter.time!)))
        }
        let even = end(jitter: 0, loss: 0)
        let uneven = end(jitter: 0.008, loss: 0.05)
        #expect(uneven.inclination < even.inclination + 0.5)
        #expect(abs(uneven.heading - even.heading) < 2)
    }

    @Test func aGapKeepsHeadingAndBiasAndMeasuresUpAnew() {
        var imu = SyntheticIMU(motion: { time in
            // The body rests for ten seconds, turns to 40° of yaw, and is laid on its side while no samples arrive.
            Quaternion(yaw: 40 * degree * min(1, max(0, (time - 10) / 4)), pitch: 0, roll: time > 30 ? 70 * degree : 0)
        })
        imu.bias = SIMD3(0.3, 0.2, -0.4) * degree
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(100, until: 25))
        let (bias, before) = (filter.bias, filter.bodyToWorld)
        let late = imu.sample(from: 39.99, to: 40)
        filter.take(late, at: 40)
        #expect(inclinationError(filter.bodyToWorld, imu.motion(40)) < 1)
        #expect(filter.bias.value == bias.value && !filter.isAtRest)
        #expect(filter.bias.deviation.x > bias.deviation.x)
        #expect(abs(headingError(before, imu.motion(25))) < 3)
        #expect(abs(headingError(filter.bodyToWorld, imu.motion(40)) - headingError(before, imu.motion(25))) < 1)
        imu.run(&filter, times: evenTimes(100, until: 60, from: 40.01))
        #expect(filter.isAtRest && inclinationError(filter.bodyToWorld, imu.motion(60)) < 0.3)
    }

    @Test func whatIsNotFiniteOrNotLaterIsPassedOver() {
        var imu = SyntheticIMU(motion: Self.looking)
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(100, until: 2))
        let before = filter.bodyToWorld
        let good = imu.sample(from: 1.99, to: 2)
        filter.take(good, at: 2)
        filter.take(good, at: 1)
        filter.take(good, at: .nan)
        filter.take(InertialSample(rate: SIMD3(.infinity, 0, 0), force: good.force), at: 2.01)
        filter.take(InertialSample(rate: good.rate, force: SIMD3(0, .nan, 0)), at: 2.01)
        #expect(filter.bodyToWorld == before && filter.time == 2)
    }

    @Test func nothingButZerosIsSurvived() {
        var filter = InertialFilter()
        for index in 0..<1000 {
            filter.take(InertialSample(rate: .zero, force: .zero), at: Double(index) / 100)
        }
        #expect(abs(filter.bodyToWorld.squaredNorm - 1) < 1e-9)
        filter.take(InertialSample(rate: SIMD3(repeating: 1e3), force: SIMD3(repeating: 1e4)), at: 10)
        #expect(abs(filter.bodyToWorld.squaredNorm - 1) < 1e-9)
    }

    @Test func theSameSamplesGiveTheSameBits() {
        func end() -> Quaternion {
            var imu = SyntheticIMU(motion: Self.looking)
            var filter = InertialFilter()
            imu.run(&filter, times: evenTimes(100, until: 10))
            return filter.bodyToWorld
        }
        #expect(end() == end())
    }

    @Test func withAMagnetometerXIsEast() {
        // 48 µT, dip 66°; the body looks 30° north of east, then turns by 100°.
        let field = SIMD3<Double>(0, 48 * cos(66 * degree), -48 * sin(66 * degree))
        var imu = SyntheticIMU(motion: {
            Quaternion(yaw: (30 + 100 * min(1, max(0, ($0 - 5) / 3))) * degree, pitch: 0, roll: 0)
        })
        imu.bias.z = 0.3 * degree
        var options = InertialOptions()
        options.usesField = true
        var filter = InertialFilter(options: options)
        for time in evenTimes(100, until: 120) {
            var sample = imu.sample(from: filter.time ?? time, to: time)
            sample.field = imu.motion(time).conjugate.rotate(field) + imu.dice.vector(0.3)
            filter.take(sample, at: time)
            if time > 1 { #expect(abs(headingError(filter.bodyToWorld, imu.motion(time))) < 3) }
        }
        #expect(abs(headingError(filter.bodyToWorld, imu.motion(120))) < 1)
    }
}
