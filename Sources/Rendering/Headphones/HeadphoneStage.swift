import Signal
import Synchronization

/// Headphone equalisation in the output stage, after the ears' plugins and before the output limiter.
///
/// One player (a filter with its memory) is audible at a time. The next player runs unheard until its memory is full;
/// then a crossfade follows. Both players have minimum phase and the same input, so their sum has no notches. The stage
/// adds no latency. Without an equalisation it changes no bit. `HeadphoneRenderer` makes and frees the stage; the audio
/// thread uses it by pointer.
struct HeadphoneStage: ~Copyable {
    /// Switch of the equalisation. Any thread may set it.
    struct Switch: ~Copyable, Sendable { let isOn = Atomic<Bool>(true) }

    private let slice: Int
    private let exchange: BankExchange
    private let flag: UnsafeMutablePointer<Switch>
    private var current: HeadphoneReference?
    private var next: HeadphoneReference?
    /// Frames for which the next player still runs unheard.
    private var warmUp = 0
    /// Share of the next player in the output, 0…1.
    private var share: SmoothGain
    private let other: PlanarBlock
    private var hasBegun = false
    /// Whether the equalisation is on in this slice.
    private var isOn = true

    /// Makes a stage without an equalisation.
    init(slice: Int, sampleRate: Double, exchange: BankExchange, flag: UnsafeMutablePointer<Switch>) {
        self.slice = slice
        self.exchange = exchange
        self.flag = flag
        share = SmoothGain(0, sampleRate: sampleRate)
        other = PlanarBlock(channels: 2, frames: slice)
    }

    /// Setting of the switch. Any thread may read or set it.
    var isWanted: Bool {
        @_noLocks get { flag.pointee.isOn.load(ordering: .relaxed) }
        @_noLocks nonmutating set { flag.pointee.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Applies the switch, and takes the player that was offered last, both from the next sample on. Returns whether
    /// the equalisation is on, or nil without an equalisation. A player that is about to replace the present one
    /// already counts.
    @_noLocks
    mutating func beginSlice() -> Bool? {
        isOn = isWanted
        takeOffer()
        if case .some(let coming) = next { return coming.pointer.pointee.isIdentity ? nil : isOn }
        guard case .some(let present) = current, !present.pointer.pointee.isIdentity else { return nil }
        return isOn
    }

    /// Resets to silence. The switch and the next player apply immediately.
    @_noLocks
    mutating func restart() {
        if let coming = next {
            if let old = current { exchange.retire(BankReference(address: old.address)) }
            current = coming
            next = nil
            share.jump(to: 0)
        }
        hasBegun = false
        isOn = isWanted
        current?.pointer.pointee.reset(isOn: isOn)
    }

    /// Takes the player that was offered last, if no player is about to replace the present one.
    @_noLocks
    private mutating func takeOffer() {
        if case .some = next { return }
        guard let address = exchange.take()?.address else { return }
        let coming = HeadphoneReference(address: address)
        coming.pointer.pointee.reset(isOn: isOn)
        if hasBegun {
            next = coming
            warmUp = coming.pointer.pointee.warmUp
            share.jump(to: 0)
        } else {
            if let old = current { exchange.retire(BankReference(address: old.address)) }
            current = coming
        }
    }

    /// Processes `count` frames in place, with the switch set as at the slice's beginning.
    @_noLocks
    mutating func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        hasBegun = true
        var done = 0
        while done < count {
            let part = min(slice, count - done)
            render(left + done, right + done, count: part)
            done += part
        }
    }

    @_noLocks
    private mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
    ) {
        guard let coming = next else {
            current?.pointer.pointee.process(left, right, count: count, isOn: isOn)
            return
        }
        Samples.copy(left, to: other[0], count: count)
        Samples.copy(right, to: other[1], count: count)
        current?.pointer.pointee.process(left, right, count: count, isOn: isOn)
        coming.pointer.pointee.process(other[0], other[1], count: count, isOn: isOn)
        guard warmUp <= 0 else {
            warmUp -= count
            return
        }
        share.aim(at: 1)
        for i in 0..<count {
            let part = share.value(ahead: i)
            left[i] += (other[0][i] - left[i]) * part
            right[i] += (other[1][i] - right[i]) * part
        }
        share.advance(count)
        guard share.rests(at: 1) else { return }
        if let old = current { exchange.retire(BankReference(address: old.address)) }
        current = coming
        next = nil
        share.jump(to: 0)
    }
}
