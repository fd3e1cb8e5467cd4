import Signal
import Synchronization

/// Passes plans of the plugin chains (`InsertPlan`) to the audio thread and back, wait-free.
///
/// Invariant: each plan's address is in exactly one place: `offered`, the `InsertStage` (in use) or `retired`. Plans
/// are published one after the other, each after the change of the previous plan is complete. `retired` therefore never
/// has more than two plans.
struct InsertExchange: ~Copyable, Sendable {
    /// Address of the plan that the audio thread has not taken yet; 0 without such a plan.
    private let offered = Atomic<UInt>(0)
    /// Number of the newest plan whose change is complete.
    private let finished = Atomic<Int>(0)
    /// Addresses of plans that are out of use.
    private let retired = Ring<UInt>(minimumCapacity: 8, filling: 0)

    deinit { retired.deallocate() }

    /// Offers a plan to the audio thread. Called by the control side.
    func publish(_ plan: UnsafeMutablePointer<InsertPlan>) {
        offered.store(UInt(bitPattern: plan), ordering: .releasing)
    }

    /// Withdraws the offered plan. Returns nil if the audio thread has taken it. Called by the control side.
    func withdraw() -> UnsafeMutablePointer<InsertPlan>? { take() }

    /// Returns the offered plan; nil if there is none. Called on the audio thread, and by `withdraw`.
    @_noLocks
    func take() -> UnsafeMutablePointer<InsertPlan>? {
        guard offered.load(ordering: .relaxed) != 0 else { return nil }
        return UnsafeMutablePointer(bitPattern: offered.exchange(0, ordering: .acquiring))
    }

    /// Returns a plan that is out of use to the control side. Called on the audio thread.
    @_noLocks
    func retire(_ plan: UnsafeMutablePointer<InsertPlan>) { _ = retired.push(UInt(bitPattern: plan)) }

    /// Records that the change of a plan is complete. Called on the audio thread.
    @_noLocks
    func done(_ serial: Int) { finished.store(serial, ordering: .releasing) }

    /// Number of the newest plan whose change is complete. It may be read on any thread.
    var completed: Int { finished.load(ordering: .acquiring) }

    /// Returns the next plan that the audio thread has returned; nil if there is none. Called by the control side.
    func collect() -> UnsafeMutablePointer<InsertPlan>? {
        retired.pop().flatMap { UnsafeMutablePointer(bitPattern: $0) }
    }
}
