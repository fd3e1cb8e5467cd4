import AudioIO
import AudioInMemory
import Desk
import Stages
import Synchronization
import Testing
import Waiting

@testable import Session

/// The phases of a session.
@Suite(.timeLimit(.minutes(10))) struct SessionPhaseTests {
    /// Progress reported during a session's preparation is at its desk.
    @Test func `A session goes from starting to running, recovering and ending`() async throws {
        let seen = Mutex<[String]>([])
        let (server, clock, desk) = (MemoryServer(), ManualClock(), SessionDesk())
        let environment = SessionEnvironment(
            server: server, clock: clock, fields: LiveRig.environment(server, clock, LiveRig.Said()).fields, desk: desk
        ) { remark in
            guard case .preparing = remark else { return }
            seen.withLock { $0.append(desk.phase.status(in: .starting).words) }
        }
        let live = try await LiveSession(LiveSettings(stage: StageSettings(layout: "stereo")), in: environment)
        #expect(seen.withLock { $0 } == ["starting: a sphere's responses", "starting: preparing the stage"])
        live.sit(at: desk)
        func phase() async -> SessionPhase? {
            switch await desk.commands.perform(.status) {
            case .status(let status): status.phase
            case .phase(let phase): phase.phase
            default: nil
            }
        }
        #expect(await phase() == .running)
        server.shutDown()
        #expect(await eventually { await phase() == .recovering })
        guard case .refused(let reason) = await desk.commands.perform(.loudness(reset: false)) else {
            Issue.record("meters of a stage that is gone")
            return
        }
        #expect(reason.hasPrefix("the session is recovering"))
        await live.quit()
        #expect(await phase() == .ending)
        try await live.end()
    }
}
