import CRealtime
import Signal

/// Directions and directness of a field per bin, from the pseudo-intensity of three frames.
///
/// With the pressure w and the velocity v of one bin, averaged over three frames and five bins, the intensity I =
/// Re⟨w*·v⟩ and the energy E = ½⟨|w|² + |v|²⟩ give the direction I/‖I‖ and the directness ψ = ‖I‖/E, one less Pulkki's
/// diffuseness (JAES 55, 2007, eqs. 4–9; Merimaa & Pulkki, JAES 53, 2005). A bin counts ψ⁴·min(E/Ē, 10)^0.7, where Ē is
/// what it had in the last two seconds: what has just begun comes straight from its source.
struct DirectionAnalysis: ~Copyable {
    private let transform: FieldTransform
    private let frames: Row<Quad>
    private let raw: Row<SIMD4<Float>>
    private let mean: Row<Float>
    private let bins: Int, lowest: Int
    private var count = 0
    private let forget: Float
    /// `[bin]`: direction, weight.
    let votes: Row<SIMD4<Float>>
    /// The mean of the directness over bins, weighted by energy, of the last frame.
    private(set) var directness: Float = 0

    /// Nothing heard yet.
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

    /// Forgets everything heard.
    @_noLocks
    mutating func reset() {
        for i in 0..<frames.count { frames.base[i] = .zero }
        for i in 0..<mean.count { mean.base[i] = 1e-9 }
        for i in 0..<votes.count { votes.base[i] = .zero }
        (count, directness) = (0, 0)
    }

    /// Hears the newest frame of W, Y, Z, X and makes the votes. Cost: four transforms and 20 ns per bin.
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
                // Channels come Y, Z, X.
                sum += SIMD4(intensity[3], intensity[1], intensity[2], 0.5 * (w.power + moved))
            }
            raw.base[bin] = sum
        }
        // The first frames have no past to stand out of.
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
            // x^0.7 ≈ √x·x^¼·x^-0.05: the last is left out.
            let weight = bin < lowest || count < 6 ? 0 : squared * squared * prc_sqrtf(begun * prc_sqrtf(begun))
            let unit = vector / length
            votes.base[bin] = SIMD4(unit.x, unit.y, unit.z, weight)
        }
        directness = direct / whole
    }
}
