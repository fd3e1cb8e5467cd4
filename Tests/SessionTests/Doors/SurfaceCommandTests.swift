import Desk
import Stages
import Synchronization
import Testing

@testable import Session

/// Commands to a control surface, through a session's doors.
struct SurfaceCommandTests {
    @Test func itGoesToWhoeverSitsThere() async throws {
        let rig = try await LiveRig()
        #expect(await rig.refusal(of: .surface(.learn("level")))?.contains("--surface") == true)
        let asked = Mutex<[SessionCommand.Surface]>([])
        let seat = rig.live.environment.desk.surface
        seat.take { command in
            asked.withLock { $0.append(command) }
            return command == .cancel ? "no address waits" : nil
        } learning: {
            if case .learn(let address)? = asked.withLock({ $0.last }) { address } else { nil }
        }
        await rig.done(.surface(.learn("loudspeaker/FL/mute")))
        #expect(rig.state["surface/learning"] == .word("loudspeaker/FL/mute"))
        #expect(await rig.refusal(of: .surface(.cancel)) == "no address waits")
        #expect(asked.withLock { $0 } == [.learn("loudspeaker/FL/mute"), .cancel])
        #expect(rig.state["surface/learning"] == nil && !StateAddress("surface/learning").isKept)
        seat.leave()
        #expect(await rig.refusal(of: .surface(.cancel)) != nil)
        try await rig.live.end()
    }

    @Test func aSessionMeasuresNoPerson() async throws {
        let rig = try await LiveRig()
        #expect(await rig.refusal(of: .measurement(.begin))?.contains("measure me --panel") == true)
        try await rig.live.end()
    }
}
