import CRealtime
import Signal

/// Parameters of the separation for one latency and sample rate. The values were found with the scenes of
/// `Documentation/explanation/audio-mix.md`.
struct AudioMixTuning: Sendable {
    /// Frame length N and hop size of the separation, samples.
    let frame: Int, hop: Int
    /// Number of samples that are output from each frame: the whole frame, or the newest ones.
    let heard: Int
    /// Delay of the output frame after the newest frame, hops.
    let look: Int
    /// Frame length of the direction analysis, samples, and its hop size in hops of the separation.
    let field: Int, fieldHops: Int
    /// Frame length of the direction votes, samples, and the number of their bins, up to 5 kHz.
    let voteFrame: Int, voteBins: Int
    /// Number of separated bins, up to 12 kHz. All sound above 12 kHz is ambience.
    let bins: Int
    /// Number of bins of the direction analysis, up to 5 kHz.
    let fieldBins: Int
    /// Sample rate, Hz.
    let rate: Double
    /// Factor per hop by which older statistics of talkers and noise decay.
    let memory: Float
    /// Weight of the previous frame's estimate in the expected power of a talker (Ephraim & Malah 1984, eq. 51).
    let decision: Float
    /// Weights of two priors, in frames: the diffuse field as the prior of the noise, and the plane wave as the prior
    /// of a talker.
    let diffusePrior: Float, wavePrior: Float
    /// Range of the mean harmonicity over which the likelihood of speech rises from 0 to 1. In measurements, voices
    /// alone and in noise had a mean harmonicity of 0.34 to 0.74 (`live`: 0.20 to 0.58). Traffic, steps, clicks and
    /// applause had at most 0.27 (`live`: 0.16).
    let voicing: (from: Float, to: Float)
    /// Power of the independent noise that the noise model assumes in every channel, relative to the mean power of a
    /// channel.
    let load: Float

    /// Lowest frequency of speech, Hz. All sound below it is ambience.
    static var lowestHz: Float { @_noLocks get { 90 } }

    /// Sets the parameters for a latency. Frames have about the same duration at all sample rates
    /// (`SampleRate.frameScale`).
    init(_ latency: AudioMixLatency, sampleRate: SampleRate) {
        let memorySeconds: Double
        rate = sampleRate.hertz
        field = Int(4096 * sampleRate.frameScale)
        voteFrame = field / 4
        switch latency {
        case .player:
            // The frame length is 3·2^a samples.
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
    /// Returns the centre frequency of a bin of the separation, Hz.
    @_noLocks
    func hertz(_ bin: Int) -> Float { (Float(bin) + 0.5) * Float(rate) / Float(frame) }
    /// Interval between frames of the direction analysis, seconds.
    var fieldSeconds: Float { @_noLocks get { Float(fieldHops * hop) / Float(rate) } }
}
