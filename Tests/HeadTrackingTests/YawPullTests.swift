import Glibc
import Testing

@testable import HeadTracking

/// What looks to the front teach of the yaw's drift, fifty samples a second.
@Suite struct YawPullTests {
    /// The drift that is learnt in half a minute, °/s, both biases known to 0.1°/s.
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

    /// Its ends alone, at ±3°, where a head that sways is slow, would teach by how many of either happened to be seen.
    @Test func swayTeachesLittle() {
        for phase in 0..<8 {
            let drift = learnt { 3 * sin(2 * .pi * (0.35 * $0 + Double(phase) / 8)) }
            #expect(abs(drift) < 0.015)
        }
    }

    @Test func aFastTurnThroughTheFrontTeachesNothing() {
        // From side to side at 60°/s and never slower, but beyond 15° where nothing is learnt.
        let drift = learnt { 40 * asin(sin(2 * .pi * 0.375 * $0)) / (.pi / 2) }
        #expect(drift == 0)
    }

    @Test func aRideThatKeepsTheYawLeavesTheDriftAlone() {
        #expect(learnt(isHeld: true) { _ in 3 } == 0)
        #expect(abs(learnt { _ in 3 }) > 0.01)
    }
}
