import Synchronization

/// Immutable objects that several owners in this process share. Each object is found by a key, and has `Facts`: data
/// about the object.
///
/// An object is held weakly: it is freed when its last owner releases it. May be used on any thread except the audio
/// thread.
package final class SharedObjects<Key: Hashable & Sendable, Object: AnyObject & Sendable, Facts: Sendable>: Sendable {
    private struct Entry: Sendable {
        weak var object: Object?
        var facts: Facts
    }
    private let entries = Mutex<[Key: Entry]>([:])

    /// Creates an empty collection.
    package init() {}

    /// Returns the object of a key and its facts; nil if no owner holds the object.
    package func find(_ key: Key) -> (object: Object, facts: Facts)? {
        entries.withLock { entries in
            entries = entries.filter { $0.value.object != nil }
            guard let entry = entries[key], let object = entry.object else { return nil }
            return (object, entry.facts)
        }
    }

    /// Adds an object. It replaces a former object of the same key.
    package func add(_ object: Object, _ facts: Facts, as key: Key) {
        entries.withLock { $0[key] = Entry(object: object, facts: facts) }
    }
}
