import CRealtime
import Signal

/// Spectra of a sound field in frames of 85 ms, and directness of the field from the pseudo-intensity of three frames.
///
/// w is the pressure and v the velocity in one bin. Averaged over three frames and five bins, the intensity is I =
/// Re⟨w*·v⟩ and the energy is E = ½⟨|w|² + |v|²⟩. The directness ψ = ‖I‖/E is 1 minus Pulkki's diffuseness (JAES 55,
/// 2007, eqs. 4–9; Merimaa & Pulkki, JAES 53, 2005).
struct DirectnessAnalysis: ~Copyable {
    private let transform: FieldTransform
    /// `[frame modulo 3][bin]`: spectra.
    private let frames: Row<Quad>
    /// `[bin]`: sums of intensity (x, y, z) and energy (w) over the three frames.
    private let raw: Row<SIMD4<Float>>
    private let bins: Int
    private var count = 0
    /// Spectra of the newest frame; each bin holds W, Y, Z and X.
    var newest: UnsafePointer<Quad> { @_noLocks get { UnsafePointer(frames.base + (count + 2) % 3 * bins) } }
    /// Energy-weighted mean of the directness over the bins of the last frame.
    private(set) var directness: Float = 0

    /// Creates an analysis without past sound.
    init(_ tuning: AudioMixTuning) {
        let window = (0..<tuning.field).map { i in
            Float(prc_sin(.pi * (Double(i) + 0.5) / Double(tuning.field)))
        }
        transform = FieldTransform(window: window, bins: tuning.fieldBins)
        bins = tuning.fieldBins
        frames = Row(3 * bins, .zero)
        raw = Row(bins, .zero)
    }

    /// Clears all past sound.
    @_noLocks
    mutating func reset() {
        for i in 0..<frames.count { frames.base[i] = .zero }
        (count, directness) = (0, 0)
    }

    /// Analyses the newest frame, given as rows W, Y, Z, X. Cost: four transforms and 10 ns per bin.
    @_noLocks
    mutating func hear(_ samples: UnsafePointer<UnsafePointer<Float>?>) {
        transform.forward(samples, into: frames.base + count % 3 * bins)
        count += 1
        for bin in 0..<bins {
            raw.base[bin] =
                frames.base[bin].intensity + frames.base[bins + bin].intensity + frames.base[2 * bins + bin].intensity
        }
        var whole: Float = 1e-12, direct: Float = 0
        for bin in 0..<bins {
            let near = raw.smoothed(bin, bins)
            let energy = near.w + 1e-14, vector = SIMD3(near.x, near.y, near.z)
            let length = prc_sqrtf((vector * vector).sum()) + 1e-20
            whole += energy
            direct += min(1, length / energy) * energy
        }
        directness = direct / whole
    }
}
