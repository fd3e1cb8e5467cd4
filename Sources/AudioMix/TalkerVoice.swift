import Signal

/// One talker's stem from bins to samples: opened and closed by how likely it is speech, with and without late reverberation.
struct TalkerVoice: ~Copyable {
    var presence: SpeechPresence
    private var reverberation: LateReverberation
    private let plain: StemSynthesis, dry: StemSynthesis
    private let work: Row<Complex>
    private var gate: Float = 0
    private let step: Float

    /// Silence.
    init(_ tuning: AudioMixTuning, window: [Float]) {
        presence = SpeechPresence(tuning)
        reverberation = LateReverberation(tuning)
        plain = StemSynthesis(tuning, window: window)
        dry = StemSynthesis(tuning, window: window)
        work = Row(tuning.bins, Complex(re: 0, im: 0))
        step = Float(tuning.hop) / Float(tuning.rate) / 0.1
    }

    /// Silence again.
    @_noLocks
    mutating func reset() {
        presence.reset()
        reverberation.reset()
        plain.reset()
        dry.reset()
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
        for bin in 0..<work.count { work.base[bin] = speech[bin] * gate }
        plain.next(work.base, transform, into: target)
        reverberation.suppress(work.base, into: work.base)
        dry.next(work.base, transform, into: dryTarget)
    }
}
