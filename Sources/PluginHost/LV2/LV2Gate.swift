import CRealtime
import Glibc
import Synchronization

/// Who may call the plugin: one of two sides at a time, the first of which never waits.
///
/// The audio thread tries to enter for each call, and does without the plugin where the other side is in; the other side
/// waits until it finds it free.
struct LV2Gate: ~Copyable {
    private let state = Atomic<Int>(0)

    /// Enters if nobody is in. Wait-free.
    @_noLocks
    borrowing func tryEnter() -> Bool {
        state.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// Leaves. Wait-free.
    @_noLocks
    borrowing func leave() { state.store(0, ordering: .releasing) }

    /// Enters, waiting at most so many seconds; false where it could not. Never an audio thread that runs against time.
    @_noLocks
    borrowing func enter(within seconds: Double) -> Bool {
        let begin = prc_monotonic_nanoseconds()
        while !tryEnter() {
            if Double(prc_monotonic_nanoseconds() &- begin) > seconds * 1e9 { return false }
            prc_sleep_microseconds(50)
        }
        return true
    }
}
