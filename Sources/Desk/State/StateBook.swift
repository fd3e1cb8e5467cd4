import Synchronization

/// The state of a session as all doors see it: what is in force, never what was merely asked for.
///
/// A session enters what is in force after each command, and looks 20 times per second for what changed without one;
/// listeners hear of every change once, in order. Any thread.
package final class StateBook: Sendable {
    /// Hears a change, where it is entered: must be soon over.
    package typealias Listener = @Sendable (StateChange) -> Void

    private struct Content {
        var state = SessionState()
        var next = 0
        var listeners: [Int: Listener] = [:]
    }
    private let content = Mutex(Content())

    /// An empty book.
    package init() {}

    /// What is in force.
    package var state: SessionState { content.withLock { $0.state } }

    /// What is in force now, and from here on every change of it, without a gap, until `end` is called; one more call
    /// may come at that moment.
    package func hear(_ listener: @escaping Listener) -> (state: SessionState, end: @Sendable () -> Void) {
        content.withLock { content in
            content.next += 1
            let number = content.next
            content.listeners[number] = listener
            return (content.state, { [weak self] in self?.forget(number) })
        }
    }

    /// Enters all that is in force, and tells what of it is new. One caller at a time.
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
