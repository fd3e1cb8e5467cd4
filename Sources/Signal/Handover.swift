import Synchronization

/// Something that one thread makes and another works with, on its way: a file that a recorder writes, an engine that a
/// worker runs. It is given once, taken once, and no other thread has it meanwhile, which the
/// compiler proves.
///
/// Any thread but the audio thread: it holds a lock for a moment.
package final class Handover<Value>: Sendable {
    private let held: Mutex<Value?>

    /// Gives something up that is to be taken.
    package init(_ value: sending Value) { held = Mutex(value) }

    /// Takes it; nil where it was taken before.
    package func take() -> sending Value? {
        held.withLock { held in
            let value = held
            held = nil
            return value
        }
    }
}
