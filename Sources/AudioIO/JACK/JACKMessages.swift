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

    /// The first line said since `clear`, where what follows is only what came of it; empty if there was none.
    static var first: String { telling(lines.withLock { $0 }).first ?? "" }

    /// The last line said since `clear`; empty if there was none.
    static var last: String { telling(lines.withLock { $0 }).last ?? "" }

    /// The lines without those about libjack's own tidying up (jackd 1.9 ends every failure with "Init not done for -1,
    /// skipping unlock").
    static func telling(_ lines: [String]) -> [String] {
        lines.joined(separator: "\n").split(separator: "\n").map(String.init).filter {
            !$0.contains("JackShmReadWritePtr")
        }
    }
}
