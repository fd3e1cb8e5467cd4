import CRealtime
import Convolution
import Signal

/// Parameters of an upmix's estimator and filters, for one latency and sample rate.
///
/// Both latencies use the same estimator. They differ in the look-ahead of the estimator and of the filters, and in
/// some values. Times and thresholds were set on some of the generated pieces and checked on the others; see
/// `Documentation/measurements/upmix.md`.
struct UpmixTuning: Sendable {
    /// Samples in an analysis frame, and in a filter with linear phase, N.
    let frame: Int
    /// Samples in a block of the filters.
    let block: Int
    /// Samples in a linear segment of a change of amounts. It divides `block`.
    let piece: Int
    /// Look-ahead of the filters past the end of the block, samples.
    let ahead: Int
    /// Samples between analysis frames, a multiple of `block`.
    let hop: Int
    /// Length of the analysis window's fall at its newest end, samples.
    let fall: Int
    /// Forgetting factors per hop: of the covariances, and of the level that limits ambience.
    let memory: Float, levelMemory: Float
    /// Squared coherence that is expected by chance, in units of 1/N_eff. It is subtracted for the surrounds and for
    /// the centre.
    let ambienceBias: Float, centreBias: Float
    /// Similarity at which the centre's weight begins to rise, and similarity at which the weight is 1. Similarity is
    /// the cosine of twice the angle between a bin's principal axis and the middle.
    let similarity: (from: Float, to: Float)
    /// Weight c in the centre's share φ/(φ + c·l·r/(l + r)) of a bin, where φ is the power common to both channels, and
    /// l and r are the remaining powers of left and right.
    let centreRest: Float
    /// Diagonal loading of the centre's weights, in units of twice the smaller eigenvalue of the covariance.
    let centreLoad: Float
    /// Whether the centre's share is squared.
    let squaresCentre: Bool
    /// Number n. The share of primary sound that is removed from the surrounds is raised to the power 2^−n.
    let primaryRoots: Int
    /// Rise of a sound above its recent level from which the sound does not count as ambience, as a power ratio.
    let rise: Float
    /// Number of samples after an onset without ambience, because the masks do not yet contain only the new sound; and
    /// number of samples over which ambience fades in again.
    let hold: Int, comeback: Int
    /// Largest time between an onset and an earlier one for which the ambience is muted at the onset, samples; nil
    /// mutes it at every onset. Two onsets this close lie in one analysis frame or its memory, and sounds from two
    /// sides in one frame resemble ambience.
    let roll: Int?
    /// Whether masks are applied with linear phase. Otherwise they are applied causally, except for `ahead`.
    let isLinearPhase: Bool
    /// Samples in a transform of the filters: the frame, or half of it, which has room for a truncated response and a
    /// block.
    let filterLength: Int
    /// Width over which the covariances are averaged over frequency, ERB; at least three bins.
    static var bandwidths: Double { 0.1 }
    /// Ratio of remembered to present power above which the memory is reduced immediately.
    let fallRatio: Float

    /// Time constant of the covariances' memory for a matrix decoder, seconds. It is short, so that the decoder follows
    /// a source that moves from channel to channel.
    private static var matrixMemory: Float { 0.03 }

    /// Makes the parameters for a latency and a law. Frames have about the same duration at all sample rates
    /// (`SampleRate.frameScale`).
    init(_ latency: UpmixLatency, _ mode: UpmixMode = .identity, sampleRate: SampleRate) {
        let scale = sampleRate.frameScale
        func samples(_ atStudio: Int) -> Int { max(8, Int(Double(atStudio) * scale)) }
        similarity = (0.2, 0.85)
        (centreRest, centreLoad, squaresCentre) = (0.25, 1.5, latency == .player)
        fallRatio = latency == .player ? 10 : 100
        piece = samples(32)
        switch latency {
        case .player:
            (frame, block, ahead, hop, fall) = (
                samples(4096), samples(512), samples(1536), samples(1024), samples(2048)
            )
            (ambienceBias, centreBias, primaryRoots, rise) = (1.5, 3.5, 2, 1.2)
            isLinearPhase = true
            // A matrix's surrounds may contain onsets.
            (hold, comeback) = mode == .matrix ? (0, 0) : (samples(1536), samples(1024))
            roll = samples(8192)
        case .live:
            // 96 samples are 2.18 ms at 44.1 kHz. At such rates the filters therefore have a look-ahead of 48 samples
            // instead of 64.
            let isSlow = sampleRate.hertz < 48_000 * scale
            (frame, block, ahead, hop, fall) =
                (samples(1024), samples(32), samples(isSlow ? 48 : 64), samples(256), samples(256))
            (ambienceBias, centreBias, primaryRoots, rise) = (0.7, 4.3, 3, 1)
            isLinearPhase = false
            (hold, comeback) = mode == .matrix ? (0, 0) : (samples(384), samples(256))
            roll = nil
        }
        filterLength = isLinearPhase ? frame : OddFourier.length(atLeast: frame / 2)
        var seconds: (Float, Float) = latency == .player ? (0.18, 0.1) : (0.2, 0.08)
        if mode == .matrix { seconds.0 = Self.matrixMemory }
        let perHop = Double(hop) / sampleRate.hertz
        memory = Float(prc_exp(-perHop / Double(seconds.0)))
        levelMemory = Float(prc_exp(-perHop / Double(seconds.1)))
    }

    /// Whether blocks are long enough for the search for onsets. Those of `live` below 16 kHz are not.
    var findsOnsets: Bool { @_noLocks get { block % OnsetFinder.grain == 0 } }
    /// Latency from input to output, samples.
    var latency: Int { @_noLocks get { ahead + block } }
}
