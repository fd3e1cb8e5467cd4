import Signal
import Synchronization

/// What the audio thread and the control side know of an isolated instance, in this process. A handle: copies are the
/// same.
struct IsolatedState: Sendable {
    /// Why an instance is gone; how `departure` has it.
    enum Departure: UInt8, Sendable {
        /// Its process ended.
        case ended = 1
        /// It did not answer.
        case silent
        /// It wrote what cannot be over the memory that it shares with the host; `PluginProcessor.trespass`.
        case overwritten = 255
    }

    /// Other than 0 once it is gone: a `Departure`.
    let departure: SharedPlace<Atomic<UInt8>>
    private let misses: SharedPlace<Atomic<Int>>

    /// There, and nothing missed. Free it with `deallocate()`.
    init() {
        departure = SharedPlace(Atomic(0))
        misses = SharedPlace(Atomic(0))
    }

    /// Frees it; it may not be used any more.
    func deallocate() {
        departure.deallocate()
        misses.deallocate()
    }

    /// Whether it is gone for good.
    var isGone: Bool { @_noLocks get { departure.pointee.load(ordering: .acquiring) != 0 } }

    /// Why it is gone; nil while it is there.
    var reason: Departure? { Departure(rawValue: departure.pointee.load(ordering: .acquiring)) }

    /// Says that it is gone; the first reason stays.
    @_noLocks
    func leave(_ reason: Departure) {
        _ = departure.pointee.compareExchange(expected: 0, desired: reason.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Calls whose sound was not there in time.
    var missed: Int { misses.pointee.load(ordering: .relaxed) }

    /// Counts such a call.
    @_noLocks
    func miss() { misses.pointee.add(1, ordering: .relaxed) }
}
