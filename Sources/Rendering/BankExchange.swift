import Signal
import Synchronization

/// Address of a filter bank, as a number that can be passed between threads.
struct BankReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// Stores an address; `pointer` traps on 0.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The bank. It is valid until the renderer frees it.
    var pointer: UnsafeMutablePointer<FilterBank> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}

/// Passes filter banks to the audio thread and back, wait-free. Rooms, headphone filters and decoding filters are
/// passed in the same way.
///
/// Invariant: each bank's address is in exactly one place. The places are `offer` (the bank published last, until it is
/// taken), the `StageGraph` (banks in use) and `retired` (banks that are no longer used). The thread that exchanges an
/// address out of `offer` owns the bank.
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

    /// Offers a bank to the audio thread. Returns the bank offered before, if the audio thread has not taken it.
    func publish(_ bank: BankReference) -> BankReference? {
        let before = offer.pointee.address.exchange(bank.address, ordering: .acquiringAndReleasing)
        return before == 0 ? nil : BankReference(address: before)
    }

    /// Returns the offered bank. Returns nil if none is offered or `retired` is full. Called on the audio thread.
    @_noLocks
    func take() -> BankReference? {
        guard offer.pointee.address.load(ordering: .relaxed) != 0, retired.count < retired.capacity else { return nil }
        let address = offer.pointee.address.exchange(0, ordering: .acquiringAndReleasing)
        return address == 0 ? nil : BankReference(address: address)
    }

    /// Gives back a bank that is no longer used, so that another thread can free it. `take` has checked that `retired`
    /// has room. Called on the audio thread.
    @_noLocks
    func retire(_ bank: BankReference) { _ = retired.push(bank.address) }

    /// Returns the next bank that the audio thread has given back, or nil if there is none. Called on one thread at a
    /// time, not on the audio thread.
    func collect() -> BankReference? { retired.pop().map { BankReference(address: $0) } }
}
