import Desk
import DoorFixtures
import Foundation
import OSC
import Testing

@testable import Control

/// The phase of a session as each door reports it.
@Suite(.timeLimit(.minutes(10))) struct DoorPhaseTests {
    /// In an earlier version the status was refused. Scripts took this for a session that does not answer.
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
            for question in ["loudness", "plugin", "picture", "state", "record/marker", "plugin/known"] {
                let answer = try await doors.ask(name, question)
                #expect(answer.contains("the session is starting (preparing the room 'hall')"), "\(name): \(answer)")
            }
        }
        await doors.close()
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
