import Testing

@testable import AudioIO

@Suite struct JACKActivationTests {
    /// Runs an activation whose time passes only by resting. Returns the result and the counts of tries and undos.
    private func attempt(
        refusing refusals: Int, goneAfter last: Int = .max
    ) -> (isActive: Bool, tries: Int, undone: Int, seconds: Double) {
        var (time, tries, undone) = (0.0, 0, 0)
        let isActive = JACKActivation.attempt(
            now: { time }, rest: { time += $0 }, isGone: { tries >= last },
            activate: {
                tries += 1
                return tries > refusals
            },
            undo: { undone += 1 })
        return (isActive, tries, undone, time)
    }

    @Test func aRefusalIsTriedAgainForSomeSeconds() {
        let granted = attempt(refusing: 3)
        #expect(granted.isActive && granted.tries == 4 && granted.undone == 3 && granted.seconds < 1)
        let refused = attempt(refusing: .max)
        #expect(!refused.isActive && refused.tries == refused.undone && refused.tries > 5)
        #expect(refused.seconds > 4 && refused.seconds < JACKActivation.patience)
    }

    @Test func aServerThatIsGoneIsNotWaitedFor() {
        let gone = attempt(refusing: .max, goneAfter: 1)
        #expect(!gone.isActive && gone.tries == 1 && gone.seconds == 0)
    }
}
