import Geometry
import HeadTracking
import IMU
import SeededRandom
import Testing

/// A reference around a tracker, so that an expectation may call mutating methods.
private final class Rig {
    var tracker: HeadTracker
    init(_ options: HeadTrackerOptions = HeadTrackerOptions()) { tracker = HeadTracker(options: options) }

    /// Feeds still samples of the given yaws in degrees at 100 Hz from `start` for `duration`, the head's after the
    /// device's.
    func feed(
        from start: Double, for duration: Double, head: Double? = nil, device: Double? = nil, pitch: Double = 0
    ) {
        for index in 0..<Int((duration * 100).rounded()) {
            let time = start + Double(index) / 100
            if let device { self.device(Rotation(yaw: device * degree), at: time) }
            if let head { self.head(Rotation(yaw: head * degree, pitch: pitch * degree), at: time) }
        }
    }

    func head(_ rotation: Rotation<Body, World>, at time: Double, rate: SIMD3<Double>? = nil) {
        tracker.head(OrientationSample(time: time, bodyToWorld: rotation, rate: rate))
    }

    func device(_ rotation: Rotation<Body, World>, at time: Double) {
        tracker.device(OrientationSample(time: time, bodyToWorld: rotation))
    }

    func forecast(at now: Double) -> PoseForecast { tracker.forecast(at: now) }
    func recentre(_ kind: HeadTracker.Recentring = .yaw, at now: Double) -> Bool { tracker.recentre(kind, at: now) }
    func status(at now: Double) -> HeadTrackerStatus { tracker.status(at: now) }

    /// Returns the pose heard one lead after `now`.
    func heard(_ now: Double) -> Quaternion { tracker.forecast(at: now).headToStage(at: now + 0.03) }
    /// Returns the yaw of that pose in degrees.
    func yaw(_ now: Double) -> Double { heard(now).yaw / degree }
}

@Suite struct HeadTrackerTests {
    @Test func beforeAnyHeadTheStageIsInFront() {
        let tracker = Rig()
        #expect(tracker.forecast(at: 5).headToStage(at: 5) == .identity)
        #expect(tracker.status(at: 5).mode == .waiting)
        #expect(!tracker.recentre(at: 5))
    }

    @Test func aHeadAloneIsTakenAsItIs() {
        let tracker = Rig()
        tracker.feed(from: 0, for: 1, head: 30, pitch: -10)
        let pose = tracker.forecast(at: 1).headToStage(at: 1.03)
        #expect(abs(pose.yaw / degree - 30) < 1e-3)
        #expect(abs(pose.pitch / degree + 10) < 1e-3)
        #expect(tracker.status(at: 1).mode == .headOnly)
    }

    @Test func theDeviceIsTakenAway() {
        let tracker = Rig()
        tracker.feed(from: 0, for: 1, head: 130, device: 100)
        #expect(abs(tracker.yaw(1) - 30) < 1e-3)
        #expect(tracker.status(at: 1).mode == .relative)
    }

    @Test func oneMessageSentByHandIsUsedAndHeld() {
        let tracker = Rig()
        tracker.head(Rotation(yaw: 0.5), at: 1)
        #expect(tracker.forecast(at: 1.01).headToStage(at: 1.04) == .identity)
        for index in 0...40 { _ = tracker.forecast(at: 1.02 + 0.02 * Double(index)) }
        #expect(abs(tracker.yaw(1.9) - 0.5 / degree) < 1e-6)
        #expect(tracker.status(at: 2).mode == .held)
        // One message is not a stream that stopped: its pose is held without a limit.
        #expect(abs(tracker.yaw(100) - 0.5 / degree) < 1e-6)
    }

    @Test func messagesOneSecondApartAreUsedWithoutATimer() {
        let tracker = Rig()
        for second in 1...4 {
            tracker.head(Rotation(yaw: 0.1 * Double(second)), at: Double(second))
        }
        // The newest message counts from the next call that lets it settle. The correction by the one before is still
        // being eased in.
        #expect(tracker.yaw(4.04) > 0.2 / degree && tracker.yaw(4.04) < 0.3 / degree)
        _ = tracker.forecast(at: 4.16)
        #expect(abs(tracker.yaw(4.9) - 0.4 / degree) < 1e-6)
    }

