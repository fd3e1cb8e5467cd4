import Desk
import Foundation
import Loading
import Synchronization
import Testing

@testable import Control

/// The OSC door over UDP, and a client that sends requests there.
@Suite struct ControlServerTests {
    @Test func addressesAreReadAsWritten() {
        #expect(ControlAddress("9150") == ControlAddress("127.0.0.1:9150"))
        #expect(ControlAddress("0.0.0.0:80")?.host == "0.0.0.0")
        for text in ["", "0", "65536", "a:b", ":9150", "1:2:3"] { #expect(ControlAddress(text) == nil) }
    }

    @Test func aCommandReachesTheSessionAndItsAnswerComesBack() async throws {
        let asked = Mutex<[SessionCommand]>([])
        let (server, _, address) = try serve { command in
            asked.withLock { $0.append(command) }
            return command == .quit ? .refused("not today") : .started(frame: 7, heardAt: 1.5)
        }
        // On a machine that runs long computations the answer is late; the timeout allows for that.
        let answer = try await ControlClient.request(.start(frame: 7), at: address, timeout: .seconds(300))
        #expect(answer == "{\"frame\":7,\"heardAt\":1.5}")
        await #expect(throws: SessionError.self) {
            try await ControlClient.request(.quit, at: address, timeout: .seconds(300))
        }
        #expect(asked.withLock { $0 } == [.start(frame: 7), .quit])
        await server.stop()
    }

    @Test func aLongAnswerComesBackWhole() async throws {
        let long = String(repeating: "The stage is wide. ", count: 3000)
        let (server, _, address) = try serve { _ in .refused(long) }
        let error = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(error?.description.contains(long) == true)
        await server.stop()
    }

    @Test func aTakenPortIsSaidPlainly() async throws {
        let (first, _, address) = try serve { _ in .done }
        let error = #expect(throws: SessionError.self) {
            _ = try ControlServer(at: address, desk: SessionDesk())
        }
        #expect(error?.description.contains("in use") == true)
        await first.stop()
    }

    /// A caller that tries one port after another continues for a taken port, and for no other error.
    @Test func onlyATakenPortIsPassedOver() async throws {
        let (first, _, address) = try serve { _ in .done }
        #expect(try ControlServer(ifFree: address, desk: SessionDesk()) == nil)
        #expect(throws: SessionError.self) {
            // An address reserved for documentation, which no machine has.
            try ControlServer(ifFree: ControlAddress(host: "192.0.2.1", port: 0), desk: SessionDesk())
        }
        await first.stop()
        let second = try #require(try ControlServer(ifFree: ControlAddress(port: 0), desk: SessionDesk()))
        await second.stop()
    }

    /// A server without a descriptor to wake it would never end. The test runs in a process of its own, whose
    /// descriptors run out.
    @Test func aServerThatCannotBeWokenIsRefused() async {
        await #expect(processExitsWith: .success) {
            let next = open("/dev/null", O_RDONLY)
            close(next)
            var limit = rlimit(rlim_cur: rlim_t(next) + 1, rlim_max: rlim_t(next) + 1)
            setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            #expect(throws: ControlSocket.Refused.self) { try ControlSocket(at: ControlAddress(port: 0)) }
        }
    }

    @Test(.timeLimit(.minutes(10))) func nobodyThereIsSaidSoon() async throws {
        let (server, _, address) = try serve { _ in .done }
        await server.stop()
        let error = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(error?.description.contains("no session answers") == true)
    }
}
