import Signal
import Synchronization

/// Passes plans to the audio thread and back, wait-free.
///
/// Invariant: a plan's address is in exactly one place: `offered`, the stage (in use) or `retired`. Plans are published
/// one after the other, each after the change of the previous one, so that `retired` never holds more than two.
struct InsertExchange: ~Copyable, Sendable {
    private let offered = Atomic<UInt>(0)
    private let finished = Atomic<Int>(0)
    private let retired = Ring<UInt>(minimumCapacity: 8, filling: 0)

    deinit { retired.deallocate() }

    /// Offers a plan to the audio thread.
    func publish(_ plan: UnsafeMutablePointer<InsertPlan>) {
        offered.store(UInt(bitPattern: plan), ordering: .releasing)
    }

    /// Withdraws an offered plan; nil if the audio thread has taken it.
    func withdraw() -> UnsafeMutablePointer<InsertPlan>? { take() }

    /// Returns the offered plan, nil without one. Audio thread.
    @_noLocks
    func take() -> UnsafeMutablePointer<InsertPlan>? {
        guard offered.load(ordering: .relaxed) != 0 else { return nil }
        return UnsafeMutablePointer(bitPattern: offered.exchange(0, ordering: .acquiring))
    }

    /// Hands back a plan that is out of use. Audio thread.
    @_noLocks
    func retire(_ plan: UnsafeMutablePointer<InsertPlan>) { _ = retired.push(UInt(bitPattern: plan)) }

    /// Records that the change of a plan is complete. Audio thread.
    @_noLocks
    func done(_ serial: Int) { finished.store(serial, ordering: .releasing) }

    /// Number of the newest plan whose change is complete.
    var completed: Int { finished.load(ordering: .acquiring) }

    /// Returns the next plan handed back, nil without one.
    func collect() -> UnsafeMutablePointer<InsertPlan>? {
        retired.pop().flatMap { UnsafeMutablePointer(bitPattern: $0) }
    }
}
