import Synchronization

/// Transfer of a value from the thread that makes it to the thread that uses it: a file for a recorder, an engine for a
/// worker. It is given once and taken once. No other thread has it meanwhile, as the compiler proves.
///
/// Any thread but the audio thread: it holds a lock for a moment.
package final class Handover<Value>: Sendable {
    private let held: Mutex<Value?>

    /// Stores a value for transfer.
    package init(_ value: sending Value) { held = Mutex(value) }

    /// Takes the value; nil where it was taken before.
    package func take() -> sending Value? {
        held.withLock { held in
            let value = held
            held = nil
            return value
        }
    }
}
