import CRealtime
import Glibc
import Signal
import Synchronization

/// A simulated head tracker that turns in steps. It sends opentrack datagrams to a port of this machine at a regular
/// rate, on its own thread.
package final class StepSender: Sendable {
    /// One step.
    package struct Step: Sendable {
        /// Yaw after the step, degrees.
        package let yaw: Double
        /// Host seconds just before the first packet of the step was sent.
        package let sent: Double
        /// Whether all packets of the half second before were sent in time. A stall of the sender would add to the
        /// delay.
        package let isSteady: Bool
    }

    /// Seconds between packets; not a multiple of usual periods, so that steps fall at any point of a period.
    static let interval = 0.00507
    /// Interval between packets, s, above which the sender counts as held up.
    private static let patience = 0.03
    /// The two yaws, degrees; so close that the renderer's smoothed head motion completes a step in a few milliseconds.
    static let yaws = (0.0, 3.0)

    private let socket: Int32
    private let address: sockaddr_in
    private let steps = Mutex<[Step]>([])
    private let worker = Worker(name: "step sender")

    /// Returns a UDP port that is free at present.
    package static func freePort() throws(StepSenderError) -> Int {
        let probe = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        // Later calls would fail with a cause of their own.
        guard probe >= 0 else { throw StepSenderError(code: errno) }
        defer { close(probe) }
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
            }
        }
        guard isBound else { throw StepSenderError(code: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Returns whether the UDP port `port` can be opened, because no program uses it.
    package static func isFree(_ port: Int) -> Bool {
        let probe = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        var address = Self.loopback(port: UInt16(port))
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Opens a socket for packets to `port`; `start` begins to send.
    package init(port: Int) throws(StepSenderError) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard socket >= 0 else {
            throw StepSenderError(code: errno)
        }
        address = Self.loopback(port: UInt16(port))
    }

    /// Starts to send, and returns immediately. The first yaw is sent for `rest` seconds; `count` steps about half a
    /// second apart follow; the last yaw is sent for another half second.
    ///
    /// - Throws: if the system gives no thread.
    package func start(steps count: Int, after rest: Double) throws(WorkerError) {
        try worker.start { [self] in send($0, count, rest) }
    }

    /// Waits until sending has ended, 5 s at most; `early` ends it immediately. Returns the steps sent.
    package func finish(early: Bool = false) -> [Step] {
        if early { worker.end() }
        // Sending ends about half a second after the last step.
        if worker.join(within: 5) { close(socket) }
        return steps.withLock { $0 }
    }

    /// Number of steps sent so far.
    package var count: Int { steps.withLock { $0.count } }

    private func send(_ worker: Worker, _ count: Int, _ rest: Double) {
        var random = SystemRandomNumberGenerator()
        var (yaw, left) = (Self.yaws.0, count)
        var moment = Self.now()
        var next = moment + rest
        var (lastSent, heldUp) = (moment, -Double.infinity)
        while !worker.isEnding {
            moment += Self.interval
            let ahead = moment - Self.now()
            if ahead > 0 { worker.rest(ahead) }
            let isStep = moment >= next
            if isStep, left == 0 { return }
            if isStep {
                yaw = yaw == Self.yaws.0 ? Self.yaws.1 : Self.yaws.0
                left -= 1
                next = moment + Double.random(in: 0.45...0.55, using: &random)
            }
            let sent = Self.now()
            if sent - lastSent > Self.patience { heldUp = sent }
            lastSent = sent
            // In opentrack's datagram positive yaw is to the right; x, y, z come first, then the angles in degrees.
            let packet = [0, 0, 0, -yaw, 0, 0].map(\.bitPattern.littleEndian)
            var address = self.address
            _ = packet.withUnsafeBytes { bytes in
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        sendto(socket, bytes.baseAddress, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            if isStep {
                let isSteady = sent - heldUp > 0.5
                steps.withLock { $0.append(Step(yaw: yaw, sent: sent, isSteady: isSteady)) }
            }
        }
    }

    private static func now() -> Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// Failure to open a UDP socket or to obtain a port.
package struct StepSenderError: Error, Hashable, CustomStringConvertible {
    /// The system's `errno`.
    package let code: Int32

    /// Message with the system's reason.
    package var description: String { "no UDP port can be opened: \(String(cString: strerror(code)))" }
}
