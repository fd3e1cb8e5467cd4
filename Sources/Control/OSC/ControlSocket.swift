import CDevices
import Glibc
import Synchronization

/// UDP socket of a control port. Sending is possible on any thread, and never blocks.
///
/// Sending uses the descriptor under the lock. The reading thread uses it without the lock, and must end before
/// `close`.
final class ControlSocket: Sendable {
    /// Size of the buffer for each datagram, bytes; no datagram is longer.
    static let stride = 65_536
    /// Greatest number of datagrams per read.
    static let lot = 64
    /// Size of the kernel's receive buffer, bytes; enough for a burst of some thousand messages.
    private static let room: Int32 = 8 << 20

    private let descriptor: Int32
    private let isOpen = Mutex(true)
    private let wake: Int32
    /// Address of the socket. If port 0 was requested, the system has selected the port.
    let address: ControlAddress

    /// Binds a socket.
    init(at wanted: ControlAddress) throws(Refused) {
        let opened = pcd_udp_open(wanted.numericHost, UInt16(wanted.port))
        guard opened >= 0 else { throw Refused(errno: -opened) }
        let signal = pcd_signal_open()
        guard signal >= 0 else {
            pcd_close(opened)
            throw Refused(errno: -signal)
        }
        _ = pcd_udp_reserve(opened, Self.room)
        (descriptor, wake) = (opened, signal)
        address = ControlAddress(host: wanted.host, port: Int(pcd_udp_port(opened)))
    }

    /// Reason why the socket or its wake-up signal could not be opened.
    struct Refused: Error { let errno: Int32 }

    deinit {
        close()
        pcd_close(wake)
    }

    /// Closes the socket. Messages sent afterwards are lost. Must be called after the last `wait` and `receive`.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { pcd_close(descriptor) }
            isOpen = false
        }
    }

    /// Waits for a datagram, for `raise`, or for a timeout in milliseconds (−1: none).
    func wait(milliseconds: Int32) {
        if pcd_wait(descriptor, wake, milliseconds) & 2 != 0 { pcd_signal_clear(wake) }
    }

    /// Ends a wait.
    func raise() { pcd_signal_raise(wake) }

    /// Reads the waiting datagrams, at most `lot`, into `buffer` (`lot` times `stride` bytes). Returns their number,
    /// and the number of datagrams that the kernel has discarded since the socket was opened (0 if no datagram is
    /// waiting).
    func receive(
        into buffer: UnsafeMutablePointer<UInt8>, _ datagrams: inout [pcd_datagram],
        _ take: (UnsafeBufferPointer<UInt8>, ControlSender) -> Void
    ) -> (count: Int, lost: Int) {
        let found = Int(
            datagrams.withUnsafeMutableBufferPointer {
                pcd_udp_receive(descriptor, buffer, UInt32(Self.stride), UInt32(Self.lot), $0.baseAddress)
            })
        guard found > 0 else { return (0, 0) }
        for index in 0..<found {
            let bytes = UnsafeBufferPointer(start: buffer + index * Self.stride, count: Int(datagrams[index].length))
            take(bytes, ControlSender(datagrams[index]))
        }
        return (found, Int(datagrams[found - 1].lost))
    }

    private func whileOpen(_ act: (Int32) -> Void) {
        isOpen.withLock { isOpen in if isOpen { act(descriptor) } }
    }

    /// Sends one datagram. Returns false if the socket is closed or the network refuses the datagram. Like any
    /// datagram, it may be lost.
    @discardableResult
    func send(_ bytes: [UInt8], to sender: ControlSender) -> Bool {
        isOpen.withLock { isOpen in
            guard isOpen else { return false }
            return withUnsafePointer(to: sender.datagram) {
                pcd_udp_reply(descriptor, bytes, UInt32(bytes.count), $0) == 0
            }
        }
    }
}

extension ControlSocket {
    /// Sends one datagram to a numeric address and port. Like any datagram, it may be lost.
    func send(_ bytes: [UInt8], host: String, port: Int) {
        whileOpen { _ = pcd_udp_send($0, bytes, UInt32(bytes.count), host, UInt16(clamping: port)) }
    }
}

/// Sender of a datagram.
struct ControlSender: Hashable, Sendable {
    let datagram: pcd_datagram

    init(_ datagram: pcd_datagram) { self.datagram = datagram }

    static func == (a: ControlSender, b: ControlSender) -> Bool { a.bytes == b.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// Numeric address and port.
    var address: ControlAddress {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = withUnsafePointer(to: datagram) { pcd_udp_sender($0, &bytes, &port) }
        let family = count == 16 ? AF_INET6 : AF_INET
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(family, bytes, &text, socklen_t(text.count))
        return ControlAddress(
            host: String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
            port: Int(port))
    }

    /// Address and port in the kernel's form.
    var bytes: [UInt8] {
        withUnsafeBytes(of: datagram.sender) { Array($0.prefix(Int(datagram.sender_length))) }
    }
}
