import CRealtime
import Signal

/// Votes for the directions of talkers: every bin of a short frame gives a direction and a weight. Coherent onsets
/// weigh more than late reverberation and noise.
///
/// The direct sound of a far talker dominates the field only until the reflections of the room arrive. Frames of 21 ms
/// at intervals of 10 ms resolve this short time. As in `DirectnessAnalysis`, intensity and energy E are averaged over
/// three frames and five bins, and give the direction and the directness ψ. The vote of a bin has the weight
/// ψ⁴·min(E/Ē, 10)^0.75·(0.05 + o). Ē is the mean energy of the last two seconds. The onset o = max(0, 1 − E_late/E) is
/// the part of the energy above the reverberation of earlier sound (after Lebart, Boucher & Denbigh, Acta Acustica 87,
/// 2001):
///
///     E_late(t) = max over τ ≥ 64 ms of E(t − τ)·e^{−2Δ(τ − 64 ms)} with Δ = 3·ln 10/T₆₀ and T₆₀ = 0.6 s
struct OnsetVotes: ~Copyable {
    /// `[frame][bin]`: votes of one call of `hear`, each with a direction (x, y, z) and a weight (w).
    let votes: Row<SIMD4<Float>>
    private let transform: FieldTransform
    private let starts: Row<UnsafePointer<Float>?>
    private let spectrum: Row<Quad>
    /// `[frame modulo 3][bin]`: intensity (x, y, z) and energy (w) of single frames.
    private let raw: Row<SIMD4<Float>>
    /// `[bin]`: sums of `raw` over the three frames.
    private let sums: Row<SIMD4<Float>>
    /// `[bin]`: mean energy Ē, and energy E_late of the late reverberation.
    private let mean: Row<Float>, late: Row<Float>
    /// `[frame modulo (delay + 1)][bin]`: energies of the last 64 ms.
    private let past: Row<Float>
    private let bins: Int, field: Int, spacing: Int, frames: Int, lowest: Int, delay: Int
    /// Weight of the newest frame in Ē, and decay factor of E_late per frame.
    private let share: Float, left: Float
    private var count = 0

    /// Creates an analysis without past sound.
    init(_ tuning: AudioMixTuning) {
        let length = tuning.voteFrame, span = tuning.fieldHops * tuning.hop
        let seconds = Double(span) / tuning.rate
        frames = max(1, Int((seconds / 0.0105).rounded()))
        spacing = span / frames
        field = tuning.field
        bins = tuning.voteBins
        transform = FieldTransform(
            window: (0..<length).map { Float(prc_sin(.pi * (Double($0) + 0.5) / Double(length))) }, bins: bins)
        lowest = Int(200 / tuning.rate * Double(length))
        votes = Row(frames * bins, .zero)
        starts = Row(4, nil)
        spectrum = Row(bins, .zero)
        raw = Row(3 * bins, .zero)
        sums = Row(bins, .zero)
        mean = Row(bins, 1e-9)
        late = Row(bins, 0)
        let step = Double(spacing) / tuning.rate
        delay = max(1, Int((0.064 / step).rounded()))
        past = Row((delay + 1) * bins, 0)
        share = Float(1 - prc_exp(-step / 2))
        left = Float(prc_exp(-6 * prc_log(10) * step / 0.6))
    }

    /// Clears all past sound.
    @_noLocks
    mutating func reset() {
        for i in 0..<raw.count { raw.base[i] = .zero }
        for i in 0..<past.count { past.base[i] = 0 }
        for i in 0..<votes.count { votes.base[i] = .zero }
        for bin in 0..<bins { (mean.base[bin], late.base[bin]) = (1e-9, 0) }
        count = 0
    }

    /// Analyses the frames that end within the newest hop of the direction analysis, and writes their votes. `samples`
    /// are the newest samples of W, Y, Z and X, in the length of a frame of the direction analysis. Cost: four
    /// transforms and 20 ns per bin, for each frame.
    @_noLocks
    mutating func hear(_ samples: UnsafePointer<UnsafePointer<Float>?>) {
        for frame in 0..<frames {
            let from = field - transform.length - (frames - 1 - frame) * spacing
            for channel in 0..<4 { starts.base[channel] = samples[channel].map { $0 + from } }
            transform.forward(UnsafePointer(starts.base), into: spectrum.base)
            vote(votes.base + frame * bins)
        }
    }

    /// Writes the votes of the frame in `spectrum` to `target`.
    @_noLocks
    private mutating func vote(_ target: UnsafeMutablePointer<SIMD4<Float>>) {
        let newest = raw.base + count % 3 * bins
        for bin in 0..<bins { newest[bin] = spectrum.base[bin].intensity }
        for bin in 0..<bins { sums.base[bin] = raw.base[bin] + raw.base[bins + bin] + raw.base[2 * bins + bin] }
        let now = past.base + count % (delay + 1) * bins, then = past.base + (count + 1) % (delay + 1) * bins
        count += 1
        let part = max(share, 1 / Float(min(count, 3000)))
        for bin in 0..<bins {
            let near = sums.smoothed(bin, bins)
            let energy = near.w + 1e-14
            mean.base[bin] += part * (energy - mean.base[bin])
            late.base[bin] = max(late.base[bin] * left, then[bin])
            now[bin] = energy
            let vector = SIMD3(near.x, near.y, near.z)
            let length = prc_sqrtf((vector * vector).sum()) + 1e-20
            let direct = min(1, length / energy), begun = min(10, energy / mean.base[bin])
            let onset = max(0, 1 - late.base[bin] / energy)
            // Square roots alone give the exponent 0.75.
            let weight = direct * direct * direct * direct * prc_sqrtf(begun * prc_sqrtf(begun)) * (0.05 + onset)
            let unit = vector / length
            target[bin] = SIMD4(unit.x, unit.y, unit.z, bin < lowest || count < 12 ? 0 : weight)
        }
    }
}
