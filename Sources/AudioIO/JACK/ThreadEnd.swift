import Dispatch
import Synchronization

/// End of a thread: the request to end, and the thread's report that it has ended.
struct ThreadEnd: ~Copyable, Sendable {
    private let requested = Atomic<Bool>(false)
    private let arrival = DispatchSemaphore(value: 0)

    /// Whether the thread must end. May be read on any thread.
    var isRequested: Bool { requested.load(ordering: .acquiring) }

    /// Requests the end. May be called on any thread.
    func request() { requested.store(true, ordering: .releasing) }

    /// Reports the end. The thread calls it last, once.
    func arrive() { arrival.signal() }

    /// Waits until the thread has ended, without a limit. Call one of the two `wait`, once.
    func wait() { arrival.wait() }

    /// Waits until the thread has ended, for at most `seconds`.
    func wait(atMost seconds: Double) { _ = arrival.wait(timeout: .now() + seconds) }
}
