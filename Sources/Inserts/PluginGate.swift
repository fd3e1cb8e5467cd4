import CRealtime
import Glibc
import Synchronization

/// Lets in one of two sides at a time, the first of which never waits.
///
/// The audio thread tries to enter for each call, and does without where the other side is in; the other side waits
/// until it finds it free.
package struct PluginGate: ~Copyable {
    private let state = Atomic<Int>(0)

    /// An empty gate.
    package init() {}

    /// Enters if no thread is in. Wait-free.
    @_noLocks
    package borrowing func tryEnter() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Leaves. Wait-free.
    @_noLocks
    package borrowing func leave() { state.store(0, ordering: .releasing) }

    /// Enters, waiting at most so many seconds; false where it could not. Never an audio thread that runs against time.
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
