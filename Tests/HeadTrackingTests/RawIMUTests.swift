import Geometry
import HeadTracking
import IMU
import SeededRandom
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct RawIMUTests {
    static let imus: [(String, SimulatedIMU)] = [("BNO08x", .bno08x), ("MPU-6050", .mpu6050)]

    @Test(arguments: [0, 1], [1, 2, 3] as [UInt64]) func aStillHeadIsStill(which: Int, seed: UInt64) {
        let (name, imu) = Self.imus[which]
        var ride = Ride()
        let still = Quaternion(yaw: 0.2, pitch: 0.05, roll: 0.02)
        ride.add(isHead: true, imu, to: 60, seed: seed) { _ in still }
        ride.add(isHead: false, imu, to: 60, seed: seed + 9, phase: 0.003) { _ in Quaternion(yaw: 1, pitch: 0, roll: 0)
        }
        let heard = ride.run(to: 60).filter { $0.time > 5 }
        let spread = Spread(heard.map { $0.pose.yaw / degree })
        print("still head, raw \(name): azimuth in degrees, \(spread)")
        #expect(spread.rms <= 0.1)
    }

    /// A stop from 200°/s to rest at 2000°/s²; the heard pose is at most 20 ms ahead of the newest sample.
    @Test(arguments: [100.0, 200, 400]) func aStopIsHardlyOvershot(rate: Double) {
        func yaw(_ t: Double) -> Double {
            // 0.1 s of acceleration, 0.4 s at 200°/s, 0.1 s of deceleration.
            let u = t - 3
            if u < 0 { return 0 }
            if u < 0.1 { return 1000 * u * u }
            if u < 0.5 { return 10 + 200 * (u - 0.1) }
            let v = min(u - 0.5, 0.1)
            return 90 + 200 * v - 1000 * v * v
        }
        var worst = 0.0
        for phase in stride(from: 0.0, to: 1, by: 0.25) {
            var imu = SimulatedIMU.mpu6050
            imu.rate = rate
            var ride = Ride()
            ride.add(isHead: true, imu, to: 4.5, seed: 5, phase: phase / rate) {
                Quaternion(yaw: yaw($0) * degree, pitch: 0, roll: 0)
            }
            // Samples arrive after 2 ms, and are one period older when the next one arrives.
            ride.lead = 0.018 - 1 / rate
            let heard = ride.run(to: 4).filter { $0.time > 3.4 }
            worst = max(worst, heard.map { $0.pose.yaw / degree - 100 }.max() ?? 0)
        }
        print("stop from 200°/s at 2000°/s², at most 20 ms ahead, \(rate) Hz: overshoot \(rounded(worst))°")
        #expect(worst <= 1)
    }

    @Test func turningBothTogetherMovesAlmostNothing() {
        var ride = Ride()
        func bus(_ t: Double) -> Quaternion {
            Quaternion(
                yaw: (90 * turn(t, from: 12, over: 6) - 60 * turn(t, from: 25, over: 4)) * degree, pitch: 0, roll: 0)
        }
        ride.add(isHead: true, .mpu6050, to: 35, seed: 3, bodyToWorld: bus)
        ride.add(isHead: false, .mpu6050, to: 35, seed: 4, phase: 0.004, bodyToWorld: bus)
        let spread = Spread(ride.run(to: 35).filter { $0.time > 1 }.map { $0.pose.angle(to: .identity) / degree })
        print("raw IMUs turned together: the stage moves by \(spread)")
        #expect(spread.max <= 0.5)
    }

    /// Accelerometers measure turns and braking as a tilt. Both filters then have the same error, which cancels.
    @Test func aBusCostsNoMoreThanBeingParked() {
        func error(_ bus: VirtualBus?) -> Double {
            var tracker = HeadTracker()
            let motion = RestlessHead(duration: 180, rests: 31.7, seed: 5)
            var random = SplitMix(state: 6)
            var errors: [Double] = []
            for index in 0..<18000 {
                let time = Double(index) / 100
                let carried = { (t: Double) in Quaternion(yaw: bus?.heading(t) ?? 0, pitch: 0, roll: 0) }
                let push = carried(time).rotate(bus?.acceleration(time) ?? .zero)
                let imu = SimulatedIMU.mpu6050
                let onDevice = imu.sample(at: time, &random, acceleration: push) {
                    carried($0) * Quaternion(yaw: 0, pitch: 0.02, roll: -0.01)
                }
                let onHead = imu.sample(at: time, &random, acceleration: push) { carried($0) * motion.pose($0) }
                tracker.device(TrackerSample(time: time, .inertial(onDevice)))
                tracker.head(TrackerSample(time: time, .inertial(onHead)))
                guard index % 5 == 0, time > 10 else { continue }
                let truth = Quaternion(yaw: 0, pitch: 0.02, roll: -0.01).conjugate * motion.pose(time)
                errors.append(tracker.forecast(at: time).headToStage(at: time).angle(to: truth) / degree)
            }
            return Spread(errors).rms
        }
        let (parked, riding) = (error(nil), error(VirtualBus()))
        print("simulated bus: relative error parked \(rounded(parked))°, riding \(rounded(riding))°")
        #expect(riding <= parked + 0.3)
    }

    @Test func aHeadThatBeginsLateIsInFront() {
        // The headings have no common zero: the head's first direction is the front, wherever the device has turned.
        var ride = Ride()
        ride.add(isHead: false, .perfect, to: 12, seed: 1) {
            Quaternion(yaw: 2 * turn($0, from: 1, over: 3), pitch: 0, roll: 0)
        }
        ride.add(isHead: true, .perfect, from: 6, to: 12, seed: 2) {
            Quaternion(yaw: -1 + 0.5 * turn($0, from: 9, over: 1), pitch: 0.1, roll: 0)
        }
        let heard = ride.run(to: 12)
        let at = { (time: Double) in heard.first { $0.time >= time }?.pose ?? .identity }
        #expect(abs(at(8).yaw) < 1e-3)
        #expect(abs(at(8).pitch - 0.1) < 1e-3)
        #expect(abs(at(11).yaw - 0.5) < 0.01)
    }

    @Test func aRawHeadAgainstAFusedDeviceIsTracked() {
        var ride = Ride()
        func bus(_ t: Double) -> Quaternion { Quaternion(yaw: 1 + turn(t, from: 4, over: 3), pitch: 0, roll: 0) }
        ride.addOrientations(isHead: false, to: 12, seed: 1, bodyToWorld: bus)
        ride.add(isHead: true, .mpu6050, to: 12, seed: 2) {
            bus($0) * Quaternion(yaw: 0.4 * turn($0, from: 8, over: 1), pitch: 0, roll: 0)
        }
        let heard = ride.run(to: 12)
        let quiet = heard.filter { (2..<7.9).contains($0.time) }.map { abs($0.pose.yaw / degree) }.max() ?? 90
        #expect(quiet < 1)
        #expect(abs((heard.last?.pose.yaw ?? 0) - 0.4) < 0.02)
    }

    @Test func biasesAreLearntRememberedAndGivenOut() {
        var tracker = HeadTracker()
        var imu = SimulatedIMU.mpu6050
        imu.bias = { _ in SIMD3(0.2, -0.3, 0.4) }
        var random = SplitMix(state: 6)
        for index in 0..<1500 {
            let time = Double(index) / 100
            tracker.head(TrackerSample(time: time, .inertial(imu.sample(at: time, &random) { _ in .identity })))
        }
        let learnt = tracker.biases.head?.value ?? .zero
        let error = (learnt / degree - SIMD3(0.2, -0.3, 0.4))
        #expect((error * error).sum().squareRoot() < 0.05)
        #expect(tracker.biases.device == nil)
        let status = tracker.status(at: 15)
        #expect(status.headInertial?.isAtRest == true)
        #expect(status.deviceInertial == nil)
        #expect(status.yawDrift > 0 && status.yawDrift < 6)
        // With the stored bias the yaw is right from the first sample on.
        var second = HeadTracker()
        second.prime(head: GyroscopeBias(value: learnt, deviation: SIMD3(repeating: 0.02 * degree)))
        for index in 0..<100 {
            let time = Double(index) / 100
            second.head(TrackerSample(time: time, .inertial(imu.sample(at: time, &random) { _ in .identity })))
        }
        #expect(abs(second.forecast(at: 1).headToStage(at: 1).yaw / degree) < 0.1)
    }

    /// A raw IMU that takes the place of another one has its own stored bias, or none; the yaw is kept.
    @Test func anIMUInPlaceOfAnotherHasItsOwnBias() {
        var tracker = HeadTracker()
        var imu = SimulatedIMU.perfect
        var random = SplitMix(state: 7)
        for index in 0..<2000 {
            let time = Double(index) / 100
            tracker.head(TrackerSample(time: time, .inertial(imu.sample(at: time, &random) { _ in .identity })))
        }
        tracker.replace(head: GyroscopeBias(value: SIMD3(0, 0, degree), deviation: SIMD3(repeating: 0.02 * degree)))
        #expect(tracker.biases.head == nil)
        imu.bias = { _ in SIMD3(0, 0, 1) }
        var worst = 0.0
        for index in 2200..<3200 {
            let time = Double(index) / 100
            tracker.head(TrackerSample(time: time, .inertial(imu.sample(at: time, &random) { _ in .identity })))
            worst = max(worst, abs(tracker.forecast(at: time).headToStage(at: time).yaw / degree))
        }
        print("a raw IMU with a bias of 1°/s in place of another: yaw at most \(rounded(worst))°")
        #expect(worst < 1)
        tracker.replace(head: nil)
        #expect(tracker.biases.head == nil)
    }

    @Test func aFloodIsOnlyMoreOfTheSame() {
        var tracker = HeadTracker()
        var random = SplitMix(state: 8)
        // 100 000 samples per second, of both trackers, for two seconds.
        for index in 0..<200_000 {
            let time = Double(index) * 1e-5
            let q = Quaternion(yaw: 0.3, pitch: 0, roll: 0)
            let sample: TrackerMotion =
                index % 2 == 0
                ? .inertial(
                    InertialSample(rate: random.gaussians() * 0.01, force: q.conjugate.rotate(SIMD3(0, 0, 9.81))))
                : .orientation(Rotation(q))
            if index % 3 == 0 {
                tracker.device(TrackerSample(time: time, sample))
            } else {
                tracker.head(TrackerSample(time: time, sample))
            }
        }
        let pose = tracker.forecast(at: 2).headToStage(at: 2.03)
        #expect(pose.angle(to: .identity) / degree < 1)
    }
}
