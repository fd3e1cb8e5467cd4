import CRealtime
import Signal

/// Suppression of late reverberation in a talker's stem (the separated voice). The late reverberation expected from the
/// sound 50 ms ago is attenuated.
///
/// Φ is the power of a bin, averaged over time. The late reverberation in the bin has the power Φ_late(t) =
/// e^{−2ΔT}·Φ(t − T) with Δ = 3·ln 10/T₆₀ (Lebart, Boucher & Denbigh, Acta Acustica 87, 2001, eq. 8). Here T = 50 ms
/// and T₆₀ = 0.6 s. The power gain is 1 − ½·Φ_late/Φ, at least −10 dB, smoothed over three bins. The factor ½ accounts
/// for near talkers, whose direct sound is stronger than the model of a decaying noise assumes.
struct LateReverberation: ~Copyable {
    /// Number of bins, and number of frames in 50 ms.
    private let bins: Int, depth: Int
    /// `[frame modulo (depth + 1)][bin]`: smoothed power Φ. `[bin]`: power gain.
    private let past: Row<Float>, gains: Row<Float>
    /// Factor ½·e^{−2ΔT}.
    private let left: Float
    private var count = 0

    /// Creates a suppressor without past sound.
    init(_ tuning: AudioMixTuning) {
        bins = tuning.bins
        depth = max(1, Int((0.05 * tuning.rate / Double(tuning.hop)).rounded()))
        past = Row((depth + 1) * bins, 0)
        gains = Row(bins, 1)
        left = 0.5 * Float(prc_exp(-2 * 3 * prc_log(10) / 0.6 * Double(depth * tuning.hop) / tuning.rate))
    }

    /// Clears the past sound.
    @_noLocks
    mutating func reset() {
        for i in 0..<past.count { past.base[i] = 0 }
        count = 0
    }

    /// Writes one frame of the stem with less late reverberation to `target`.
    @_noLocks
    mutating func suppress(_ stem: UnsafePointer<Complex>, into target: UnsafeMutablePointer<Complex>) {
        let now = past.base + count % (depth + 1) * bins, then = past.base + (count + 1) % (depth + 1) * bins
        let last = past.base + (count + depth) % (depth + 1) * bins
        for bin in 0..<bins {
            now[bin] = 0.5 * last[bin] + 0.5 * stem[bin].power
            gains.base[bin] = max(0.1, 1 - left * then[bin] / (now[bin] + 1e-20))
        }
        count += 1
        for bin in 0..<bins {
            let near = 0.25 * (gains.base[max(0, bin - 1)] + gains.base[min(bins - 1, bin + 1)]) + 0.5 * gains.base[bin]
            target[bin] = stem[bin] * prc_sqrtf(near)
        }
    }
}
