import Synchronization

/// Immutable objects that several owners in this process share, found by a key, with facts that belong to each.
///
/// An object is held weakly: it goes with its last owner. Any thread but the audio thread.
package final class SharedObjects<Key: Hashable & Sendable, Object: AnyObject & Sendable, Facts: Sendable>: Sendable {
    private struct Entry: Sendable {
        weak var object: Object?
        var facts: Facts
    }
    private let entries = Mutex<[Key: Entry]>([:])

    /// Creates an empty collection.
    package init() {}

    /// Returns the object of a key and its facts; nil where no owner has it.
    package func find(_ key: Key) -> (object: Object, facts: Facts)? {
        entries.withLock { entries in
            entries = entries.filter { $0.value.object != nil }
            guard let entry = entries[key], let object = entry.object else { return nil }
            return (object, entry.facts)
        }
    }

    /// Adds an object, in the place of a former one.
    package func add(_ object: Object, _ facts: Facts, as key: Key) {
        entries.withLock { $0[key] = Entry(object: object, facts: facts) }
    }
}
