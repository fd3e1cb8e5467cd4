import CDevices
import Foundation
import OSC
import Signal
import Synchronization

/// UDP socket of a session manager's client. It sends all messages from one port, by which managers identify clients. A
/// separate thread receives messages; sending never blocks.
///
/// Only datagrams from the manager's host are accepted: from its address, and for a manager on this machine's loopback
/// also from the address of this socket.
///
/// The reading thread closes the descriptor. Until then, sending uses it under the lock.
final class NSMSocket: Sendable {
    /// Event at the socket.
    enum Event: Sendable {
        /// The manager's host has sent a message.
        case message(OSCMessage)
        /// No program listens at the manager's address.
        case refused
    }

    /// Reason why the socket could not be opened.
    enum Refused: Error {
        /// The manager cannot be reached, or no descriptor is free. The value is the system's error number, `ENOENT`
        /// for an unknown host.
        case unreachable(errno: Int32)
        /// The system provides no thread for receiving.
        case noThread(WorkerError)
    }

    /// Events until `close`, in order. If 256 events are waiting when another one occurs, the oldest is lost.
    let events: AsyncStream<Event>
    /// Port from which messages are sent.
    let port: Int
    private let continuation: AsyncStream<Event>.Continuation
    private let descriptor: Int32
    private let wake: Int32
    private let manager: pcd_datagram
    private let isOpen = Mutex(true)
    private let isEnding = Atomic<Bool>(false)

    /// Greatest number of datagrams per read, and greatest length of each, bytes.
    private static let lot = 8
    private static let stride = 65_536

    /// Opens a socket to a manager. Looking up the host's name may take seconds.
    init(facing address: NSMAddress) throws(Refused) {
        var there = pcd_datagram()
        let opened = pcd_udp_toward(address.host, UInt16(address.port), &there)
        guard opened >= 0 else { throw .unreachable(errno: -opened) }
        let signal = pcd_signal_open()
        guard signal >= 0 else {
            pcd_close(opened)
            throw .unreachable(errno: -signal)
        }
        (descriptor, wake, manager) = (opened, signal, there)
        port = Int(pcd_udp_port(opened))
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        do throws(WorkerError) { try Worker.detach("session manager") { [self] in listen() } } catch {
            pcd_close(opened)
            pcd_close(signal)
            throw .noThread(error)
        }
    }

    /// Sends a message to the manager. Returns false if the socket is closed, or if the system does not accept the
    /// message.
    @discardableResult
    func send(_ message: OSCMessage) -> Bool {
        let bytes = message.encoded()
        return isOpen.withLock { isOpen in
            guard isOpen else { return false }
            return withUnsafePointer(to: manager) {
                pcd_udp_reply(descriptor, bytes, UInt32(bytes.count), $0) == 0
            }
        }
    }

    /// Stops listening. Messages sent afterwards are lost.
    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        // The reading thread closes the descriptors.
        guard wasOpen else { return }
        isEnding.store(true, ordering: .releasing)
        pcd_signal_raise(wake)
    }

    private func listen() {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.lot * Self.stride)
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: Self.lot)
        while !isEnding.load(ordering: .acquiring) {
            _ = pcd_wait(descriptor, wake, -1)
            let found = Int(
                datagrams.withUnsafeMutableBufferPointer {
                    pcd_udp_receive(descriptor, buffer, UInt32(Self.stride), UInt32(Self.lot), $0.baseAddress)
                })
            for index in 0..<max(0, found) where isFromManager(datagrams[index]) {
                let bytes = UnsafeBufferPointer(
                    start: buffer + index * Self.stride, count: Int(datagrams[index].length))
                // Bytes that are not an OSC packet are ignored.
                guard let packet = try? OSCPacket(decoding: Array(bytes)) else { continue }
                for message in packet.messages { continuation.yield(.message(message)) }
            }
            if pcd_udp_refusals(descriptor) > 0 { continuation.yield(.refused) }
        }
        continuation.finish()
        buffer.deallocate()
        pcd_close(descriptor)
        pcd_close(wake)
    }

    /// Returns whether a datagram comes from the manager's host.
    private func isFromManager(_ datagram: pcd_datagram) -> Bool {
        Self.admits(
            Self.host(of: datagram), from: Self.host(of: manager),
            isOwn: withUnsafePointer(to: datagram) { pcd_udp_is_own(descriptor, $0) } != 0)
    }

    /// Returns whether datagrams from a sender's address are accepted for a manager's address, both in network order.
    /// `isOwn`: whether the sender has the address of this socket. On a machine that resolves its own name to
    /// 127.0.1.1, the manager answers from 127.0.0.1. A manager on another host does not have this socket's address;
    /// only programs of this machine do.
    static func admits(_ sender: [UInt8], from manager: [UInt8], isOwn: Bool) -> Bool {
        let isHere = manager.count == 4 ? manager[0] == 127 : manager == [UInt8](repeating: 0, count: 15) + [1]
        return sender == manager || isOwn && isHere
    }

    /// Returns the address of a datagram's sender in network order, without the port.
    private static func host(of datagram: pcd_datagram) -> [UInt8] {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = withUnsafePointer(to: datagram) { pcd_udp_sender($0, &address, &port) }
        return Array(address.prefix(Int(max(0, count))))
    }
}
