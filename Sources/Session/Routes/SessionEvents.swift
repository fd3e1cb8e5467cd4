import Synchronization

/// What happens to a session, for any number of listeners. Any thread.
package final class SessionEvents: Sendable {
    private struct Listeners {
        var next = 0
        var all: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
    }
    private let listeners = Mutex(Listeners())

    /// Nobody listens yet.
    package init() {}

    /// Everything that happens from now on; the newest 256 are kept for a slow listener.
    package func subscribe() -> AsyncStream<SessionEvent> { listen().events }

    /// As `subscribe`; `end` ends the stream once all that happened until then was heard.
    package func listen() -> (events: AsyncStream<SessionEvent>, end: @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream<SessionEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return (stream, { continuation.finish() })
    }

    /// Tells everybody.
    package func tell(_ event: SessionEvent) {
        for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield(event) }
    }

    private func forget(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }
}
