import Signal

/// Synthesis of one talker's stem from bins to samples, with and without late reverberation. The likelihood of speech
/// controls a gate for the stem.
struct TalkerVoice: ~Copyable {
    var presence: SpeechPresence
    private var reverberation: LateReverberation
    private let synthesis: StemSynthesis
    /// `[bin]`: the stem with and without late reverberation.
    private let plain: Row<Complex>, dry: Row<Complex>
    /// Gain of the stem, 0…1.
    private var gate: Float = 0
    /// Largest change of `gate` per hop.
    private let step: Float

    /// Creates a voice in its silent initial state.
    init(_ tuning: AudioMixTuning, window: [Float]) {
        presence = SpeechPresence(tuning)
        reverberation = LateReverberation(tuning)
        synthesis = StemSynthesis(tuning, window: window)
        plain = Row(tuning.bins, Complex(re: 0, im: 0))
        dry = Row(tuning.bins, Complex(re: 0, im: 0))
        step = Float(tuning.hop) / Float(tuning.rate) / 0.1
    }

    /// Returns to the silent initial state.
    @_noLocks
    mutating func reset() {
        presence.reset()
        reverberation.reset()
        synthesis.reset()
        gate = 0
    }

    /// Resets the speech presence and the gate for a new talker.
    @_noLocks
    mutating func welcome() {
        presence.reset()
        gate = 0
    }

    /// Writes the next hop of the talker from its bins. `sure` is the confidence in the track, 0…1.
    @_noLocks
    mutating func make(
        _ speech: UnsafePointer<Complex>, sure: Float, _ transform: borrowing FieldTransform,
        plain target: UnsafeMutablePointer<Float>, dry dryTarget: UnsafeMutablePointer<Float>
    ) {
        let wanted = sure * min(1, 2 * presence.value)
        gate += max(-step, min(step, wanted - gate))
        // A closed gate needs no transform. The estimate of late reverberation still decays.
        for bin in 0..<plain.count { plain.base[bin] = speech[bin] * gate }
        reverberation.suppress(plain.base, into: dry.base)
        if gate > 0 { synthesis.add(plain.base, dry.base, transform) }
        synthesis.next(target, dryTarget)
    }
}
