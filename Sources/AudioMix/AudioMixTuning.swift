import CRealtime
import Signal

/// Numbers of the separation for one latency and rate. Lengths were found on the scenes that
/// `Documentation/audio-mix.md` names.
struct AudioMixTuning: Sendable {
    /// Samples per frame of the separation, N, and between frames.
    let frame: Int, hop: Int
    /// Samples of a frame that are heard: all, or its newest end.
    let heard: Int
    /// Frames by which what is heard lies behind what is learnt.
    let look: Int
    /// Samples per frame of the direction analysis, and hops between its frames.
    let field: Int, fieldHops: Int
    /// Bins up to 12 kHz, from which on all sound is ambience.
    let bins: Int
    /// Bins of the direction analysis up to 5 kHz.
    let fieldBins: Int
    /// Samples per second.
    let rate: Double
    /// Forgetting per hop of what is known of talkers and of the noise.
    let memory: Float
    /// Share of the last frame's estimate in the next frame's expectation (Ephraim & Malah 1984, eq. 51).
    let decision: Float
    /// Frames of a diffuse field, and of a plane wave from the talker, that are taken for known at first.
    let diffusePrior: Float, wavePrior: Float
    /// Mean harmonicity from which on a sound is speech, and from which on it is a note:
    /// nothing at the first of each, all at the second.
    struct Voicing: BitwiseCopyable {
        var speech: (from: Float, to: Float), note: (from: Float, to: Float)
    }
    /// What frames of this length see of it: in voices alone and among noise at least 0.34 (`live` 0.20), at most 0.74
    /// (0.58); in traffic, steps, clicks and applause at most 0.27 (0.16),
    /// in notes and melodies of one instrument at least 0.82 (0.72).
    let voicing: Voicing
    /// Share of independent noise in every channel that the noise is taken to have, of its power.
    let load: Float

    /// Where speech begins, Hz: below is ambience.
    static var lowestHz: Float { @_noLocks get { 90 } }

    /// The numbers for a latency. Frames keep their duration (`SampleRate.frameScale`).
    init(_ latency: AudioMixLatency, sampleRate: SampleRate) {
        let memorySeconds: Double
        rate = sampleRate.hertz
        field = Int(4096 * sampleRate.frameScale)
        switch latency {
        case .player:
            // A transform of 3·2^a samples.
            (frame, hop, look) = (field / 2 * 3, field / 8 * 3, 27)
            heard = frame
            (diffusePrior, wavePrior, memorySeconds, decision) = (60, 0.6, 6, 0.7)
            voicing = Voicing(speech: (0.27, 0.33), note: (0.75, 0.81))
        case .live:
            (frame, hop, look) = (field / 4, Int(0.005 * rate), 0)
            heard = 2 * hop
            (diffusePrior, wavePrior, memorySeconds, decision) = (2000, 3, 2, 0.75)
            voicing = Voicing(speech: (0.16, 0.2), note: (0.6, 0.66))
        }
        fieldHops = max(1, Int((Double(field / 4) / Double(hop)).rounded()))
        bins = min(frame / 2, Int(12_000 / rate * Double(frame)))
        fieldBins = min(field / 2, Int(5000 / rate * Double(field)))
        memory = Float(prc_exp(-Double(hop) / rate / memorySeconds))
        load = 0.02
    }

    /// Samples from input to output.
    var latency: Int { @_noLocks get { heard + look * hop } }
    /// The frequency of a bin of the separation, Hz.
    @_noLocks
    func hertz(_ bin: Int) -> Float { (Float(bin) + 0.5) * Float(rate) / Float(frame) }
    /// Seconds between frames of the direction analysis.
    var fieldSeconds: Float { @_noLocks get { Float(fieldHops * hop) / Float(rate) } }
}
