import Desk
import Glibc
import Synchronization

/// Reports the status of a session to the service manager that started this process: sd_notify(3), one datagram each.
///
/// Reports that the service is ready once the stage plays, remarks of the session as status text, and, where the
/// manager requires a watchdog, that the session still runs. A stuck session reports nothing, and the manager may
/// restart it. A manager that does not listen is no error. Any thread; no call blocks.
package final class ServiceNotifier: Sendable {
    private struct Told {
        /// Time of the next watchdog report, seconds of the session's clock.
        var nextBeat = -Double.infinity
        /// Whether the session had a remark since it last played.
        var hasNote = false
    }

    private let address: ServiceAddress
    private let descriptor: Int32
    /// Seconds between two watchdog reports, half of the manager's timeout; nil without a watchdog.
    private let interval: Double?
    private let told = Mutex(Told())

    /// Opens a socket to the manager that the environment names; nil where it names none.
    ///
    /// - Parameters:
    ///   - environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - process: id of this process; a watchdog meant for another process is ignored.
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

    /// Reports a remark of the session: readiness when it plays, and the newest remark as status.
    package func tell(_ remark: SessionRemark) {
        switch remark {
        case .preparing(let what):
            tell(status: "preparing \(what)")
            // Preparing a stage anew takes long; each step counts for the watchdog.
            if interval != nil { send("WATCHDOG=1") }
        case .note(let text):
            told.withLock { $0.hasNote = true }
            tell(status: text)
        case .ready:
            // A remark since it last played, such as that the server is back, stays as the status.
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

    /// Feeds the watchdog at a time of the session's clock, seconds, as often as it needs.
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
            // A report to a manager whose queue is full is lost.
            _ = sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), pointer, length)
        }
    }
}

/// Address of a datagram socket on this machine: an absolute path, or, after `@`, an abstract name.
struct ServiceAddress: Sendable, Equatable {
    /// Bytes of `sun_path`; an abstract name begins with zero.
    let bytes: [UInt8]

    /// Reads `NOTIFY_SOCKET`; nil where it is no address of a socket on this machine.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        // A zero ends a path; the length ends an abstract name.
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        switch text.first {
        case "/": break
        case "@": bytes[0] = 0
        default: return nil
        }
        self.bytes = bytes
    }

    /// Passes the address in the system's form.
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
