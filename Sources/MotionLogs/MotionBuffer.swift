import Synchronization

/// Collects what reaches the head tracker until a recorder takes it away. Bounded: where it is not taken away what
/// comes is lost, and counted. Any thread.
package final class MotionBuffer: Sendable {
    /// Events that are kept: eight seconds of two trackers that send 4000 times a second each.
    package static let capacity = 1 << 16

    private struct Content {
        var events: [MotionEvent] = []
        var lost = 0
        var isClosed = false
    }
    private let content = Mutex(Content())

    /// An empty buffer.
    package init() {}

    /// Notes an event.
    package func note(_ event: MotionEvent) {
        content.withLock { content in
            guard !content.isClosed else { return }
            guard content.events.count < Self.capacity else { return content.lost += 1 }
            content.events.append(event)
        }
    }

    /// What came since the last call, in order.
    package func drain() -> [MotionEvent] {
        content.withLock { content in
            defer { content.events = [] }
            return content.events
        }
    }

    /// Notes no more, and forgets what was not taken away: its recorder is gone.
    package func close() { content.withLock { ($0.events, $0.isClosed) = ([], true) } }

    /// Notes again what comes: there is another recorder.
    package func open() { content.withLock { $0.isClosed = false } }

    /// Events that wait to be taken away.
    package var count: Int { content.withLock { $0.events.count } }

    /// Events that found no room, since it began.
    package var lost: Int { content.withLock { $0.lost } }
}
