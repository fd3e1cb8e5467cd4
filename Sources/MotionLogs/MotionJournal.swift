import Synchronization

/// Collects what reaches the head tracker until a recorder takes it away. Any thread.
package final class MotionJournal: Sendable {
    private let events = Mutex<[MotionEvent]>([])

    /// An empty journal.
    package init() {}

    /// Notes an event.
    package func note(_ event: MotionEvent) { events.withLock { $0.append(event) } }

    /// What came since the last call, in order.
    package func drain() -> [MotionEvent] {
        events.withLock { events in
            defer { events.removeAll(keepingCapacity: true) }
            return events
        }
    }
}
