import Desk
import Foundation
import OSC
import Testing

@testable import Control

/// A control surface with a UDP socket of its own.
final class Surface: Sendable {
    private let socket: Int32

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    func send(_ message: OSCMessage, to port: Int) {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(port).bigEndian
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        let bytes = OSCPacket.message(message).encoded()
        withUnsafePointer(to: place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Returns the next message. Without one, sends `request` again: long computations on the machine delay the
    /// answers, and a watch ends after 30 s. Waits on a thread that no task needs.
    func receive(from port: Int, orSayAgain request: OSCMessage) async throws -> OSCMessage {
        for _ in 0..<60 {
            let datagram = await withCheckedContinuation { waiting in
                DispatchQueue.global().async { [socket] in
                    var bytes = [UInt8](repeating: 0, count: 1 << 16)
                    let count = recv(socket, &bytes, bytes.count, 0)
                    waiting.resume(returning: Array(bytes.prefix(max(0, count))))
                }
            }
            if !datagram.isEmpty { return try #require(try OSCPacket(decoding: datagram).messages.first) }
            send(request, to: port)
        }
        throw Silence()
    }

    private struct Silence: Error {}
}

@Suite struct WatchTests {
    @Test func whoWatchesIsSentPoseAndStateUnasked() async throws {
        let (server, _, address) = try serve { _ in .status(SessionStatus(turnedTo: 30)) }
        let port = address.port
        let surface = try Surface()
        let watch = OSCMessage("/proscenium/watch", [.float(50)])
        surface.send(watch, to: port)
        var heard: [String] = []
        while heard.filter({ $0 == "/proscenium/pose" }).count < 3 {
            let message = try await surface.receive(from: port, orSayAgain: watch)
            heard.append(message.address)
            if message.address == "/proscenium/pose" { #expect(message.numbers == [30, 0, 0]) }
            if message.address == "/proscenium/state" {
                guard case .string(let json) = message.arguments.first else { throw Surprise() }
                #expect(try JSONDecoder().decode(SessionStatus.self, from: Data(json.utf8)).yaw == 30)
            }
        }
        #expect(heard.contains("/proscenium/reply") && heard.contains("/proscenium/state"))
        let enough = OSCMessage("/proscenium/watch", [.float(0)])
        surface.send(enough, to: port)
        // Messages under way may still arrive; then the reply does, and no pose after that round.
        while try await surface.receive(from: port, orSayAgain: enough).address != "/proscenium/reply" {}
        await server.stop()
    }

    /// The last event may be the reason for the session's end. In an earlier version it was lost when the port closed.
    @Test func whatHappensLastIsToldBeforeThePortIsClosed() async throws {
        let desk = SessionDesk()
        desk.commands.serve { _ in .refused("busy") }
        // The watch must outlast any delay of the machine up to the events.
        let server = try ControlServer(at: ControlAddress(port: 0), desk: desk, watchesLast: .seconds(3600))
        let (address, events) = (server.address, desk.events)
        let surface = try Surface()
        let watch = OSCMessage("/proscenium/watch", [.float(0.05)])
        surface.send(watch, to: address.port)
        #expect(try await surface.receive(from: address.port, orSayAgain: watch).address == "/proscenium/reply")
        // Few enough for a socket to hold, and enough that a close could cut them off.
        for number in 1...100 { events.tell(.routeLost(["port \(number)"])) }
        await server.stop()
        var last = ""
        while last != "{\"ports\":[\"port 100\"]}" {
            let message = try await surface.receive(from: address.port, orSayAgain: watch)
            if case .string(let text) = message.arguments.last { last = text }
        }
    }

    @Test func whatIsNoRateIsRefused() async throws {
        let (server, _, address) = try serve { _ in .done }
        let port = address.port
        let surface = try Surface()
        let nonsense = OSCMessage("/proscenium/watch", [.string("often")])
        surface.send(nonsense, to: port)
        let answer = try await surface.receive(from: port, orSayAgain: nonsense)
        #expect(answer.address == "/proscenium/refused")
        await server.stop()
    }

    private struct Surprise: Error {}
}

extension SessionStatus {
    /// Creates the status of a session at rest whose head is turned by `yaw`.
    fileprivate init(turnedTo yaw: Double) {
        self.init()
        (client, mode, self.yaw) = ("test", "relative", yaw)
    }
}
