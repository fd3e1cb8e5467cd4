import CPlugins
import Glibc
import Signal
import Synchronization

/// A word of shared memory on which one process waits until another rings.
///
/// A waiting thread prepares, looks once more whether there is something to do, and then rests: a ring in between is
/// not missed. Ringing costs a system call only where a thread waits.
struct ExchangeBell: Sendable {
    private let word: SharedPlace<Atomic<UInt32>>

    /// The bell at a place of shared memory; no thread waits there at first where `isNew`.
    init(_ place: UnsafeMutableRawPointer, isNew: Bool) {
        let word = place.bindMemory(to: Atomic<UInt32>.self, capacity: 1)
        if isNew { word.initialize(to: Atomic(0)) }
        self.word = SharedPlace(at: word)
    }

    /// Wakes the thread that has prepared. Wait-free.
    @_noLocks
    func ring() {
        if word.pointee.exchange(0, ordering: .sequentiallyConsistent) != 0 { prc_wake_waiting(word.pointer) }
    }

    /// Says that a thread is about to wait.
    @_noLocks
    func prepare() { word.pointee.store(1, ordering: .sequentiallyConsistent) }

    /// Takes that back.
    @_noLocks
    func dismiss() { word.pointee.store(0, ordering: .relaxed) }

    /// Waits until the bell rings, or has rung since it was prepared; so many milliseconds at most.
    @_noLocks
    func rest(milliseconds: UInt32) { prc_wait_while(word.pointer, 1, milliseconds) }
}
