import Geometry
import HeadTracking
import IMU
import SeededRandom
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct HeardForecastsTests {
    /// Audio is rendered every 64 frames and heard one lead later; poses are shown at any time. The pose shown at the
    /// moment the audio is heard equals the audio's pose.
    @Test(arguments: [0.005, 0.03, 0.12], [50.0, 100, 400]) func whatIsShownIsWhatIsHeard(lead: Double, rate: Double) {
        // Turns with sudden stops, a jump of the tracker's reference by 30°, and a silence of half a second.
        let head = HeadTurns(duration: 20, seed: 41)
        var random = SplitMix(state: 7)
        var tracker = HeadTracker()
        tracker.options.playbackLead = lead
        var shown = HeardForecasts()
        var mailbox = PoseForecast.still(.identity)
        var heard: [(time: Double, pose: Quaternion)] = []
        var (next, tick, index) = (0.004, 0.0, 0)
        var (last, worst, step, count): (Quaternion?, Double, Double, Int) = (nil, 0, 0, 0)
        func publish(_ now: Double) {
            mailbox = tracker.forecast(at: now)
            shown.publish(mailbox, at: now, lead: lead)
        }
        for slice in 0..<Int(20 * 750) {
            let now = Double(slice) / 750
            while next <= now {
                let time = next - 0.004
                if !(12...12.5).contains(time) {
                    let jump = Quaternion(yaw: time < 8 ? 0 : 30 * degree, pitch: 0, roll: 0)
                    let error = Quaternion(rotationVector: random.gaussians() * (0.05 * degree))
                    tracker.head(
                        OrientationSample(
                            time: time, bodyToWorld: Rotation(jump * head.pose(time) * error), arrival: next))
                    publish(next)
                }
                index += 1
                next = Double(index) / rate + 0.004
            }
            if now >= tick {
                publish(now)
                tick = now + 0.02
            }
            heard.append((now + lead, mailbox.headToStage(at: now + lead)))
            // The pose of the slice heard now, linear between two readings.
            guard now > 1, let after = heard.firstIndex(where: { $0.time >= now }), after > 0 else { continue }
            let (a, b) = (heard[after - 1], heard[after])
            let truth = a.pose.slerp(to: b.pose, (now - a.time) / (b.time - a.time))
            let pose = shown.headToStage(at: now)
            worst = max(worst, pose.angle(to: truth) / degree)
            if let last { step = max(step, pose.angle(to: last) / degree) }
            last = pose
            count += 1
        }
        print("shown against heard, lead \(lead) s, \(rate) Hz: \(rounded(worst))° at most, steps of \(rounded(step))°")
        #expect(count > 14000)
        #expect(worst <= 0.2)
        // Bound: the head at 500°/s, the easing of the jump at 500°/s, and the blending at 350°/s together.
        #expect(step <= 1350 / 750)
    }

    @Test func aJumpShowsNothingBeyondIt() {
        var tracker = HeadTracker()
        var shown = HeardForecasts()
        var most = 0.0
        for index in 0..<400 {
            let now = Double(index) / 100
            let yaw = index < 200 ? 0 : 30.0
            tracker.head(OrientationSample(time: now, bodyToWorld: Rotation(yaw: yaw * degree)))
            shown.publish(tracker.forecast(at: now), at: now, lead: tracker.options.playbackLead)
            for part in 0..<10 { most = max(most, shown.headToStage(at: now + 0.001 * Double(part)).yaw / degree) }
        }
        #expect(abs(most - 30) < 0.1)
    }

    @Test func nothingIsHeardBeforeALeadHasPassed() {
        var shown = HeardForecasts()
        #expect(shown.headToStage(at: 0) == .identity)
        shown.publish(.still(Rotation(yaw: 1)), at: 1, lead: 0.1)
        #expect(shown.headToStage(at: 1.05) == .identity)
        #expect(abs(shown.headToStage(at: 1.1).yaw - 1) < 1e-12)
        // A flood of forecasts keeps the needed ones. A shorter lead applies from the next slice on.
        for index in 0..<100_000 { shown.publish(.still(Rotation(yaw: 2)), at: 2 + 1e-5 * Double(index), lead: 0.1) }
        #expect(abs(shown.headToStage(at: 3).yaw - 2) < 1e-12)
        shown.publish(.still(Rotation(yaw: 0.5)), at: 3, lead: 0)
        #expect(abs(shown.headToStage(at: 3.001).yaw - 0.5) < 1e-12)
    }
}
