import CRealtime
import Convolution
import Headphones
import Signal

/// One headphone equalisation of both ears. When it is switched off, dry sound of equal loudness replaces it.
///
/// A player is made off the audio thread. `HeadphoneStage` uses it by pointer on the audio thread, and returns it.
struct HeadphonePlayer: ~Copyable {
    /// Whether the player passes every sample unchanged.
    let isIdentity: Bool
    /// Frames for which the filter runs unheard before it fades in, to fill its memory.
    let warmUp: Int
    /// Linear gains of the left and the right ear.
    private let gains: SIMD2<Double>
    /// Linear gain that makes the dry sound as loud as the equalised sound.
    private let matched: Float
    private var sections: EarSections
    /// Convolver for the parts of the equalisation that are curves; nil without curves.
    private let convolver: UnsafeMutablePointer<EarConvolver>?
    /// Share of the equalised sound: 1 is equalised, 0 is dry.
    private var share: SmoothGain
    private let dry: PlanarBlock

    /// Prepares a filter. If `filter` is nil, the player changes no sample.
    init(_ filter: HeadphoneFilter?, slice: Int, sampleRate: Double) {
        isIdentity = filter == nil
        let ears = filter?.ears ?? []
        gains = filter == nil ? SIMD2(1, 1) : SIMD2(ears[0].gain, ears[1].gain)
        matched = filter.map { Float(Decibels($0.loudness).amplitude) } ?? 1
        sections = EarSections(left: ears.first?.sections ?? [], right: ears.last?.sections ?? [])
        if ears.contains(where: { !$0.taps.isEmpty }) {
            // An ear without curves is convolved with a unit impulse.
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

    /// Resets to silence, and switches on or off without a fade.
    @_noLocks
    mutating func reset(isOn: Bool) {
        convolver?.pointee.reset()
        sections.reset()
        share.jump(to: isOn ? 1 : 0)
    }

    /// Processes `count` frames, at most a slice, in place. `isOn` selects the equalised sound, otherwise the dry
    /// sound.
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

    /// Crossfades from the dry to the equalised sound by `share`. The result replaces `row`, the equalised sound.
    @_noLocks
    private func mix(_ dry: UnsafePointer<Float>, to row: UnsafeMutablePointer<Float>, count: Int) {
        for i in 0..<count {
            let part = share.value(ahead: i)
            let plain = matched * dry[i]
            row[i] = part == 0 ? plain : plain + (row[i] - plain) * part
        }
    }
}

/// Address of a player, as a number that can be passed between threads.
struct HeadphoneReference: BitwiseCopyable, Sendable, Hashable {
    let address: UInt

    /// Stores an address.
    @_noLocks
    init(address: UInt) { self.address = address }

    /// The player. It is valid until its owner frees it.
    var pointer: UnsafeMutablePointer<HeadphonePlayer> {
        @_noLocks get { UnsafeMutablePointer(bitPattern: address)! }
    }
}
