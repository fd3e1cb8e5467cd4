import Synchronization

/// Transfer of a value from the thread that makes it to the thread that uses it, such as a file for a recorder. The
/// value is given once and taken once. No other thread can use it meanwhile; the compiler proves that.
///
/// May be used on any thread except the audio thread, because a lock is held for a moment.
package final class Handover<Value>: Sendable {
    private let held: Mutex<Value?>

    /// Stores a value for transfer.
    package init(_ value: sending Value) { held = Mutex(value) }

    /// Takes the value. Returns nil if it has been taken before.
    package func take() -> sending Value? {
        held.withLock { held in
            let value = held
            held = nil
            return value
        }
    }
}
