import Synchronization

/// Collects what reaches the head tracker until a recorder takes it away. Bounded: where it is not taken away what
/// comes is lost, and counted. Any thread.
package final class MotionJournal: Sendable {
    /// Events that are kept: eight seconds of two trackers that send 4000 times a second each.
    package static let capacity = 1 << 16

    private struct Pages {
        var events: [MotionEvent] = []
        var lost = 0
        var isClosed = false
    }
    private let pages = Mutex(Pages())

    /// An empty journal.
    package init() {}

    /// Notes an event.
    package func note(_ event: MotionEvent) {
        pages.withLock { pages in
            guard !pages.isClosed else { return }
            guard pages.events.count < Self.capacity else { return pages.lost += 1 }
            pages.events.append(event)
        }
    }

    /// What came since the last call, in order.
    package func drain() -> [MotionEvent] {
        pages.withLock { pages in
            defer { pages.events = [] }
            return pages.events
        }
    }

    /// Notes no more, and forgets what was not taken away: its recorder is gone.
    package func close() { pages.withLock { ($0.events, $0.isClosed) = ([], true) } }

    /// Notes again what comes: there is another recorder.
    package func open() { pages.withLock { $0.isClosed = false } }

    /// Events that wait to be taken away.
    package var count: Int { pages.withLock { $0.events.count } }

    /// Events that found no room, since it began.
    package var lost: Int { pages.withLock { $0.lost } }
}
