import CDevices
import Foundation
import OSC
import Testing

@testable import Control

/// A session manager: one UDP socket on the loopback, and the messages received there.
final class FakeManager: @unchecked Sendable {
    // @unchecked is safe: only one test uses the object, one call after the other.
    let socket: ControlSocket
    private(set) var client: ControlSender?
    private var waiting: [(OSCMessage, ControlSender)] = []

    init(at host: String = "127.0.0.1") throws {
        socket = try ControlSocket(at: ControlAddress(host: host, port: 0))
    }

    deinit { socket.close() }

    /// The manager's address as an environment variable.
    var environment: [String: String] { ["NSM_URL": "osc.udp://localhost:\(socket.address.port)/"] }

    /// Returns the next message and its source port. Waits three minutes at most, on a thread that no task needs.
    func next() async throws -> (message: OSCMessage, port: UInt16) {
        if waiting.isEmpty {
            waiting = await withCheckedContinuation { done in
                DispatchQueue.global().async { [socket] in done.resume(returning: Self.read(socket)) }
            }
        }
        let (message, sender) = try #require(waiting.first)
        waiting.removeFirst()
        client = sender
        return (message, sender.port)
    }

    /// Sends a message to the client whose message came last.
    func say(_ address: String, _ arguments: [OSCArgument] = []) throws {
        socket.send(OSCMessage(address, arguments).encoded(), to: try #require(client))
    }

    /// Receives the announcement and sends the welcome.
    func welcome() async throws -> OSCMessage {
        let announcement = try await next().message
        try say(
            "/reply",
            [.string("/nsm/server/announce"), .string("hello"), .string("Fake"), .string(":server-control:")])
        return announcement
    }

    private static func read(_ socket: ControlSocket) -> [(OSCMessage, ControlSender)] {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: ControlSocket.lot * ControlSocket.stride)
        defer { buffer.deallocate() }
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: ControlSocket.lot)
        var found: [(OSCMessage, ControlSender)] = []
        for _ in 0..<180 where found.isEmpty {
            socket.wait(milliseconds: 1000)
            _ = socket.receive(into: buffer, &datagrams) { bytes, sender in
                let packet = try? OSCPacket(decoding: Array(bytes))
                found += (packet?.messages ?? []).map { ($0, sender) }
            }
        }
        return found
    }
}

extension ControlSender {
    /// The port of the sender.
    var port: UInt16 {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        _ = withUnsafePointer(to: datagram) { pcd_udp_sender($0, &address, &port) }
        return port
    }
}