    @Test func recentringMakesThisTheFrontAndKeepsTheHorizon() {
        let tracker = Rig()
        tracker.feed(from: 0, for: 1, head: 50, pitch: 20)
        #expect(tracker.recentre(at: 1))
        // The yaw has no step, moves in one direction, and arrives after 0.2 s.
        var last = 50.0 + 1e-3
        #expect(abs(tracker.yaw(1) - 50) < 1e-3)
        for index in 0...25 {
            let now = 1 + Double(index) / 100
            tracker.head(Rotation(yaw: 50 * degree, pitch: 20 * degree), at: now + 1e-6)
            let angle = tracker.yaw(now + 1e-6)
            #expect(angle <= last + 1e-9)
            last = angle
        }
        #expect(abs(last) < 1e-3)
        #expect(abs(tracker.forecast(at: 1.3).headToStage(at: 1.33).pitch / degree - 20) < 1e-3)
        #expect(abs(tracker.status(at: 1.3).centringYaw / degree + 50) < 1e-3)
    }

    @Test func recentringFullyAndBack() {
        let tracker = Rig()
        tracker.feed(from: 0, for: 1, head: 50, pitch: 20)
        #expect(tracker.recentre(.full, at: 1))
        tracker.feed(from: 1.001, for: 0.3, head: 50, pitch: 20)
        #expect(tracker.forecast(at: 1.3).headToStage(at: 1.33).angle(to: .identity) < 1e-5)
        #expect(tracker.recentre(.reset, at: 1.3))
        tracker.feed(from: 1.301, for: 0.3, head: 50, pitch: 20)
        #expect(abs(tracker.yaw(1.6) - 50) < 1e-3)
    }

    @Test func fullRecentringMakesUpForTrackersFastenedAtAnAngle() {
        let tracker = Rig()
        // Orientations of the trackers on the head and on the device.
        let onHead = Rotation<Body, Body>(yaw: 0, pitch: 0.6, roll: -0.3)
        let onDevice = Rotation<Body, Body>(yaw: 0, pitch: 0.2)
        func feed(from start: Double, for duration: Double, _ head: Rotation<Body, World>, _ device: Double) {
            for index in 0..<Int(duration * 100) {
                let time = start + Double(index) / 100
                tracker.device(Rotation(yaw: device) * onDevice, at: time)
                tracker.head(head * onHead, at: time)
            }
        }
        feed(from: 0, for: 1, Rotation(yaw: 1.5), 1)
        #expect(tracker.recentre(.full, at: 1))
        feed(from: 1, for: 0.5, Rotation(yaw: 1.5), 1)
        #expect(tracker.heard(1.5).angle(to: .identity) < 1e-3)
        // Every turn of the head now has the right axis, wherever the device turns.
        let turns = [SIMD3(0.5, 0.0, 0), SIMD3(0, 0.3, 0), SIMD3(0, 0, 0.2), SIMD3(0.4, 0.3, 0.2)]
        for (index, turn) in turns.enumerated() {
            let start = 2 + 2 * Double(index)
            let relative = Rotation<Body, Body>(yaw: turn.x, pitch: turn.y, roll: turn.z)
            feed(from: start, for: 1, Rotation(yaw: 0.5 + 2) * relative, 2)
            let pose = tracker.heard(start + 1)
            #expect(pose.angle(to: relative.quaternion) < 2e-3)
        }
    }

    @Test func aStatedLatencyDoesNotMakeAStreamStale() {
        let tracker = Rig()
        for index in 0..<100 {
            let arrival = Double(index) / 100
            tracker.tracker.head(
                OrientationSample(time: arrival - 0.3, bodyToWorld: Rotation(yaw: 0.5), arrival: arrival))
        }
        #expect(tracker.status(at: 1).mode == .headOnly)
        #expect(abs(tracker.heard(1).yaw - 0.5) < 1e-6)
    }

