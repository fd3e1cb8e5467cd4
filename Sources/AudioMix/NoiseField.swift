/// Spatial covariance of the noise in each bin. It is learnt in bins and frames without a talker. The prior is a
/// diffuse field.
///
/// N ← λN + (1 − p)²·xxᴴ/φ, where x holds the bin's four channels, p is the talkers' share of the bin, and φ is the
/// noise power. Γ is N + n₀·1, scaled to trace 4, plus a diagonal load for independent noise. Each frame recomputes Γ⁻¹
/// for a quarter of the bins.
struct NoiseField: ~Copyable {
    /// `[bin]`: covariance N.
    private let sums: Row<QuadMatrix>
    /// `[bin]`: Γ⁻¹.
    let inverses: Row<QuadMatrix>
    /// Decay factor λ per frame, weight n₀ of the prior, and diagonal load.
    private let keep: Float, prior: Float, load: Float
    /// First bin whose inverse the next call of `renew` recomputes, 0…3.
    private var phase = 0

    /// Creates the covariance of a diffuse field.
    init(_ tuning: AudioMixTuning) {
        sums = Row(tuning.bins, .zero)
        inverses = Row(tuning.bins, .diagonal(1 / (1 + tuning.load)))
        (keep, prior, load) = (tuning.memory, tuning.diffusePrior, tuning.load)
    }

    /// Resets the covariance to a diffuse field.
    @_noLocks
    mutating func reset() {
        for i in 0..<sums.count { sums.base[i] = .zero }
        for i in 0..<inverses.count { inverses.base[i] = .diagonal(1 / (1 + load)) }
        phase = 0
    }

    /// Adds one bin of a frame to the covariance; `weight` is (1 − p)²/φ.
    @_noLocks
    @inline(__always)
    func learn(_ bin: Int, _ x: Quad, weight: Float) { sums.base[bin].remember(x, keep: keep, weight: weight) }

    /// Recomputes the inverses of every fourth bin. Four calls recompute all bins.
    @_noLocks
    mutating func renew() {
        var bin = phase
        while bin < sums.count {
            var matrix = sums.base[bin]
            matrix.addDiagonal(prior)
            matrix.scale(4 / matrix.trace)
            matrix.addDiagonal(load)
            inverses.base[bin] = matrix.inverse()
            bin += 4
        }
        phase = (phase + 1) % 4
    }
}
