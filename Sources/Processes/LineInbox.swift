import Dispatch
import Synchronization

/// Queue of lines from one thread to another, in order.
package final class LineInbox: Sendable {
    private let lines = Mutex<[String]>([])
    private let count = DispatchSemaphore(value: 0)

    /// Creates an empty queue.
    package init() {}

    /// Adds a line.
    package func put(_ line: String) {
        lines.withLock { $0.append(line) }
        count.signal()
    }

    /// Removes and returns the first line. If there is none, waits for at most `seconds`, then returns nil.
    package func take(within seconds: Double) -> String? {
        guard count.wait(timeout: .now() + seconds) == .success else { return nil }
        return lines.withLock { $0.removeFirst() }
    }

    /// Removes and returns the first line. Waits for one without a timeout.
    package func take() -> String {
        count.wait()
        return lines.withLock { $0.removeFirst() }
    }
}
