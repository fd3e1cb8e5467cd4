import Desk
import Stages
import Testing

@testable import Control
@testable import Session

/// Answers of a session to `state`.
@Suite(.timeLimit(.minutes(10))) struct StateAnswerTests {
    /// Returns the values of an answer.
    private static func answer(_ rig: LiveRig) async -> SessionValues {
        let reply = await rig.live.perform(.state)
        guard case .state(let values) = reply else {
            Issue.record("state is answered with \(reply)")
            return [:]
        }
        return values
    }

    /// Returns the values of the first message of a subscription.
    private static func first(_ rig: LiveRig) -> SessionValues {
        let news = Subscription([.state], at: rig.live.environment.desk) {}.take()
        return news.state?.values.compactMapValues { $0 } ?? [:]
    }

    @Test func `State is answered with every value with which a subscription begins`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        await rig.done(try .set("monitor-level", "-3"))
        await rig.done(try .set("dim", "on"))
        let values = await Self.answer(rig)
        #expect(values == Self.first(rig))
        #expect(values["monitor-level"] == .number(-3) && values["dim"] == .word("on"))
        #expect(values["input/main/level"] == .number(0) && values["loudspeaker/LFE/mute"] == .word("off"))
        // The status has the level with the dim.
        #expect(await rig.live.status().monitor.level == -23)
        try await rig.live.end()
    }

    @Test func `State does not tell the heard scene during a blind comparison`() async throws {
        let rig = try await LiveRig()
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "5.1"))
        await rig.done(try .set("abx", "ab"))
        let shown = await Self.answer(rig)
        #expect(shown["abx"] == .word("ab"))
        for sound in ["a", "b", "x"] {
            await rig.done(try .set("abx-listen", sound))
            let values = await Self.answer(rig)
            #expect(values == Self.first(rig) && values["abx-listen"] == .word(sound))
            let told = values.filter { LiveSession.tellsTheScene($0.key) }
            #expect(told == shown.filter { LiveSession.tellsTheScene($0.key) })
        }
        try await rig.live.end()
    }
}
