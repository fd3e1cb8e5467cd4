import AudioIO
import Desk
import Foundation
import HeadTracking
import OSC
import Racks
import Signal
import Stages
import Synchronization
import Testing

@testable import Control
@testable import Session

/// How far a session has come, as all doors tell it.
@Suite(.timeLimit(.minutes(10))) struct SessionPhaseTests {
    /// Questions that need a stage.
    private static let questions: [SessionCommand] = [
        .picture, .loudness(reset: false), .plugin(.list), .plugin(.known), .plugin(.about("amp")),
        .record(.marker(name: nil)),
        .recentre(.yaw), .history(.undo), .start(frame: nil),
    ]

    /// It was refused, which scripts took for a session that does not answer.
    @Test func `Status is answered before there is a stage, with what is being prepared and since when`() async throws {
        let desk = SessionDesk()
        let server = try ControlServer(at: ControlAddress(port: 0), desk: desk)
        func ask() async throws -> PhaseStatus {
            let text = try await ControlClient.request(.status, at: server.address, timeout: .seconds(300))
            return try JSONDecoder().decode(PhaseStatus.self, from: Data(text.utf8))
        }
        let early = try await ask()
        #expect(early.phase == .starting && early.preparing == nil && early.preparingFor == nil)
        #expect(early.control?.received == 1 && early.control?.refused == 0)
        desk.phase.take(.preparing("preparing the room 'hall'"))
        desk.phase.take(.note("something else"))
        let later = try await ask()
        #expect(later.preparing == "preparing the room 'hall'" && (later.preparingFor ?? -1) >= 0)
        #expect(later.words == "starting: preparing the room 'hall'")
        desk.phase.take(.ready)
        #expect(try await ask().preparing == nil)
        await server.stop()
    }

    @Test func `The phase is told at every door, and nothing else is done there`() async throws {
        let desk = SessionDesk()
        desk.phase.take(.preparing("preparing the room 'hall'"))
        let doors = try await EveryDoor(desk)
        for name in EveryDoor.names {
            let status = try await doors.ask(name, "status")
            #expect(status.contains("\"phase\":\"starting\"") && status.contains("room 'hall'"), "\(name): \(status)")
            for question in ["loudness", "plugin", "picture", "record/marker", "plugin/known"] {
                let answer = try await doors.ask(name, question)
                #expect(answer.contains("the session is starting (preparing the room 'hall')"), "\(name): \(answer)")
            }
        }
        await doors.close()
    }

    @Test(arguments: questions) func `All else is refused before there is a stage, with the phase`(
        _ command: SessionCommand
    ) async {
        let queue = CommandQueue()
        queue.phase.take(.preparing("reading the HRTF set"))
        guard case .refused(let reason) = await queue.perform(command) else {
            Issue.record("\(command) was not refused")
            return
        }
        #expect(
            reason == "the session is starting (reading the HRTF set); ask again when its status says 'running'")
    }

    @Test(arguments: questions) func `A session that is over says so, and its status is the phase`(
        _ command: SessionCommand
    ) async {
        let queue = CommandQueue()
        queue.phase.take(.preparing("reading the HRTF set"))
        queue.close()
        guard case .refused(SessionReply.ending) = await queue.perform(command),
            case .phase(let status) = await queue.perform(.status)
        else {
            Issue.record("\(command)")
            return
        }
        #expect(status == PhaseStatus(.ending))
    }

    /// What a session tells of its preparation while it is made stands at its desk.
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

    @Test func `A client that watches is told the phase before there is a pose`() async throws {
        let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk())
        let surface = try Surface()
        let watch = OSCMessage("/proscenium/watch", [.float(50)])
        surface.send(watch, to: server.address.port)
        var state: OSCMessage?
        for _ in 0..<100 where state == nil {
            let message = try await surface.receive(from: server.address.port, orSayAgain: watch)
            #expect(message.address != "/proscenium/pose")
            if message.address == "/proscenium/state" { state = message }
        }
        #expect(state?.text?.contains("\"phase\":\"starting\"") == true)
        await server.stop()
    }
}
