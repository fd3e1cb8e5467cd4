import Synchronization

/// Collects what reaches the head tracker until a recorder takes it away. Any thread.
final class MotionJournal: Sendable {
    private let events = Mutex<[MotionEvent]>([])

    /// Notes an event.
    func note(_ event: MotionEvent) { events.withLock { $0.append(event) } }

    /// What came since the last call, in order.
    func drain() -> [MotionEvent] {
        events.withLock { events in
            defer { events.removeAll(keepingCapacity: true) }
            return events
        }
    }
}
