import CPlugins
import Glibc
import Signal
import Synchronization

/// Futex in shared memory, on which one process waits until the other calls `ring`.
///
/// A waiting thread calls `prepare`, checks for work once more, and then calls `rest`, so that a call of `ring` between
/// the two is not missed. `ring` costs a system call only if a thread waits.
struct ExchangeBell: Sendable {
    private let word: SharedPlace<Atomic<UInt32>>

    /// Creates the bell at an address of shared memory. If `isNew`, the bell is initialised, with no thread waiting.
    init(_ place: UnsafeMutableRawPointer, isNew: Bool) {
        let word = place.bindMemory(to: Atomic<UInt32>.self, capacity: 1)
        if isNew { word.initialize(to: Atomic(0)) }
        self.word = SharedPlace(at: word)
    }

    /// Wakes the thread that called `prepare`, if there is one. Wait-free.
    @_noLocks
    func ring() {
        if word.pointee.exchange(0, ordering: .sequentiallyConsistent) != 0 { prc_wake_waiting(word.pointer) }
    }

    /// Announces that a thread is about to wait.
    @_noLocks
    func prepare() { word.pointee.store(1, ordering: .sequentiallyConsistent) }

    /// Withdraws `prepare`.
    @_noLocks
    func dismiss() { word.pointee.store(0, ordering: .relaxed) }

    /// Waits until the bell rings, at most `milliseconds`; may return early. Returns immediately if the bell has rung
    /// since `prepare`.
    @_noLocks
    func rest(milliseconds: UInt32) { prc_wait_while(word.pointer, 1, milliseconds) }
}
