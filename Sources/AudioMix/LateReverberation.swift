import CRealtime
import Signal

/// Takes late reverberation out of a stem: what is expected to be left of the sound 50 ms ago.
///
/// Φ_late(t) = e^{−2ΔT}·Φ(t − T) with Δ = 3·ln 10/T₆₀ (Lebart, Boucher & Denbigh, Acta Acustica 87, 2001, eq. 8), here
/// with T = 50 ms and T₆₀ = 0.6 s; the gain is 1 − ½·Φ_late/Φ, smoothed over three bins, and no less than −10 dB. Half
/// of it, because near talkers have more direct sound than a decaying noise has.
struct LateReverberation: ~Copyable {
    private let bins: Int, depth: Int
    private let past: Row<Float>, gains: Row<Float>
    private let left: Float
    private var count = 0

    /// Nothing heard.
    init(_ tuning: AudioMixTuning) {
        bins = tuning.bins
        depth = max(1, Int((0.05 * tuning.rate / Double(tuning.hop)).rounded()))
        past = Row((depth + 1) * bins, 0)
        gains = Row(bins, 1)
        left = 0.5 * Float(prc_exp(-2 * 3 * prc_log(10) / 0.6 * Double(depth * tuning.hop) / tuning.rate))
    }

    /// Forgets everything.
    @_noLocks
    mutating func reset() {
        for i in 0..<past.count { past.base[i] = 0 }
        count = 0
    }

    /// One frame of a stem to one with less reverberation.
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
