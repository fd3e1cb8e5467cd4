import Dispatch
import Synchronization

/// Lines that were heard on one thread and not yet taken on another, in order.
package final class LineInbox: Sendable {
    private let lines = Mutex<[String]>([])
    private let count = DispatchSemaphore(value: 0)

    /// An empty one.
    package init() {}

    /// Adds a line.
    package func put(_ line: String) {
        lines.withLock { $0.append(line) }
        count.signal()
    }

    /// Takes the first line there is; waits for one, `seconds` at most, then nil.
    package func take(within seconds: Double) -> String? {
        guard count.wait(timeout: .now() + seconds) == .success else { return nil }
        return lines.withLock { $0.removeFirst() }
    }

    /// Takes the first line there is, however long it takes to come.
    package func take() -> String {
        count.wait()
        return lines.withLock { $0.removeFirst() }
    }
}
