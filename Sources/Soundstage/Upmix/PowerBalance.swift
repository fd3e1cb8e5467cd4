import CRealtime
import Signal

/// A slow gain that brings the outputs to the power of the input. It is the square root of the ratio of input power to
/// output power, both averaged over half a second.
struct PowerBalance: BitwiseCopyable {
    /// Decay factor of the sums per block.
    private let keep: Double
    /// Decaying sum of the input's energy.
    private var before = 0.0
    /// Decaying sum of the outputs' energy.
    private var after = 0.0
    /// Gain at the end of the last block, linear, 0.5…2.
    private(set) var gain: Float = 1

    /// Makes a balance for blocks of `block` frames.
    init(block: Int, sampleRate: SampleRate) { keep = prc_exp(-Double(block) / (0.5 * sampleRate.hertz)) }

    /// Clears all state.
    @_noLocks
    mutating func reset() { (before, after, gain) = (0, 0, 1) }

    /// Updates the gain from the energies of a block's input and outputs.
    @_noLocks
    mutating func hear(input: Double, outputs: Double) {
        before = keep * before + input
        after = keep * after + outputs
        guard before > 1e-12, after > 1e-12 else { return }
        gain = Float(max(0.5, min(2, prc_sqrt(before / after))))
    }
}
