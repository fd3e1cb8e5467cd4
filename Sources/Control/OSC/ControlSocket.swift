import CDevices
import Glibc
import Synchronization

/// The UDP socket of a control port. Any thread; sending never waits.
///
/// The descriptor is used by the thread that reads, which ends before `close`, and for sending under the lock.
final class ControlSocket: Sendable {
    /// Bytes of the longest datagram over IPv4; longer ones there are not.
    static let stride = 65_536
    /// Datagrams read at a time.
    static let lot = 64
    /// Bytes of room asked of the kernel: a burst of some thousand messages.
    private static let room: Int32 = 8 << 20

    private let descriptor: Int32
    private let isOpen = Mutex(true)
    private let wake: Int32
    /// Where it listens; the system's choice where port 0 was asked for.
    let address: ControlAddress

    /// Binds a socket; -errno where that is refused.
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

    /// Why there is no socket, or nothing to wake its reader with.
    struct Refused: Error { let errno: Int32 }

    deinit {
        close()
        pcd_close(wake)
    }

    /// Gives the port back; what is sent from now on is lost. After the last `wait` and `receive`.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { pcd_close(descriptor) }
            isOpen = false
        }
    }

    /// Waits until something came, `raise` was called, or so many milliseconds have gone by (−1: for ever).
    func wait(milliseconds: Int32) {
        if pcd_wait(descriptor, wake, milliseconds) & 2 != 0 { pcd_signal_clear(wake) }
    }

    /// Ends a wait.
    func raise() { pcd_signal_raise(wake) }

    /// Reads what has come, at most a lot, into `buffer` (`lot` times `stride` bytes).
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

    /// Sends one datagram. False: the network took it not, as with any datagram.
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
    /// Sends one datagram to a numeric address and port; the network may lose it, as any datagram.
    func send(_ bytes: [UInt8], host: String, port: Int) {
        whileOpen { _ = pcd_udp_send($0, bytes, UInt32(bytes.count), host, UInt16(clamping: port)) }
    }
}

/// The sender of a datagram.
struct ControlSender: Hashable, Sendable {
    let datagram: pcd_datagram

    init(_ datagram: pcd_datagram) { self.datagram = datagram }

    static func == (a: ControlSender, b: ControlSender) -> Bool { a.bytes == b.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// The address, numeric, and port.
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

    /// The address and port as the kernel has them.
    var bytes: [UInt8] {
        withUnsafeBytes(of: datagram.sender) { Array($0.prefix(Int(datagram.sender_length))) }
    }
}
