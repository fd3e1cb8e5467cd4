import CJACK
import Synchronization

/// Messages of libjack. They are kept for error texts instead of being printed on stderr.
///
/// libjack's handlers belong to the process; therefore the messages are global. A lock protects them. The last 16 lines
/// are kept.
enum JACKMessages {
    private static let lines = Mutex<[String]>([])

    /// Diverts libjack's error and information lines. Further calls have no effect.
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

    /// Clears the messages before a call that may fail.
    static func clear() { lines.withLock { $0.removeAll() } }

    /// The first message since `clear`, for errors whose later messages are mere consequences; empty without a message.
    static var first: String { telling(lines.withLock { $0 }).first ?? "" }

    /// The last message since `clear`; empty without a message.
    static var last: String { telling(lines.withLock { $0 }).last ?? "" }

    /// Returns the lines without those of libjack's own cleanup. jackd 1.9 ends every failure with "Init not done for
    /// -1, skipping unlock".
    static func telling(_ lines: [String]) -> [String] {
        lines.joined(separator: "\n").split(separator: "\n").map(String.init).filter {
            !$0.contains("JackShmReadWritePtr")
        }
    }
}
