import Synchronization

/// What the audio thread and the control side know of an isolated instance, in this process. A handle: copies are the
/// same.
///
/// Invariant (why `@unchecked Sendable` holds): both numbers are atomic.
struct IsolatedState: @unchecked Sendable {
    /// 1 once it is gone.
    let departure: UnsafeMutablePointer<Atomic<UInt8>>
    private let misses: UnsafeMutablePointer<Atomic<Int>>

    /// There, and nothing missed. Free it with `deallocate()`.
    init() {
        departure = .allocate(capacity: 1)
        departure.initialize(to: Atomic(0))
        misses = .allocate(capacity: 1)
        misses.initialize(to: Atomic(0))
    }

    /// Frees it; nobody may use it any more.
    func deallocate() {
        departure.deinitialize(count: 1)
        departure.deallocate()
        misses.deinitialize(count: 1)
        misses.deallocate()
    }

    /// Whether it is gone for good.
    var isGone: Bool { @_noLocks get { departure.pointee.load(ordering: .acquiring) != 0 } }

    /// Says that it is gone.
    @_noLocks
    func leave() { departure.pointee.store(1, ordering: .releasing) }

    /// Calls whose sound was not there in time.
    var missed: Int { misses.pointee.load(ordering: .relaxed) }

    /// Counts such a call.
    @_noLocks
    func miss() { misses.pointee.add(1, ordering: .relaxed) }
}
