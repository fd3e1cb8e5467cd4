import Glibc
import Testing

@testable import HeadTracking

/// Drift of the yaw as learnt from looks to the front, fifty samples a second.
@Suite struct YawPullTests {
    /// Returns the drift learnt in half a minute, °/s, with both biases known to 0.1°/s.
    private func learnt(isHeld: Bool = false, yaw: (Double) -> Double) -> Double {
        var pull = YawPull()
        for index in 0..<1500 {
            let time = Double(index) / 50
            if isHeld { pull.hold(to: degree * degree) }
            let speed = abs(yaw(time + 0.01) - yaw(time - 0.01)) / 0.02
            _ = pull.step(
                yaw: yaw(time) * degree, speed: speed * degree, variance: 2 * 0.01 * degree * degree, at: time,
                isDriftSeen: true, HeadTrackerOptions())
        }
        return pull.drift / degree
    }

    @Test func aYawThatRunsAwayIsDrift() {
        let drift = learnt { 0.1 * $0 }
        #expect(drift > 0.03)
    }

    /// The sway is slow at its ends, ±3°. Learning from these alone would depend on how many of each end were sampled.
    @Test func swayTeachesLittle() {
        for phase in 0..<8 {
            let drift = learnt { 3 * sin(2 * .pi * (0.35 * $0 + Double(phase) / 8)) }
            #expect(abs(drift) < 0.015)
        }
    }

    @Test func aFastTurnThroughTheFrontTeachesNothing() {
        // The speed is 60°/s everywhere within 15°; it is lower only at the ends of the turn, where the pull does not
        // learn.
        let drift = learnt { 40 * asin(sin(2 * .pi * 0.375 * $0)) / (.pi / 2) }
        #expect(drift == 0)
    }

    /// A drift of 0.5°/s has turned the stage by 15° in 30 s. A recentring puts the front right; a rest then shows the
    /// bias, from which the angle of the drift so far follows.
    @Test(arguments: [false, true]) func whatARecentringCorrectedIsNotCorrectedAgain(recentres: Bool) {
        var (pull, options) = (YawPull(), HeadTrackerOptions())
        options.choices.yawPull = 0
        let unknown = 0.5 * 0.5 * degree * degree
        var turned = 0.0
        for index in 0..<1500 {
            turned += pull.step(
                yaw: 0, speed: 1, variance: unknown, at: Double(index) / 50, isDriftSeen: true, options)
        }
        if recentres { pull.recentred() }
        pull.revise(change: 0.5 * degree, before: unknown, after: unknown / 1000)
        for index in 1500..<2500 {
            turned += pull.step(
                yaw: 0, speed: 0, variance: unknown / 1000, at: Double(index) / 50, isDriftSeen: true, options)
        }
        let wanted = recentres ? 0 : 15.0
        #expect(abs(abs(turned / degree) - wanted) < 1, "\(turned / degree)°")
    }

    @Test func aRideThatKeepsTheYawLeavesTheDriftAlone() {
        #expect(learnt(isHeld: true) { _ in 3 } == 0)
        #expect(abs(learnt { _ in 3 }) > 0.01)
    }
}
