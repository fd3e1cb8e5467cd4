import CRealtime
import Convolution
import Signal

/// Separation of speech from a sound field. It gives each talker's direction and voice in mono. The voice is the
/// talker's part of W, with its early reflections.
///
/// Analysis and learning use the newest sound. The output is `look` hops older, and its filters have also learnt from
/// the sound that follows it. Each call of `hear` processes one hop. Method and results:
/// `Documentation/explanation/audio-mix.md`.
struct SpeechSeparator: ~Copyable {
    private let tuning: AudioMixTuning
    private let transform: FieldTransform
    /// `[frame modulo (look + 2)][bin]`: spectra of the field.
    private let spectra: Row<Quad>
    private var analysis: DirectnessAnalysis
    private var onsets: OnsetVotes
    private var tracks: TalkerTracks
    private var noise: NoiseField
    /// Models of the two talkers.
    private var first: TalkerField, second: TalkerField
    /// Resolvers of the newest frames and of the output frames.
    private var learner: FieldResolver, heard: FieldResolver
    private var firstVoice: TalkerVoice, secondVoice: TalkerVoice
    private let pauses: PauseSmoothing
    /// `[bin]`: a talker's shares of the bins (`FieldResolver.shares`), averaged over neighbouring bins.
    private let likeness: Row<Float>
    /// Histogram of `likeness` in 64 steps from 0 to 1.
    private let tally: Row<Int>
    /// `[frame of the look-ahead][talker]`: directions of the talkers.
    private let places: Row<SIMD3<Float>>
    private var hops = 0
    /// Means over eight seconds of `FieldResolver.estimated` and `FieldResolver.expected`.
    private var estimated: Float = 0, expected: Float = 0
    /// Weight of the newest frame in a mean over eight seconds.
    private let longShare: Float

    /// `[voice][frame]`: voices of the output hop. The first rows are the talkers, and the following rows are the same
    /// talkers without late reverberation.
    let voices: PlanarBlock
    /// Directions of the talkers at the time of the sound in `voices`, as unit vectors.
    private(set) var directions = (SIMD3<Float>(1, 0, 0), SIMD3<Float>(1, 0, 0))

    /// Creates a separator without past sound. This takes some milliseconds. With look-ahead the separator occupies
    /// about 10 MB.
    init(_ tuning: AudioMixTuning) {
        self.tuning = tuning
        let windows = FieldTransform.windows(frame: tuning.frame, hop: tuning.hop, heard: tuning.heard)
        transform = FieldTransform(window: windows.analysis, bins: tuning.bins)
        spectra = Row((tuning.look + 2) * tuning.bins, .zero)
        analysis = DirectnessAnalysis(tuning)
        onsets = OnsetVotes(tuning)
        tracks = TalkerTracks(tuning)
        noise = NoiseField(tuning)
        first = TalkerField(tuning)
        second = TalkerField(tuning)
        learner = FieldResolver(tuning, waits: tuning.look > 0)
        heard = FieldResolver(tuning, waits: tuning.look > 0)
        firstVoice = TalkerVoice(tuning, window: windows.synthesis)
        secondVoice = TalkerVoice(tuning, window: windows.synthesis)
        longShare = Float(1 - prc_exp(-Double(tuning.hop) / tuning.rate / 8))
        pauses = PauseSmoothing(tuning)
        likeness = Row(tuning.bins, 0)
        tally = Row(64, 0)
        places = Row((tuning.look + 1) * TalkerTracks.limit, SIMD3(1, 0, 0))
        voices = PlanarBlock(channels: 2 * TalkerTracks.limit, frames: tuning.hop)
    }

    /// Clears all past sound.
    @_noLocks
    mutating func reset() {
        for i in 0..<spectra.count { spectra.base[i] = .zero }
        analysis.reset()
        onsets.reset()
        tracks.reset()
        noise.reset()
        first.reset()
        second.reset()
        learner.reset()
        heard.reset()
        firstVoice.reset()
        secondVoice.reset()
        for i in 0..<places.count { places.base[i] = SIMD3(1, 0, 0) }
        (hops, estimated, expected) = (0, 0, 0)
        for row in 0..<voices.channelCount { Samples.clear(voices[row], count: tuning.hop) }
    }

    /// Returns the state of a talker in the newest sound, or nil if no talker has this index.
    @_noLocks
    func talker(_ index: Int) -> TalkerState? {
        let track = tracks.talkers.base[index]
        guard track.isActive else { return nil }
        return index == 0
            ? firstVoice.presence.state(track) : secondVoice.presence.state(track)
    }

    /// Directness of the field, 0…1, over all bins of the analysis. It is 1 minus the diffuseness.
    var directness: Float { @_noLocks get { analysis.directness } }

    /// Analyses the newest hop of W, Y, Z and X and writes the next hop of `voices`. If `isField` is true, it also adds
    /// a frame of the direction analysis.
    @_noLocks
    mutating func hear(_ history: borrowing SourceHistory, isField: Bool) {
        let depth = tuning.look + 2
        transform.forward(history.window(tuning.frame), into: spectra.base + hops % depth * tuning.bins)
        if isField {
            analysis.hear(history.window(tuning.field))
            onsets.hear(history.window(tuning.field))
            tracks.follow(onsets.votes)
            aim()
        }
        for talker in 0..<2 {
            places.base[hops % (tuning.look + 1) * 2 + talker] = tracks.talkers.base[talker].direction
        }
        learn()
        if isField { watch() }
        if tuning.look == 0 {
            weigh(learner.estimated, learner.expected)
            make(learner.speech.base, learner.powers.base)
        } else if hops >= tuning.look - 1 {
            heard.resolve(spectra.base + (hops + 1 + depth - tuning.look) % depth * tuning.bins, noise, first, second)
            weigh(heard.estimated, heard.expected)
            make(heard.speech.base, heard.powers.base)
        }
        hops += 1
        directions = (place(0), place(1))
    }

