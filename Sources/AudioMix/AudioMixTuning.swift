import CRealtime
import Signal

/// Parameters of the separation for one latency and sample rate. Their values were found on the scenes in
/// `Documentation/explanation/audio-mix.md`.
struct AudioMixTuning: Sendable {
    /// Frame length N and hop of the separation, samples.
    let frame: Int, hop: Int
    /// Samples of a frame that are output: the whole frame or its newest end.
    let heard: Int
    /// Delay of the output frame behind the newest frame, hops.
    let look: Int
    /// Frame length of the direction analysis, samples, and its hop, in hops of the separation.
    let field: Int, fieldHops: Int
    /// Frame length of the votes for directions, samples, and its number of bins, up to 5 kHz.
    let voteFrame: Int, voteBins: Int
    /// Number of separated bins, up to 12 kHz; all sound above is ambience.
    let bins: Int
    /// Number of bins of the direction analysis, up to 5 kHz.
    let fieldBins: Int
    /// Sample rate, Hz.
    let rate: Double
    /// Forgetting factor per hop of the statistics of talkers and noise.
    let memory: Float
    /// Weight of the last frame's estimate in the expected power (Ephraim & Malah 1984, eq. 51).
    let decision: Float
    /// Weights of two priors, in frames: the diffuse field of the noise, and the plane wave of a talker.
    let diffusePrior: Float, wavePrior: Float
    /// Range of the mean harmonicity over which the likelihood of speech rises from 0 to 1. Measured: voices alone and
    /// in noise have a mean harmonicity of 0.34 (`live` 0.20) to 0.74 (0.58). Traffic, steps, clicks and applause have
    /// at most 0.27 (0.16).
    let voicing: (from: Float, to: Float)
    /// Power of independent noise in every channel of the noise model, relative to the mean power of a channel.
    let load: Float

    /// Lowest frequency of speech, Hz; all sound below is ambience.
    static var lowestHz: Float { @_noLocks get { 90 } }

    /// Sets the parameters for a latency. Frames keep their duration at all rates (`SampleRate.frameScale`).
    init(_ latency: AudioMixLatency, sampleRate: SampleRate) {
        let memorySeconds: Double
        rate = sampleRate.hertz
        field = Int(4096 * sampleRate.frameScale)
        voteFrame = field / 4
        switch latency {
        case .player:
            // A transform of 3·2^a samples.
            (frame, hop, look) = (field / 2 * 3, field / 8 * 3, 27)
            heard = frame
            (diffusePrior, wavePrior, memorySeconds, decision) = (60, 0.6, 6, 0.7)
            voicing = (0.27, 0.33)
        case .live:
            (frame, hop, look) = (field / 4, Int(0.005 * rate), 0)
            heard = 2 * hop
            (diffusePrior, wavePrior, memorySeconds, decision) = (2000, 3, 2, 0.75)
            voicing = (0.16, 0.2)
        }
        fieldHops = max(1, Int((Double(field / 4) / Double(hop)).rounded()))
        bins = min(frame / 2, Int(12_000 / rate * Double(frame)))
        fieldBins = min(field / 2, Int(5000 / rate * Double(field)))
        voteBins = fieldBins / 4
        memory = Float(prc_exp(-Double(hop) / rate / memorySeconds))
        load = 0.02
    }

    /// Latency from input to output, samples.
    var latency: Int { @_noLocks get { heard + look * hop } }
    /// Returns the frequency of a bin of the separation, Hz.
    @_noLocks
    func hertz(_ bin: Int) -> Float { (Float(bin) + 0.5) * Float(rate) / Float(frame) }
    /// Interval between frames of the direction analysis, seconds.
    var fieldSeconds: Float { @_noLocks get { Float(fieldHops * hop) / Float(rate) } }
}
