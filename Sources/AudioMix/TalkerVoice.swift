import Signal

/// One talker's stem from bins to samples: opened and closed by how likely it is speech,
/// with and without late reverberation.
struct TalkerVoice: ~Copyable {
    var presence: SpeechPresence
    private var reverberation: LateReverberation
    private let synthesis: StemSynthesis
    private let plain: Row<Complex>, dry: Row<Complex>
    private var gate: Float = 0
    private let step: Float

    /// Silence.
    init(_ tuning: AudioMixTuning, window: [Float]) {
        presence = SpeechPresence(tuning)
        reverberation = LateReverberation(tuning)
        synthesis = StemSynthesis(tuning, window: window)
        plain = Row(tuning.bins, Complex(re: 0, im: 0))
        dry = Row(tuning.bins, Complex(re: 0, im: 0))
        step = Float(tuning.hop) / Float(tuning.rate) / 0.1
    }

    /// Silence again.
    @_noLocks
    mutating func reset() {
        presence.reset()
        reverberation.reset()
        synthesis.reset()
        gate = 0
    }

    /// Another talker begins.
    @_noLocks
    mutating func welcome() {
        presence.reset()
        gate = 0
    }

    /// The next hop of a talker whose track is `sure`, 0…1, from its bins.
    @_noLocks
    mutating func make(
        _ speech: UnsafePointer<Complex>, sure: Float, _ transform: borrowing FieldTransform,
        plain target: UnsafeMutablePointer<Float>, dry dryTarget: UnsafeMutablePointer<Float>
    ) {
        let wanted = sure * min(1, 2 * presence.value)
        gate += max(-step, min(step, wanted - gate))
        // Nothing is transformed where the stem is closed; what is known of its reverberation decays.
        for bin in 0..<plain.count { plain.base[bin] = speech[bin] * gate }
        reverberation.suppress(plain.base, into: dry.base)
        if gate > 0 { synthesis.add(plain.base, dry.base, transform) }
        synthesis.next(target, dryTarget)
    }
}
