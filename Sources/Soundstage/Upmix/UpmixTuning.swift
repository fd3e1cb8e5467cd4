import CRealtime
import Convolution
import Signal

/// Numbers of the estimator and of the filters, for one latency and rate.
///
/// Both latencies share one estimator. What differs is how far it and the filters see: times and thresholds were fixed
/// on three generated pieces and checked on two others, see `Documentation/upmix.md`.
struct UpmixTuning: Sendable {
    /// Samples per analysis frame and per filter, N.
    let frame: Int
    /// Samples per block: what is filtered at a time.
    let block: Int
    /// Samples between which amounts on their way go in straight lines; a part of `block`.
    let piece: Int
    /// Samples the filters see ahead of the block.
    let ahead: Int
    /// Samples between frames of the analysis, a multiple of `block`.
    let hop: Int
    /// Samples over which the analysis window falls at its newest end.
    let fall: Int
    /// Forgetting per hop of the covariances, and of the level that ambience is held to.
    let memory: Float, levelMemory: Float
    /// Excess of coherence by chance, per 1/N_eff, taken off for the surrounds and for the centre.
    let ambienceBias: Float, centreBias: Float
    /// Similarity at which the centre's weight begins, and at which it is whole.
    let similarity: (from: Float, to: Float)
    /// How much what is only in the left or only in the right channel of a bin weighs against its centre.
    let centreRest: Float
    /// Diagonal loading of the centre's weights, in smaller eigenvalues of the covariance.
    let centreLoad: Float
    /// Whether the centre's share counts squared.
    let squaresCentre: Bool
    /// The share of the primary sound taken out of the surrounds is its 2^−n-th power.
    let primaryRoots: Int
    /// How far above its recent level a sound may rise before it is held not to be ambience, as a power ratio.
    let rise: Float
    /// Samples after an onset without ambience, for which masks do not know what began, and those in which it comes
    /// back; 0 where they look ahead far enough.
    let hold: Int, comeback: Int
    /// Whether masks are applied with linear phase, or causally but for `ahead`.
    let isLinearPhase: Bool
    /// Samples per transform of the filters: the frame, or half of it, which holds a response that is cut and a block.
    let filterLength: Int
    /// Averaging of the covariances over frequency, in ERB, at least three bins.
    static var bandwidths: Double { 0.1 }
    /// Memory above this many times the present power is forgotten at once.
    let fallRatio: Float

    /// Seconds of the covariances' memory that a matrix decoder has: it follows one source after the other.
    private static var matrixMemory: Float { 0.03 }

    /// The numbers for a latency and a law. Frames keep their duration (`SampleRate.frameScale`).
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
            (hold, comeback) = (0, 0)
        case .live:
            // 96 samples are 2.18 ms at 44.1 kHz: there the filters see 48 ahead instead of 64.
            let isSlow = sampleRate.hertz < 48_000 * scale
            (frame, block, ahead, hop, fall) =
                (samples(1024), samples(32), samples(isSlow ? 48 : 64), samples(256), samples(256))
            (ambienceBias, centreBias, primaryRoots, rise) = (0.7, 4.3, 3, 1)
            isLinearPhase = false
            // A matrix's surrounds may well hold what begins.
            (hold, comeback) = mode == .matrix ? (0, 0) : (samples(384), samples(256))
        }
        filterLength = isLinearPhase ? frame : OddFourier.length(atLeast: frame / 2)
        var seconds: (Float, Float) = latency == .player ? (0.18, 0.1) : (0.2, 0.08)
        if mode == .matrix { seconds.0 = Self.matrixMemory }
        let perHop = Double(hop) / sampleRate.hertz
        memory = Float(prc_exp(-perHop / Double(seconds.0)))
        levelMemory = Float(prc_exp(-perHop / Double(seconds.1)))
    }

    /// Whether blocks are long enough to find onsets in; at rates below 16 kHz they are not.
    var findsOnsets: Bool { @_noLocks get { block % OnsetFinder.grain == 0 } }
    /// Samples from input to output.
    var latency: Int { @_noLocks get { ahead + block } }
}
