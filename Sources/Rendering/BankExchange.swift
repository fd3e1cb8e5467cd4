import Signal
import Synchronization

/// Address of a filter bank, as a number that may cross threads.
struct BankReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// Stores an address; `pointer` traps on 0.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The bank; valid until the renderer frees it.
    var pointer: UnsafeMutablePointer<FilterBank> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}

/// Passes filter banks to the audio thread and back, wait-free.
///
/// Invariant: a bank's address is in exactly one place: `offered` (published last and not yet taken), the graph (in
/// use) or `retired` (out of use). The thread that exchanges an address out of `offered` owns it.
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

    /// Offers a bank to the audio thread; returns the one offered before if it was not taken.
    func publish(_ bank: BankReference) -> BankReference? {
        let before = offer.pointee.address.exchange(bank.address, ordering: .acquiringAndReleasing)
        return before == 0 ? nil : BankReference(address: before)
    }

    /// Returns the offered bank; nil without one, or while `retired` is full. Audio thread.
    @_noLocks
    func take() -> BankReference? {
        guard offer.pointee.address.load(ordering: .relaxed) != 0, retired.count < retired.capacity else { return nil }
        let address = offer.pointee.address.exchange(0, ordering: .acquiringAndReleasing)
        return address == 0 ? nil : BankReference(address: address)
    }

    /// Hands back a bank that is out of use. Audio thread; `take` has checked that `retired` has room.
    @_noLocks
    func retire(_ bank: BankReference) { _ = retired.push(bank.address) }

    /// Returns the next bank handed back, or nil. Off the audio thread, one thread at a time.
    func collect() -> BankReference? { retired.pop().map { BankReference(address: $0) } }
}
