import CRealtime
import Signal

/// Smoothing of the gains in a talker's pauses, against musical noise. The less speech a frame contains, the more bins
/// the gains are averaged over.
///
/// ζ is the ratio Σ|ŝ|²/Σ|y|² of a frame. ŝ is the estimate of the talker's signal, and y the output of the constrained
/// filter, which still contains noise (`FieldResolver`). If ζ is below ζ₀ = 0.4, each bin's gain |ŝ|/|y| is replaced by
/// the mean over 2·⌊60·(1 − ζ/ζ₀)⌋ + 1 bins (Esch & Vary, "Efficient musical noise suppression for speech enhancement
/// systems", ICASSP 2009, eqs. 6 to 9). Frames with ζ above 59/60·ζ₀ stay unchanged.
struct PauseSmoothing: ~Copyable {
    /// `[bin]`: gain |ŝ|/|y|, and its mean over neighbouring bins.
    private let gains: Row<Float>, means: Row<Float>
    private let lowest: Int

    /// Ratio ζ₀ below which gains are averaged.
    private static var threshold: Float { @_noLocks get { 0.4 } }
    /// Largest number of bins averaged on each side of a bin.
    private static var widest: Float { @_noLocks get { 60 } }

    /// Creates a smoother for the bins of the separation.
    init(_ tuning: AudioMixTuning) {
        gains = Row(tuning.bins, 0)
        means = Row(tuning.bins, 0)
        lowest = Int(AudioMixTuning.lowestHz / Float(tuning.rate) * Float(tuning.frame))
    }

    /// Smooths one frame `[bin]` of a talker's estimates ŝ in place. `powers` are the powers |y|² of the constrained
    /// filter. Cost: O(bins), in pauses only.
    @_noLocks
    func smooth(_ speech: UnsafeMutablePointer<Complex>, _ powers: UnsafePointer<Float>) {
        let bins = gains.count
        var (left, whole): (Float, Float) = (0, 1e-20)
        for bin in lowest..<bins {
            left += speech[bin].power
            whole += powers[bin]
        }
        // The ratio may exceed the range of Int, and is NaN if both powers are infinite.
        guard left > 0, left / (whole * Self.threshold) < 1 else { return }
        let half = Int(Self.widest * (1 - left / (whole * Self.threshold)))
        guard half > 0 else { return }
        for bin in lowest..<bins { gains.base[bin] = prc_sqrtf(speech[bin].power / (powers[bin] + 1e-20)) }
        var (sum, count): (Float, Float) = (0, 0)
        for bin in lowest..<min(bins, lowest + half) {
            sum += gains.base[bin]
            count += 1
        }
        for bin in lowest..<bins {
            if bin + half < bins {
                sum += gains.base[bin + half]
                count += 1
            }
            if bin - half - 1 >= lowest {
                sum -= gains.base[bin - half - 1]
                count -= 1
            }
            means.base[bin] = max(0, sum / count)
        }
        for bin in lowest..<bins { speech[bin] = speech[bin] * (means.base[bin] / max(gains.base[bin], 1e-4)) }
    }
}
