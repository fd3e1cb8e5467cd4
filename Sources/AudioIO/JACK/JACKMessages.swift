import CJACK
import Synchronization

/// What libjack would print on stderr, kept for error texts instead.
///
/// libjack's handlers are the process's, hence the one global; the last 16 lines are kept, under a lock.
enum JACKMessages {
    private static let lines = Mutex<[String]>([])

    /// Diverts libjack's error and information lines. Idempotent.
    static func divert() {
        jack_set_error_function { message in
            guard let message else { return }
            let line = String(cString: message)
            JACKMessages.lines.withLock {
                $0.append(line)
                if $0.count > 16 { $0.removeFirst() }
            }
        }
        jack_set_info_function { _ in }
    }

    /// Forgets what was said, before something that may fail.
    static func clear() { lines.withLock { $0.removeAll() } }

    /// The last line said since `clear`; empty if there was none.
    static var last: String {
        lines.withLock { $0.last ?? "" }.split(separator: "\n").first.map(String.init) ?? ""
    }
}
