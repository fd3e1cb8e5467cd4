import Signal
import Synchronization

/// State of an isolated instance that audio thread and control side share, in this process. A handle: copies refer to
/// the same state.
struct IsolatedState: Sendable {
    /// Reason why an instance is gone, as stored in `departure`.
    enum Departure: UInt8, Sendable {
        /// Its process ended.
        case ended = 1
        /// Its process did not answer.
        case silent
        /// It wrote impossible values into the memory shared with the host; `PluginProcessor.trespass`.
        case overwritten = 255
    }

    /// `Departure` of the instance; 0 while it runs.
    let departure: SharedPlace<Atomic<UInt8>>
    private let misses: SharedPlace<Atomic<Int>>

    /// Makes the state of a running instance without missed calls. Freed with `deallocate()`.
    init() {
        departure = SharedPlace(Atomic(0))
        misses = SharedPlace(Atomic(0))
    }

    /// Frees the state; it must not be used afterwards.
    func deallocate() {
        departure.deallocate()
        misses.deallocate()
    }

    /// Whether the instance is gone for good.
    var isGone: Bool { @_noLocks get { departure.pointee.load(ordering: .acquiring) != 0 } }

    /// Reason why the instance is gone; nil while it runs.
    var reason: Departure? { Departure(rawValue: departure.pointee.load(ordering: .acquiring)) }

    /// Marks the instance as gone; the first reason stays.
    @_noLocks
    func leave(_ reason: Departure) {
        _ = departure.pointee.compareExchange(expected: 0, desired: reason.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Calls whose output was not there in time.
    var missed: Int { misses.pointee.load(ordering: .relaxed) }

    /// Counts a call whose output was not there in time.
    @_noLocks
    func miss() { misses.pointee.add(1, ordering: .relaxed) }
}
