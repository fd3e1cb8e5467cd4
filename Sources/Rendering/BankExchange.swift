import Signal
import Synchronization

/// A filter bank by its address, which may cross threads as a number.
struct BankReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// The bank at an address; `pointer` traps on one that is none.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The bank; alive as long as the renderer's record of it.
    var pointer: UnsafeMutablePointer<FilterBank> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}

/// Hands filter banks to the audio thread and back, wait-free.
///
/// Invariant: a bank's address is in exactly one place: `offered` (the last one published and not yet taken), the graph
/// (in use) or `retired` (done with). The thread that exchanges an address out of `offered` owns it.
struct BankExchange: Sendable {
    private struct Offer: ~Copyable, Sendable { let address = Atomic<UInt>(0) }
    private let offer: SharedPlace<Offer>
    private let retired: Ring<UInt>

    init() {
        offer = SharedPlace(Offer())
        retired = Ring(minimumCapacity: 8, filling: 0)
    }

    func deallocate() {
        offer.deallocate()
        retired.deallocate()
    }

    /// Offers a bank to the audio thread; returns the one offered before if it was never taken.
    func publish(_ bank: BankReference) -> BankReference? {
        let before = offer.pointee.address.exchange(bank.address, ordering: .acquiringAndReleasing)
        return before == 0 ? nil : BankReference(address: before)
    }

    /// The offered bank, if there is one and the one it replaces can be handed back. Audio thread.
    @_noLocks
    func take() -> BankReference? {
        guard offer.pointee.address.load(ordering: .relaxed) != 0, retired.count < retired.capacity else { return nil }
        let address = offer.pointee.address.exchange(0, ordering: .acquiringAndReleasing)
        return address == 0 ? nil : BankReference(address: address)
    }

    /// Hands back a bank that is no longer heard. Audio thread; `take` made sure of the room.
    @_noLocks
    func retire(_ bank: BankReference) { _ = retired.push(bank.address) }

    /// The next bank handed back. Off the audio thread, one thread at a time.
    func collect() -> BankReference? { retired.pop().map { BankReference(address: $0) } }
}
