import Foundation
import Synchronization

/// A tracker that turns its head in steps: opentrack's datagrams to a port of this machine, at a regular rate, on a thread
/// of its own.
///
/// Invariant (why `@unchecked Sendable` holds): constants, and what is shared is under its lock.
final class StepSender: @unchecked Sendable {
    /// One step: the yaw it goes to, and the host seconds just before its first packet was handed to the socket.
    struct Step: Sendable {
        let yaw: Double
        let sent: Double
        /// Whether the packets of the half second before left in time: a tracker that stalls is another matter.
        let isSteady: Bool
    }

    /// Seconds between packets; no multiple of usual periods, so that steps fall anywhere within one.
    static let interval = 0.00507
    /// Seconds between packets beyond which the sender itself was held up.
    private static let patience = 0.03
    /// The two yaws, degrees: so near each other that a stage which never jumps is there in a few milliseconds.
    static let yaws = (0.0, 3.0)

    private let socket: Int32
    private let address: sockaddr_in
    private let state = Mutex((steps: [Step](), isStopping: false))
    private let hasEnded = DispatchSemaphore(value: 0)

    /// A UDP port that was free a moment ago.
    static func freePort() throws(SessionError) -> Int {
        let probe = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(probe) }
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
            }
        }
        guard probe >= 0, isBound else {
            throw SessionError(.environment, "no UDP port can be had: \(String(cString: strerror(errno)))")
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Begins to send the first yaw to a port.
    init(port: Int) throws(SessionError) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard socket >= 0 else {
            throw SessionError(.environment, "no UDP socket can be had: \(String(cString: strerror(errno)))")
        }
        address = Self.loopback(port: UInt16(port))
    }

    /// Sends for `rest` seconds, then `count` steps about half a second apart, then for half a second; returns at once.
    func start(steps count: Int, after rest: Double) {
        let thread = Thread { [self] in
            send(count, rest)
            hasEnded.signal()
        }
        thread.name = "step sender"
        thread.start()
    }

    /// Stops early, or waits for the end; the steps sent.
    func finish(early: Bool = false) -> [Step] {
        if early { state.withLock { $0.isStopping = true } }
        hasEnded.wait()
        close(socket)
        return state.withLock { $0.steps }
    }

    /// Steps sent so far.
    var count: Int { state.withLock { $0.steps.count } }

    private func send(_ count: Int, _ rest: Double) {
        var random = SystemRandomNumberGenerator()
        var (yaw, left) = (Self.yaws.0, count)
        var moment = HeadPoseFeed.now()
        var next = moment + rest
        var (lastSent, heldUp) = (moment, -Double.infinity)
        while !state.withLock({ $0.isStopping }) {
            moment += Self.interval
            let ahead = moment - HeadPoseFeed.now()
            if ahead > 0 { usleep(UInt32(ahead * 1e6)) }
            let isStep = moment >= next
            if isStep, left == 0 { return }
            if isStep {
                yaw = yaw == Self.yaws.0 ? Self.yaws.1 : Self.yaws.0
                left -= 1
                next = moment + Double.random(in: 0.45...0.55, using: &random)
            }
            let sent = HeadPoseFeed.now()
            if sent - lastSent > Self.patience { heldUp = sent }
            lastSent = sent
            // opentrack counts yaw to the right; degrees, after three places that do not matter.
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
                state.withLock { $0.steps.append(Step(yaw: yaw, sent: sent, isSteady: isSteady)) }
            }
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