    /// Amplitude of the stems relative to the talkers' voices, ½…1. A Wiener filter satisfies E ŝs* = E|ŝ|², so the
    /// amplitude is the ratio of Σ|ŝ|² to the power of the speech, both averaged over eight seconds.
    var portion: Float { @_noLocks get { expected > 1e-12 ? max(0.5, min(1, estimated / expected)) : 1 } }

    @_noLocks
    private mutating func weigh(_ estimate: Float, _ expectation: Float) {
        estimated += longShare * (estimate - estimated)
        expected += longShare * (expectation - expected)
    }

    /// Returns the direction of a talker at the time of the output.
    @_noLocks
    private func place(_ talker: Int) -> SIMD3<Float> { places.base[hops % (tuning.look + 1) * 2 + talker] }

    /// Passes the tracks to the talkers' fields and resets the state of new talkers.
    @_noLocks
    private mutating func aim() {
        let numbers = (first.number, second.number)
        first.aim(tracks.talkers.base[0])
        second.aim(tracks.talkers.base[1])
        if first.number != numbers.0 {
            firstVoice.welcome()
            welcome(0)
        }
        if second.number != numbers.1 {
            secondVoice.welcome()
            welcome(1)
        }
    }

    /// Clears the past of a new talker and sets its direction for the whole look-ahead.
    @_noLocks
    private mutating func welcome(_ talker: Int) {
        learner.forget(talker)
        heard.forget(talker)
        for frame in 0...tuning.look { places.base[frame * 2 + talker] = tracks.talkers.base[talker].direction }
    }

    /// Updates the models of talkers and noise with the frame that the learner has resolved.
    @_noLocks
    private mutating func learn() {
        let depth = tuning.look + 2, bins = tuning.bins
        learner.resolve(spectra.base + hops % depth * bins, noise, first, second)
        guard tuning.look == 0 || hops > 0 else { return }
        let x = spectra.base + (hops + depth - (tuning.look > 0 ? 1 : 0)) % depth * bins
        for talker in 0..<2 where tracks.talkers.base[talker].isActive { liken(talker) }
        let (one, two) = (first.isActive, second.isActive)
        for bin in 0..<bins {
            let p = one ? learner.shares.base[bin] : 0, q = two ? learner.shares.base[bins + bin] : 0
            let rest = max(0, 1 - p - q), phi = learner.noise.base[bin]
            noise.learn(bin, x[bin], weight: rest * rest / phi)
            let inverse = noise.inverses.base[bin]
            if one {
                first.learn(bin, x[bin], share: p, power: p * learner.powers.base[bin] + phi, inverse: inverse)
            }
            if two {
                second.learn(bin, x[bin], share: q, power: q * learner.powers.base[bins + bin] + phi, inverse: inverse)
            }
        }
        noise.renew()
        if one { firstVoice.presence.hear(learner.speech.base, learner.shares.base) }
        if two { secondVoice.presence.hear(learner.speech.base + bins, learner.shares.base + bins) }
    }

    /// Passes the newest frame of the direction analysis to the detection of speech.
    @_noLocks
    private mutating func watch() {
        let (one, two) = (tracks.talkers.base[0], tracks.talkers.base[1])
        if one.isActive {
            firstVoice.presence.hear(
                field: analysis.newest, one.direction, learner.shares.base, directness: analysis.directness)
        }
        if two.isActive {
            secondVoice.presence.hear(
                field: analysis.newest, two.direction, learner.shares.base + tuning.bins,
                directness: analysis.directness)
        }
    }

    /// Multiplies a talker's shares by a weight that increases with the shares of the neighbouring bins. Speech is
    /// broadband; a musical note is not.
    @_noLocks
    private mutating func liken(_ talker: Int) {
        let bins = tuning.bins, shares = learner.shares.base + talker * bins
        // A one-pole filter, forwards and backwards, averages over about 2.5 bins.
        var state: Float = 0
        for bin in 0..<bins {
            state += 0.43 * (shares[bin] - state)
            likeness.base[bin] = state
        }
        state = 0
        for i in 0..<tally.count { tally.base[i] = 0 }
        for bin in stride(from: bins - 1, through: 0, by: -1) {
            state += 0.43 * (likeness.base[bin] - state)
            likeness.base[bin] = state
            tally.base[min(63, Int(state * 64))] += 1
        }
        // Share that 2 % of the bins reach, in steps of 1/64.
        var reached = 0, step = 63
        while step > 0 {
            reached += tally.base[step]
            if reached * 50 >= bins { break }
            step -= 1
        }
        let high = Float(step) / 64
        let usual = max(
            (talker == 0 ? first.usual : second.usual) * (1 - 0.05 * Float(tuning.hop) / Float(tuning.rate)), high)
        if talker == 0 { first.usual = usual } else { second.usual = usual }
        for bin in 0..<bins { shares[bin] *= min(1, likeness.base[bin] / max(usual, 1e-3)) }
    }

    /// Writes the next hop of all voices from the estimates and the powers of the constrained filters.
    @_noLocks
    private mutating func make(_ speech: UnsafeMutablePointer<Complex>, _ powers: UnsafePointer<Float>) {
        pauses.smooth(speech, powers)
        pauses.smooth(speech + tuning.bins, powers + tuning.bins)
        firstVoice.make(speech, sure: tracks.talkers.base[0].sureness, transform, plain: voices[0], dry: voices[2])
        secondVoice.make(
            speech + tuning.bins, sure: tracks.talkers.base[1].sureness, transform, plain: voices[1], dry: voices[3])
    }
}
