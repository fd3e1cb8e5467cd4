import Desk
import Glibc
import Synchronization

/// Reports the status of a session to the service manager that started this process (sd_notify(3)), with one datagram
/// for each report.
///
/// The notifier reports that the service is ready, when the stage plays. It reports remarks of the session as status
/// text. If the manager requires a watchdog, the notifier also reports at intervals that the session is running. A
/// session that hangs sends no reports, so that the manager can restart it. It is not an error if the manager does not
/// listen. All functions may be called on any thread; none blocks.
package final class ServiceNotifier: Sendable {
    private struct Told {
        /// Time of the next watchdog report, seconds of the session's clock.
        var nextBeat = -Double.infinity
        /// Whether there was a note since the last report of readiness.
        var hasNote = false
    }

    private let address: ServiceAddress
    private let descriptor: Int32
    /// Interval between two watchdog reports, half of the manager's timeout, seconds; nil without a watchdog.
    private let interval: Double?
    private let told = Mutex(Told())

    /// Opens a socket to the manager; nil if the environment states no valid address, or if the socket cannot be
    /// opened.
    ///
    /// - Parameters:
    ///   - environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - process: id of this process. A watchdog for another process is ignored.
    package init?(environment: [String: String], process: Int32 = getpid()) {
        guard let address = environment["NOTIFY_SOCKET"].flatMap(ServiceAddress.init) else { return nil }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
        let isMeant = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(UInt64.init) ?? 0
        interval = isMeant && microseconds > 0 ? Double(microseconds) * 0.5e-6 : nil
    }

    deinit { close(descriptor) }

    /// Reports a remark of the session: `.ready` as readiness, any other remark as status.
    package func tell(_ remark: SessionRemark) {
        switch remark {
        case .preparing(let what):
            tell(status: what)
            // Preparing a stage may take long, so that each step is also a watchdog report.
            if interval != nil { send("WATCHDOG=1") }
        case .note(let text):
            told.withLock { $0.hasNote = true }
            tell(status: text)
        case .ready:
            // A note since the last readiness, for example that the server is back, stays as the status.
            let isTold = told.withLock { told in
                defer { told.hasNote = false }
                return told.hasNote
            }
            send(isTold ? "READY=1" : "READY=1\nSTATUS=playing")
        }
    }

    /// Reports one line of status.
    package func tell(status: String) {
        send("STATUS=\(status.split(whereSeparator: \.isNewline).joined(separator: " "))")
    }

    /// Sends a watchdog report if it is due. `time`: seconds of the session's clock.
    package func beat(at time: Double) {
        guard let interval else { return }
        let isDue = told.withLock { told in
            guard time >= told.nextBeat else { return false }
            told.nextBeat = time + interval
            return true
        }
        if isDue { send("WATCHDOG=1") }
    }

    /// Reports that the session is ending.
    package func stop() { send("STOPPING=1") }

    private func send(_ words: String) {
        let bytes = Array(words.utf8)
        address.withAddress { pointer, length in
            // If the manager's queue is full, the report is lost.
            _ = sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), pointer, length)
        }
    }
}

/// Address of a datagram socket on this machine: an absolute path, or an abstract name after `@`.
struct ServiceAddress: Sendable, Equatable {
    /// Bytes of `sun_path`. An abstract name begins with zero.
    let bytes: [UInt8]

    /// Parses the value of `NOTIFY_SOCKET`; nil if it is not the address of a socket on this machine, or too long.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        // A path ends with a zero; an abstract name ends with the length.
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        switch text.first {
        case "/": break
        case "@": bytes[0] = 0
        default: return nil
        }
        self.bytes = bytes
    }

    /// Calls `use` with the address in the system's form.
    func withAddress(_ use: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The rest of `sun_path` is zero, which ends a path.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count + (bytes[0] == 0 ? 0 : 1))
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, length) }
        }
    }
}