    @Test func aSilentHeadIsHeldThenGoesToTheFrontThenReturns() {
        let tracker = Rig()
        tracker.feed(from: 0, for: 1, head: 40)
        #expect(abs(tracker.yaw(1.5) - 40) < 0.01)
        #expect(tracker.status(at: 1.5).mode == .held)
        #expect(abs(tracker.yaw(5.9) - 40) < 0.01)
        #expect(abs(tracker.yaw(6.0) - 40) < 0.01)
        var last = 40.1
        for index in 0...110 {
            let angle = tracker.yaw(6.0 + Double(index) / 100)
            #expect(angle <= last)
            last = angle
        }
        #expect(abs(last) < 1e-6)
        #expect(tracker.status(at: 7.2).mode == .front)
        tracker.feed(from: 8, for: 0.5, head: 40)
        #expect(abs(tracker.yaw(8.5) - 40) < 0.01)
        #expect(tracker.status(at: 8.49).mode == .headOnly)
    }

    @Test func aSilentDeviceIsHeldAndReported() {
        let tracker = Rig()
        tracker.feed(from: 0, for: 1, head: 130, device: 100)
        tracker.feed(from: 1, for: 1, head: 130)
        #expect(abs(tracker.yaw(2) - 30) < 0.2)
        let status = tracker.status(at: 2)
        #expect(status.mode == .headOnly)
        #expect(status.deviceIsHeld)
        // The device returns turned by 90°: the change is eased, without a step.
        tracker.feed(from: 2, for: 0.06, head: 130, device: 190)
        #expect(abs(tracker.yaw(2.06) - 30) < 3)
        tracker.feed(from: 2.06, for: 0.3, head: 130, device: 190)
        #expect(abs(tracker.yaw(2.36) + 60) < 0.2)
    }

    @Test func yawIsPulledToTheFrontSlowlyAndOnlyNearIt() {
        let near = Rig()
        near.feed(from: 0, for: 61, head: 10, device: 0)
        #expect(abs(near.yaw(61) - 4) < 0.1)
        let far = Rig()
        far.feed(from: 0, for: 61, head: 40, device: 0)
        #expect(abs(far.yaw(61) - 40) < 1e-3)
        var options = HeadTrackerOptions()
        options.choices.yawPull = 0
        let off = Rig(options)
        off.feed(from: 0, for: 61, head: 10, device: 0)
        #expect(abs(off.yaw(61) - 10) < 1e-3)
        let alone = Rig()
        alone.feed(from: 0, for: 61, head: 10)
        #expect(abs(alone.yaw(61) - 10) < 1e-3)
        // A rate above the default pulls a tracker's own orientations too.
        options.choices.yawPull = Double(Float(0.1))
        let asInOSC = Rig(options)
        asInOSC.feed(from: 0, for: 41, head: 10)
        #expect(abs(asInOSC.yaw(41) - 10) < 1e-3)
        options.choices.yawPull = 0.2
        let drifting = Rig(options)
        drifting.feed(from: 0, for: 41, head: 10)
        #expect(abs(drifting.yaw(41) - 2) < 0.2)
    }

    @Test func theSignOfAQuaternionDoesNotMatter() {
        let (a, b) = (Rig(), Rig())
        for index in 0..<200 {
            let q = Quaternion(yaw: Double(index) * 0.05, pitch: 0.1, roll: 0)
            let other = index % 3 == 0 ? Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z) : q
            let time = Double(index) / 100
            a.head(Rotation(q), at: time)
            b.head(Rotation(other), at: time)
            #expect(a.heard(time).angle(to: b.heard(time)) < 1e-7)
        }
    }

    @Test func aGyroscopeIsTakenAtItsWord() {
        let tracker = Rig()
        for index in 0..<20 {
            let time = Double(index) / 100
            tracker.head(Rotation(yaw: 2 * time), at: time, rate: SIMD3(0, 0, 2))
        }
        #expect(abs(tracker.forecast(at: 0.19).rate.z - 2) < 1e-9)
    }

    @Test func nonsenseTimesDoNoHarm() {
        let tracker = Rig()
        var random = SplitMix(state: 3)
        for _ in 0..<5000 {
            let time = Double.random(in: 0...3, using: &random)
            let q = Quaternion(yaw: .random(in: -3...3, using: &random), pitch: 0, roll: 0)
            if Bool.random(using: &random) {
                tracker.head(Rotation(q), at: time)
            } else {
                tracker.device(Rotation(q), at: time)
            }
            let pose = tracker.forecast(at: time).headToStage(at: time + 0.03)
            #expect(abs(pose.squaredNorm - 1) < 1e-9)
        }
    }
}
