import Synchronization

/// The state of a session for all control interfaces: the values in force, never values that were merely requested.
///
/// A session publishes its values after each command, and checks 20 times per second, at rest 4 times, for other
/// changes. Listeners receive every change once, in order. `enter` must not be called by two threads at a time; all
/// other functions may be called on any thread.
package final class StateBook: Sendable {
    /// Receives a change on the publishing thread; must return quickly.
    package typealias Listener = @Sendable (StateChange) -> Void

    private struct Content {
        var state = SessionState()
        var next = 0
        var listeners: [Int: Listener] = [:]
    }
    private let content = Mutex(Content())

    /// Creates an empty book.
    package init() {}

    /// The values in force.
    package var state: SessionState { content.withLock { $0.state } }

    /// Returns the values in force, and calls `listener` with every later change, without a gap, until `end` is called.
    /// A call that has begun on another thread may still complete after `end`.
    package func hear(_ listener: @escaping Listener) -> (state: SessionState, end: @Sendable () -> Void) {
        content.withLock { content in
            content.next += 1
            let number = content.next
            content.listeners[number] = listener
            return (content.state, { [weak self] in self?.forget(number) })
        }
    }

    /// Publishes all values in force, and sends the changed ones to the listeners.
    package func enter(_ values: SessionValues) {
        let told: (StateChange, [Listener])? = content.withLock { content in
            guard values != content.state.values else { return nil }
            let difference = values.difference(from: content.state.values)
            content.state = SessionState(values: values, revision: content.state.revision + 1)
            return (
                StateChange(values: difference.after, revision: content.state.revision),
                content.listeners.sorted { $0.key < $1.key }.map(\.value)
            )
        }
        guard let (change, listeners) = told else { return }
        for listener in listeners { listener(change) }
    }

    private func forget(_ number: Int) { content.withLock { _ = $0.listeners.removeValue(forKey: number) } }
}
