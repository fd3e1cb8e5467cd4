import CRealtime
import Convolution
import Headphones
import Signal

/// One equalisation of headphones at work on both ears, and what is heard in its place while it is switched off.
///
/// Made off the audio thread; on it reached by pointer, handed over and back by `HeadphoneStage`.
struct HeadphonePlayer: ~Copyable {
    /// It changes no bit.
    let isIdentity: Bool
    /// Frames for which it runs unheard before it is heard, so that it is full of sound.
    let warmUp: Int
    private let gains: SIMD2<Double>
    /// The gain of the sound without it that is as loud as with it.
    private let matched: Float
    private var sections: EarSections
    /// nil without curves.
    private let convolver: UnsafeMutablePointer<EarConvolver>?
    /// 1 where it is heard, 0 where what is as loud is.
    private var share: SmoothGain
    private let dry: PlanarBlock

    /// A filter; nil: nothing is done.
    init(_ filter: HeadphoneFilter?, slice: Int, sampleRate: Double) {
        isIdentity = filter == nil
        let ears = filter?.ears ?? []
        gains = filter == nil ? SIMD2(1, 1) : SIMD2(ears[0].gain, ears[1].gain)
        matched = filter.map { Float(Decibels($0.loudness).amplitude) } ?? 1
        sections = EarSections(left: ears.first?.sections ?? [], right: ears.last?.sections ?? [])
        if ears.contains(where: { !$0.taps.isEmpty }) {
            // An ear without curves gets what it is sent.
            let taps = ears.map { $0.taps.isEmpty ? [1] : $0.taps }
            let memory = UnsafeMutablePointer<EarConvolver>.allocate(capacity: 1)
            memory.initialize(to: EarConvolver(left: taps[0], right: taps[1], slice: slice))
            convolver = memory
        } else {
            convolver = nil
        }
        warmUp = filter?.ringing ?? 0
        share = SmoothGain(1, sampleRate: sampleRate)
        dry = PlanarBlock(channels: 2, frames: slice)
    }

    deinit {
        convolver?.deinitialize(count: 1)
        convolver?.deallocate()
    }

    /// Forgets everything heard, and is heard or not at once.
    @_noLocks
    mutating func reset(isOn: Bool) {
        convolver?.pointee.reset()
        sections.reset()
        share.jump(to: isOn ? 1 : 0)
    }

    /// Works on `count` frames in place, at most a slice.
    @_noLocks
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, isOn: Bool
    ) {
        if isIdentity { return }
        share.aim(at: isOn ? 1 : 0)
        let isAlone = share.rests(at: 1)
        if !isAlone {
            Samples.copy(left, to: dry[0], count: count)
            Samples.copy(right, to: dry[1], count: count)
        }
        convolver?.pointee.process(left, right, count: count)
        sections.process(left, right, frames: count, gains: gains)
        if isAlone { return }
        mix(dry[0], to: left, count: count)
        mix(dry[1], to: right, count: count)
        share.advance(count)
    }

    /// Between the sound as it was and the filtered one.
    @_noLocks
    private func mix(_ dry: UnsafePointer<Float>, to row: UnsafeMutablePointer<Float>, count: Int) {
        for i in 0..<count {
            let part = share.value(ahead: i)
            let plain = matched * dry[i]
            row[i] = part == 0 ? plain : plain + (row[i] - plain) * part
        }
    }
}

/// A player by its address, which may cross threads as a number.
struct HeadphoneReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// The player at an address.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The player; alive as long as its owner's record of it.
    var pointer: UnsafeMutablePointer<HeadphonePlayer> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}
