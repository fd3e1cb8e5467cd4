import Signal
import Synchronization

/// State of an isolated instance in this process, which the audio thread and the control side share. The value is a
/// handle: copies refer to the same state.
struct IsolatedState: Sendable {
    /// Reason why an instance has gone, as stored in `departure`.
    enum Departure: UInt8, Sendable {
        /// The process of the instance ended.
        case ended = 1
        /// The process of the instance did not answer.
        case silent
        /// The instance wrote impossible values into the memory that it shares with the host; equals
        /// `PluginProcessor.trespass`.
        case overwritten = 255
    }

    /// `Departure` of the instance; 0 while it runs.
    let departure: SharedPlace<Atomic<UInt8>>
    private let misses: SharedPlace<Atomic<Int>>

    /// Creates the state of a running instance without missed calls. Free it with `deallocate()`.
    init() {
        departure = SharedPlace(Atomic(0))
        misses = SharedPlace(Atomic(0))
    }

    /// Frees the state; it must not be used afterwards.
    func deallocate() {
        departure.deallocate()
        misses.deallocate()
    }

    /// Whether the instance has gone permanently.
    var isGone: Bool { @_noLocks get { departure.pointee.load(ordering: .acquiring) != 0 } }

    /// Reason why the instance has gone; nil while it runs.
    var reason: Departure? { Departure(rawValue: departure.pointee.load(ordering: .acquiring)) }

    /// Marks the instance as gone. The first reason is kept.
    @_noLocks
    func leave(_ reason: Departure) {
        _ = departure.pointee.compareExchange(expected: 0, desired: reason.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Number of calls whose output was late.
    var missed: Int { misses.pointee.load(ordering: .relaxed) }

    /// Counts a call whose output was late.
    @_noLocks
    func miss() { misses.pointee.add(1, ordering: .relaxed) }
}
