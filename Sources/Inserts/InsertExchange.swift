import Signal
import Synchronization

/// Hands plans to the audio thread and back, wait-free.
///
/// Invariant: a plan's address is in exactly one place: `offered`, the stage (in use) or `retired`. Plans are published
/// one after the other, each when the one before is done, so that `retired` never holds more than two.
struct InsertExchange: ~Copyable, Sendable {
    private let offered = Atomic<UInt>(0)
    private let finished = Atomic<Int>(0)
    private let retired = Ring<UInt>(minimumCapacity: 8, filling: 0)

    deinit { retired.deallocate() }

    /// Offers a plan to the audio thread.
    func publish(_ plan: UnsafeMutablePointer<InsertPlan>) {
        offered.store(UInt(bitPattern: plan), ordering: .releasing)
    }

    /// Takes back a plan that the audio thread has not taken; nil where it has.
    func withdraw() -> UnsafeMutablePointer<InsertPlan>? { take() }

    /// The offered plan, if there is one. Audio thread.
    @_noLocks
    func take() -> UnsafeMutablePointer<InsertPlan>? {
        guard offered.load(ordering: .relaxed) != 0 else { return nil }
        return UnsafeMutablePointer(bitPattern: offered.exchange(0, ordering: .acquiring))
    }

    /// Hands back a plan that is no longer in use. Audio thread.
    @_noLocks
    func retire(_ plan: UnsafeMutablePointer<InsertPlan>) { _ = retired.push(UInt(bitPattern: plan)) }

    /// Notes that the change of a plan is complete. Audio thread.
    @_noLocks
    func done(_ serial: Int) { finished.store(serial, ordering: .releasing) }

    /// The newest plan whose change is complete.
    var completed: Int { finished.load(ordering: .acquiring) }

    /// The next plan handed back.
    func collect() -> UnsafeMutablePointer<InsertPlan>? {
        retired.pop().flatMap { UnsafeMutablePointer(bitPattern: $0) }
    }
}
