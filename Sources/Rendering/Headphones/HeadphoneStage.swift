import Signal
import Synchronization

/// Headphone equalisation in the output stage: after the ears' plugins, before the guard.
///
/// One player is audible at a time. The next runs unheard until its memory is full; then a crossfade follows. Both have
/// minimum phase and the same input, so that their sum has no notch. Adds no latency. Without an equalisation no bit
/// changes. Made and freed by `HeadphoneRenderer`, reached by pointer on the audio thread.
struct HeadphoneStage: ~Copyable {
    /// Switch of the equalisation; set by any thread.
    struct Switch: ~Copyable, Sendable { let isOn = Atomic<Bool>(true) }

    private let slice: Int
    private let exchange: BankExchange
    private let flag: UnsafeMutablePointer<Switch>
    private var current: HeadphoneReference?
    private var next: HeadphoneReference?
    /// Frames for which the next player still runs unheard.
    private var warmUp = 0
    /// Share of the next player, 0…1.
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

    /// State of the switch, as any thread set it last, this one included.
    var isWanted: Bool {
        @_noLocks get { flag.pointee.isOn.load(ordering: .relaxed) }
        @_noLocks nonmutating set { flag.pointee.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Applies the switch and the player offered last, from the next sample on. Returns whether the equalisation, the
    /// next one if any, is on; nil without one.
    @_noLocks
    mutating func beginSlice() -> Bool? {
        isOn = isWanted
        takeOffer()
        if case .some(let coming) = next { return coming.pointer.pointee.isIdentity ? nil : isOn }
        guard case .some(let present) = current, !present.pointer.pointee.isIdentity else { return nil }
        return isOn
    }

    /// Resets to silence; the switch and the next player apply at once.
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

    /// Takes the player offered last.
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

    /// Processes `count` frames in place, with the switch as at the slice's beginning.
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
