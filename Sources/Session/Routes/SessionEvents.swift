import Synchronization

/// What happens to a session, for any number of listeners. Any thread.
package final class SessionEvents: Sendable {
    private struct Listeners {
        var next = 0
        var all: [Int: @Sendable (SessionEvent) -> Void] = [:]
    }
    private let listeners = Mutex(Listeners())

    /// Nobody listens yet.
    package init() {}

    /// Everything that happens from now on; the newest 256 are kept for a slow listener.
    package func subscribe() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream<SessionEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let end = hear { continuation.yield($0) }
        continuation.onTermination = { _ in end() }
        return stream
    }

    /// Has `hears` told everything that happens from now on, at once and where it happens: it must be soon over. The answer ends that.
    package func hear(_ hears: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable () -> Void {
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = hears
            return listeners.next
        }
        return { [weak self] in self?.forget(number) }
    }

    /// Tells everybody.
    package func tell(_ event: SessionEvent) {
        for hears in listeners.withLock({ Array($0.all.values) }) { hears(event) }
    }

    private func forget(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }
}
