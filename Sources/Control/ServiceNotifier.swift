import Desk
import Glibc
import Synchronization

/// Tells the service manager that started this process how a session goes: sd_notify(3), one datagram for each word.
///
/// It is told that the service is ready once the stage plays, in words what the session has to say, and, where it asked
/// for that, that the session still beats: a session that stands still says nothing, and the manager may start it
/// anew. A manager that does not listen is no error. Any thread; no call waits.
package final class ServiceNotifier: Sendable {
    private struct Told {
        /// When the next beat is due, seconds of the session's clock.
        var nextBeat = -Double.infinity
        /// Whether the session had something to say since it last played.
        var hasNote = false
    }

    private let address: ServiceAddress
    private let descriptor: Int32
    /// Seconds between two beats that are told, half of what the manager waits; nil where it does not watch.
    private let interval: Double?
    private let told = Mutex(Told())

    /// Where the manager listens, by the environment it started this process with; nil where there is none that does.
    ///
    /// - Parameters:
    ///   - environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - process: the number of this process; another's watchdog is not fed.
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

    /// What the session says of itself: the service is ready when it plays, and its status is the newest word.
    package func tell(_ remark: SessionRemark) {
        switch remark {
        case .preparing(let what):
            tell(status: "preparing \(what)")
            // A stage that is prepared anew takes its time; each step of it is a beat.
            if interval != nil { send("WATCHDOG=1") }
        case .note(let text):
            told.withLock { $0.hasNote = true }
            tell(status: text)
        case .ready:
            // What was said since it last played, as that the server is back, stays.
            let isTold = told.withLock { told in
                defer { told.hasNote = false }
                return told.hasNote
            }
            send(isTold ? "READY=1" : "READY=1\nSTATUS=playing")
        }
    }

    /// One line that says how the service is.
    package func tell(status: String) {
        send("STATUS=\(status.split(whereSeparator: \.isNewline).joined(separator: " "))")
    }

    /// The session's beat at a time of its clock, seconds: told often enough, and no more.
    package func beat(at time: Double) {
        guard let interval else { return }
        let isDue = told.withLock { told in
            guard time >= told.nextBeat else { return false }
            told.nextBeat = time + interval
            return true
        }
        if isDue { send("WATCHDOG=1") }
    }

    /// The session begins to end.
    package func stop() { send("STOPPING=1") }

    private func send(_ words: String) {
        let bytes = Array(words.utf8)
        address.withAddress { pointer, length in
            // A manager whose queue is full hears the next word.
            _ = sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), pointer, length)
        }
    }
}

/// The address of a datagram socket on this machine: a path from the root, or, after `@`, a name without a file.
struct ServiceAddress: Sendable, Equatable {
    /// The bytes of `sun_path`; an abstract name begins with zero.
    let bytes: [UInt8]

    /// Reads `NOTIFY_SOCKET`; nil where that is no address of a socket on this machine.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        // A path ends with a zero, an abstract name with its length.
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        switch text.first {
        case "/": break
        case "@": bytes[0] = 0
        default: return nil
        }
        self.bytes = bytes
    }

    /// Hands the address on as the system takes it.
    func withAddress(_ use: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // What is left of `sun_path` is zero, which ends a path.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count + (bytes[0] == 0 ? 0 : 1))
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, length) }
        }
    }
}
