import CRealtime
import Signal

/// Direction and directness of a field in each bin, from the pseudo-intensity of three frames.
///
/// With the pressure w and the velocity v of one bin, averaged over three frames and five bins, the intensity is I =
/// Re⟨w*·v⟩ and the energy is E = ½⟨|w|² + |v|²⟩. They give the direction I/‖I‖ and the directness ψ = ‖I‖/E, which is
/// 1 minus Pulkki's diffuseness (JAES 55, 2007, eqs. 4–9; Merimaa & Pulkki, JAES 53, 2005). The vote of a bin has the
/// weight ψ⁴·min(E/Ē, 10)^0.75, where Ē is the mean energy of the last two seconds. The weight favours onsets, since
/// they come directly from their source.
struct DirectionAnalysis: ~Copyable {
    private let transform: FieldTransform
    private let frames: Row<Quad>
    private let raw: Row<SIMD4<Float>>
    private let mean: Row<Float>
    private let bins: Int, lowest: Int
    private var count = 0
    private let forget: Float
    /// `[bin]`: direction (x, y, z) and weight (w) of the vote.
    let votes: Row<SIMD4<Float>>
    /// Spectra of the newest frame, W, Y, Z, X in each bin.
    var newest: UnsafePointer<Quad> { @_noLocks get { UnsafePointer(frames.base + (count + 2) % 3 * bins) } }
    /// Energy-weighted mean of the directness over the bins of the last frame.
    private(set) var directness: Float = 0

    /// Starts without past sound.
    init(_ tuning: AudioMixTuning) {
        let window = (0..<tuning.field).map { i in
            Float(prc_sin(.pi * (Double(i) + 0.5) / Double(tuning.field)))
        }
        transform = FieldTransform(window: window, bins: tuning.fieldBins)
        bins = tuning.fieldBins
        lowest = Int(200 / tuning.rate * Double(tuning.field))
        frames = Row(3 * bins, .zero)
        raw = Row(bins, .zero)
        mean = Row(bins, 1e-9)
        votes = Row(bins, .zero)
        forget = Float(1 - prc_exp(-Double(tuning.fieldSeconds) / 2))
    }

    /// Clears all past sound.
    @_noLocks
    mutating func reset() {
        for i in 0..<frames.count { frames.base[i] = .zero }
        for i in 0..<mean.count { mean.base[i] = 1e-9 }
        for i in 0..<votes.count { votes.base[i] = .zero }
        (count, directness) = (0, 0)
    }

    /// Analyses the newest frame of W, Y, Z, X and updates the votes. Cost: four transforms and 20 ns per bin.
    @_noLocks
    mutating func hear(_ samples: UnsafePointer<UnsafePointer<Float>?>) {
        transform.forward(samples, into: frames.base + count % 3 * bins)
        count += 1
        for bin in 0..<bins {
            var sum = SIMD4<Float>.zero
            for age in 0..<3 {
                let x = frames.base[age * bins + bin]
                let (w, v) = (x[0], Quad(re: x.re * 0.577_350_3, im: x.im * 0.577_350_3))
                let intensity = v.re * w.re + v.im * w.im
                let moved = (v.re * v.re + v.im * v.im).sum() - w.power / 3
                // The channels are W, Y, Z, X; the vector is x, y, z.
                sum += SIMD4(intensity[3], intensity[1], intensity[2], 0.5 * (w.power + moved))
            }
            raw.base[bin] = sum
        }
        // The first frames average over the frames so far.
        let share = max(forget, 1 / Float(min(count, 1000)))
        var whole: Float = 1e-12, direct: Float = 0
        for bin in 0..<bins {
            let (a, b) = (max(0, bin - 2), max(0, bin - 1)), (c, d) = (min(bins - 1, bin + 1), min(bins - 1, bin + 2))
            let near = 0.0625 * (raw.base[a] + raw.base[d]) + 0.25 * (raw.base[b] + raw.base[c]) + 0.375 * raw.base[bin]
            let energy = near.w + 1e-14
            mean.base[bin] += share * (energy - mean.base[bin])
            let vector = SIMD3(near.x, near.y, near.z)
            let length = prc_sqrtf((vector * vector).sum()) + 1e-20
            let directness = min(1, length / energy)
            whole += energy
            direct += directness * energy
            let squared = directness * directness
            let begun = min(10, energy / (mean.base[bin] + 1e-14))
            // The exponent is 0.75, by square roots alone.
            let weight = bin < lowest || count < 6 ? 0 : squared * squared * prc_sqrtf(begun * prc_sqrtf(begun))
            let unit = vector / length
            votes.base[bin] = SIMD4(unit.x, unit.y, unit.z, weight)
        }
        directness = direct / whole
    }
}
