import Synchronization

/// Buffer for the head tracker's events until a recorder removes them. While it is full, new events are lost and
/// counted. All functions may be called on any thread.
package final class MotionBuffer: Sendable {
    /// Greatest number of events: eight seconds of two trackers that each send 4000 events a second.
    package static let capacity = 1 << 16

    private struct Content {
        var events: [MotionEvent] = []
        var lost = 0
        var isClosed = false
    }
    private let content = Mutex(Content())

    /// Creates an empty buffer.
    package init() {}

    /// Appends an event.
    package func note(_ event: MotionEvent) {
        content.withLock { content in
            guard !content.isClosed else { return }
            guard content.events.count < Self.capacity else { return content.lost += 1 }
            content.events.append(event)
        }
    }

    /// Returns the events since the last call in order, and clears the buffer.
    package func drain() -> [MotionEvent] {
        content.withLock { content in
            defer { content.events = [] }
            return content.events
        }
    }

    /// Stops recording and clears the events, because the recorder has ended.
    package func close() { content.withLock { ($0.events, $0.isClosed) = ([], true) } }

    /// Starts recording again for another recorder.
    package func open() { content.withLock { $0.isClosed = false } }

    /// Number of events in the buffer.
    package var count: Int { content.withLock { $0.events.count } }

    /// Number of events that were lost since the creation of the buffer, because it was full.
    package var lost: Int { content.withLock { $0.lost } }
}
