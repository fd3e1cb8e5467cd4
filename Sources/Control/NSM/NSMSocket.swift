import CDevices
import Foundation
import OSC
import Signal
import Synchronization

/// The one UDP socket of a session manager's client: all it says leaves from here, since managers tell clients by the
/// port. A thread of its own reads; sending never waits.
///
/// Only the manager's host is heard, and where that is this machine, no other host.
///
/// The descriptor is closed by the thread that reads, and used for sending under the lock before that.
final class NSMSocket: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// The manager's host sent a message.
        case message(OSCMessage)
        /// No program listens where it was sent to.
        case refused
    }

    /// Why there is no socket.
    struct Refused: Error { let errno: Int32 }

    /// What happens until `close`, in order; the oldest is lost where 256 wait.
    let events: AsyncStream<Event>
    /// The port all is said from.
    let port: Int
    private let continuation: AsyncStream<Event>.Continuation
    private let descriptor: Int32
    private let wake: Int32
    private let manager: ControlSender
    private let isOpen = Mutex(true)
    private let isEnding = Atomic<Bool>(false)

    /// Datagrams read at a time, and the longest of them: a path, and texts.
    private static let lot = 8
    private static let stride = 65_536

    /// A socket that faces a manager, whose name is looked up: that may take seconds.
    init(facing address: NSMAddress) throws(Refused) {
        var there = pcd_datagram()
        let opened = pcd_udp_toward(address.host, UInt16(address.port), &there)
        guard opened >= 0 else { throw Refused(errno: -opened) }
        let signal = pcd_signal_open()
        guard signal >= 0 else {
            pcd_close(opened)
            throw Refused(errno: -signal)
        }
        (descriptor, wake, manager) = (opened, signal, ControlSender(there))
        port = Int(pcd_udp_port(opened))
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
        do throws(WorkerError) { try Worker.detach("session manager") { [self] in listen() } } catch {
            pcd_close(opened)
            pcd_close(signal)
            throw Refused(errno: error.code)
        }
    }

    /// Sends a message to the manager. False: the network took it not.
    @discardableResult
    func send(_ message: OSCMessage) -> Bool {
        let bytes = message.encoded()
        return isOpen.withLock { isOpen in
            guard isOpen else { return false }
            return withUnsafePointer(to: manager.datagram) {
                pcd_udp_reply(descriptor, bytes, UInt32(bytes.count), $0) == 0
            }
        }
    }

    /// Ends listening; what is sent from now on is lost.
    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        // The listener lets go of the descriptors.
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
                // Bytes that are no OSC are no request.
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

    /// Whether a datagram comes from the manager's host, at whatever address of it that was reached.
    private func isFromManager(_ datagram: pcd_datagram) -> Bool {
        let sender = ControlSender(datagram)
        return sender.host == manager.host
            || withUnsafePointer(to: datagram) { pcd_udp_is_own(descriptor, $0) } != 0
    }
}

extension ControlSender {
    /// The address without the port, in network order.
    var host: [UInt8] {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = withUnsafePointer(to: datagram) { pcd_udp_sender($0, &address, &port) }
        return Array(address.prefix(Int(max(0, count))))
    }
}
