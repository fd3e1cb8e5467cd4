import CDevices
import Synchronization

/// A UDP port for a tracker. A reply goes to the sender of its message. Messages without a request, which are sent
/// after a second without a reading, go to the last sender.
///
/// The kernel measures the time of arrival of each datagram, so that a busy machine does not falsify this time. The
/// cost of a flood is bounded: of each batch of datagrams from the kernel only the newest are kept, at most `sustained`
/// per second and `burst` at once. The rest is counted and dropped unread. Memory: 64 buffers while the port is open.
package final class UDPTransport: TrackerTransport {
    /// Datagrams per second that are read continuously. This suffices for one or two IMUs of 1 kHz with a datagram for
    /// each quantity.
    static let sustained = 4000.0
    /// Greatest number of datagrams that are read together. A radio link may have delayed the datagrams of a quarter of
    /// a second.
    static let burst = 1000.0
    /// Length of the longest datagram that is read completely, bytes.
    private static let stride = 9216
    private static let lot = 64

    private let address: String
    private let port: Int
    private let clock: @Sendable () -> Double
    private let thread = TransportThread(name: "tracker udp")
    private let descriptor = Mutex<Int32>(-1)

    /// Creates a closed transport. Port 0 selects any free port. `clock`: seconds of the host's monotonic clock.
    package init(address: String, port: Int, clock: @escaping @Sendable () -> Double) {
        self.address = address
        self.port = port
        self.clock = clock
    }

    /// Port of the socket, chosen by the system for port 0; nil while the socket is closed.
    package var localPort: Int? {
        descriptor.withLock { $0 < 0 ? nil : Int(pcd_udp_port($0)) }
    }

    /// Binds the socket, then receives on a thread until `stop`. Throws if the port cannot be bound or the thread
    /// cannot start.
    package func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        let opened = pcd_udp_open(address, UInt16(port))
        guard opened >= 0 else { throw .listening(on: address, port: port, errno: -opened) }
        descriptor.withLock { $0 = opened }
        do {
            try thread.start { [self] in
                listen(on: opened, receive)
                close(opened)
            }
        } catch {
            close(opened)
            throw error
        }
    }

    /// Sends messages to the last sender. Before its first datagram they are lost.
    package func send(_ messages: [[UInt8]]) { thread.send(messages) }

    /// Ends the thread, which closes the socket, and waits for its end.
    package func stop() async { await thread.stop() }

    private func close(_ opened: Int32) {
        descriptor.withLock { $0 = -1 }
        pcd_close(opened)
    }

    private func listen(on descriptor: Int32, _ receive: (TransportEvent) -> [[UInt8]]) {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.lot * Self.stride)
        defer { buffer.deallocate() }
        var datagrams = [pcd_datagram](repeating: pcd_datagram(), count: Self.lot)
        var allowance = FloodAllowance(sustained: Self.sustained, burst: Self.burst)
        var latest: pcd_datagram?
        _ = receive(.opened(place: nil))
        while !thread.isEnding {
            let isReadable = thread.wait(for: descriptor)
            let outgoing = thread.takeOutgoing()
            if let latest { reply(outgoing, on: descriptor, to: latest) }
            guard isReadable else { continue }
            let found = Int(
                pcd_udp_receive(descriptor, buffer, UInt32(Self.stride), UInt32(Self.lot), &datagrams))
            guard found > 0 else { continue }
            let now = clock()
            let kept = allowance.take(found, at: now)
            if kept < found { _ = receive(.shed(found - kept)) }
            // Only the newest datagrams are kept; the earlier ones are out of date.
            for index in (found - kept)..<found {
                let datagram = datagrams[index]
                let bytes = [UInt8](
                    UnsafeBufferPointer(start: buffer + index * Self.stride, count: Int(datagram.length)))
                latest = datagram
                let answers = receive(
                    .bytes(
                        bytes, arrival: now - Double(datagram.waited) * 1e-9, sender: DatagramSender(datagram)))
                reply(answers, on: descriptor, to: datagram)
            }
        }
    }

    private func reply(_ messages: [[UInt8]], on descriptor: Int32, to sender: pcd_datagram) {
        // A datagram that the network refuses is lost.
        for message in messages {
            withUnsafePointer(to: sender) { _ = pcd_udp_reply(descriptor, message, UInt32(message.count), $0) }
        }
    }
}

/// Allowance for datagrams that are read: a burst, and a sustained rate per second (a token bucket).
struct FloodAllowance: Sendable {
    private let sustained: Double
    private let burst: Double
    private var left: Double
    private var last: Double?

    init(sustained: Double, burst: Double) {
        self.sustained = sustained
        self.burst = burst
        left = burst
    }

    /// Returns how many of `count` datagrams are read. `time`: seconds, rising.
    mutating func take(_ count: Int, at time: Double) -> Int {
        left = min(burst, left + max(0, time - (last ?? time)) * sustained)
        last = time
        let taken = min(count, Int(left))
        left -= Double(taken)
        return taken
    }
}
