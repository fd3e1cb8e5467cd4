import CRealtime
import Glibc
import Synchronization

/// Lock between two threads, one of which never waits.
///
/// The audio thread tries to enter for each call, and continues without the lock if the other thread holds it. The
/// other thread waits until the lock is free.
package struct PluginGate: ~Copyable {
    private let state = Atomic<Int>(0)

    /// Makes a free gate.
    package init() {}

    /// Enters if no thread is inside. Returns whether it entered. Wait-free.
    @_noLocks
    package borrowing func tryEnter() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Leaves the gate. Wait-free. Call only after the calling thread has entered.
    @_noLocks
    package borrowing func leave() { state.store(0, ordering: .releasing) }

    /// Enters, after waiting for at most `seconds`. Returns false at the timeout. Do not call on an audio thread with a
    /// deadline.
    @_noLocks
    package borrowing func enter(within seconds: Double) -> Bool {
        let begin = prc_monotonic_nanoseconds()
        while !tryEnter() {
            if Double(prc_monotonic_nanoseconds() &- begin) > seconds * 1e9 { return false }
            prc_sleep_microseconds(50)
        }
        return true
    }
}
