import Signal
import Synchronization

/// The headphones' equalisation in the output stage: behind the ears' plugins, before the guard.
///
/// One player is heard at a time. The next runs unheard until it is full of sound and then fades in while the other
/// fades out; both are of minimum phase and hear the same, so that their sum has no hole. Adds no latency. While there
/// is none, no bit is changed. Made and freed by `HeadphoneRenderer`, reached by pointer on the audio thread.
struct HeadphoneStage: ~Copyable {
    /// Whether it is to be heard; set by any thread.
    struct Switch: ~Copyable, Sendable { let isOn = Atomic<Bool>(true) }

    private let slice: Int
    private let exchange: BankExchange
    private let flag: UnsafeMutablePointer<Switch>
    private var current: HeadphoneReference?
    private var next: HeadphoneReference?
    /// Frames that the next one still runs unheard.
    private var warmUp = 0
    /// 1 where the next is heard alone.
    private var share: SmoothGain
    private let other: PlanarBlock
    private var hasBegun = false
    /// Whether it is to be heard in this slice.
    private var isOn = true

    /// Without an equalisation.
    init(slice: Int, sampleRate: Double, exchange: BankExchange, flag: UnsafeMutablePointer<Switch>) {
        self.slice = slice
        self.exchange = exchange
        self.flag = flag
        share = SmoothGain(0, sampleRate: sampleRate)
        other = PlanarBlock(channels: 2, frames: slice)
    }

    /// Whether it is to be heard, as was said last by any thread, this one too.
    var isWanted: Bool {
        @_noLocks get { flag.pointee.isOn.load(ordering: .relaxed) }
        @_noLocks nonmutating set { flag.pointee.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Takes over what was asked for and offered last, from the next sample on; whether it is to be heard, nil where
    /// there is no equalisation, nor one to come.
    @_noLocks
    mutating func beginSlice() -> Bool? {
        isOn = isWanted
        takeOffer()
        if case .some(let coming) = next { return coming.pointer.pointee.isIdentity ? nil : isOn }
        guard case .some(let present) = current, !present.pointer.pointee.isIdentity else { return nil }
        return isOn
    }

    /// Begins anew with silence: what was asked for is in force at once.
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

    /// Takes over what was offered last.
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

    /// Works on `count` frames in place, as was asked for when the slice began.
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
