/// What is not the talkers: the spatial covariance of each bin, by what is heard where no talker is,
/// against a diffuse field's.
///
/// N ← λN + (1 − p)²·xxᴴ/φ, where p is the talkers' share and φ the power without direction; Γ = N + n₀·1 with trace 4,
/// and a share of independent noise. Γ⁻¹ of every fourth bin is renewed in a frame.
struct NoiseField: ~Copyable {
    private let sums: Row<QuadMatrix>
    /// `[bin]`: Γ⁻¹.
    let inverses: Row<QuadMatrix>
    private let keep: Float, prior: Float, load: Float
    private var phase = 0

    /// A diffuse field.
    init(_ tuning: AudioMixTuning) {
        sums = Row(tuning.bins, .zero)
        inverses = Row(tuning.bins, .diagonal(1 / (1 + tuning.load)))
        (keep, prior, load) = (tuning.memory, tuning.diffusePrior, tuning.load)
    }

    /// Back to a diffuse field.
    @_noLocks
    mutating func reset() {
        for i in 0..<sums.count { sums.base[i] = .zero }
        for i in 0..<inverses.count { inverses.base[i] = .diagonal(1 / (1 + load)) }
        phase = 0
    }

    /// Takes in a bin of a frame: `weight` is (1 − p)²/φ.
    @_noLocks
    @inline(__always)
    func learn(_ bin: Int, _ x: Quad, weight: Float) { sums.base[bin].remember(x, keep: keep, weight: weight) }

    /// Renews a quarter of the inverses.
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
