import CRealtime

/// Talkers and noise of one frame after the other: the multichannel Wiener filter of waves in a noise field.
///
/// A bin is modelled as x = Σ a_k·s_k + n with E nnᴴ = φΓ. With A = [a_k], b = AᴴΓ⁻¹x and B = AᴴΓ⁻¹A, the linearly constrained
/// filter gives y = B⁻¹b, what it leaves (xᴴΓ⁻¹x − bᴴB⁻¹b)/(4 − K) = φ, averaged over neighbours (Thiergart & Habets,
/// "An informed parametric spatial filter based on instantaneous direction-of-arrival estimates", TASLP 22, 2014), and the expected
/// power of a talker is decision-directed (Ephraim & Malah 1984): ψ_k = α|ŝ_k(t − 1)|² + (1 − α)·max(0, |y_k|² − φ[B⁻¹]_kk). Then
/// ŝ = (B + diag(φ/ψ_k))⁻¹·b.
struct FieldResolver: ~Copyable {
    private let bins: Int, waits: Bool, decision: Float, lowest: Int
    /// `[frame modulo 3][bin]`.
    private let left: Row<Float>
    /// `[frame modulo 2][talker][bin]` and `[frame modulo 2][bin]`: B₀₀, B₁₁, B₀₁.
    private let matched: Row<Complex>, gram: Row<SIMD4<Float>>
    /// `[talker][bin]`: |ŝ|² of the frame before.
    private let before: Row<Float>
    private var count = 0
    private var raw: Row<Float>

    /// `[talker][bin]`: ŝ, and its share |ŝ|/|y|.
    let speech: Row<Complex>, shares: Row<Float>
    /// `[talker][bin]`: |y|².
    let powers: Row<Float>
    /// `[bin]`: φ.
    let noise: Row<Float>

    /// One that has heard nothing; one that `waits` gives each frame when it has the next.
    init(_ tuning: AudioMixTuning, waits: Bool) {
        let count = TalkerTracks.limit
        (bins, self.waits, decision) = (tuning.bins, waits, tuning.decision)
        lowest = Int(AudioMixTuning.lowestHz / Float(tuning.rate) * Float(tuning.frame))
        left = Row(3 * bins, 0)
        matched = Row(2 * count * bins, Complex(re: 0, im: 0))
        gram = Row(2 * bins, .zero)
        before = Row(count * bins, 0)
        raw = Row(bins, 0)
        speech = Row(count * bins, Complex(re: 0, im: 0))
        shares = Row(count * bins, 0)
        powers = Row(count * bins, 0)
        noise = Row(bins, 1e-14)
    }

    /// Forgets everything.
    @_noLocks
    mutating func reset() {
        left.fill(0)
        matched.fill(Complex(re: 0, im: 0))
        gram.fill(.zero)
        before.fill(0)
        count = 0
    }

    /// Forgets a talker's past, for another in the place.
    @_noLocks
    func forget(_ talker: Int) { for bin in 0..<bins { before[talker * bins + bin] = 0 } }

    /// Takes one frame `[bin]` and resolves it, or with `waits` the one before.
    @_noLocks
    mutating func resolve(
        _ x: UnsafePointer<Quad>, _ field: borrowing NoiseField, _ first: borrowing TalkerField,
        _ second: borrowing TalkerField
    ) {
        let slot = count % 2, residual = left.base + count % 3 * bins
        let (one, two) = (first.isActive, second.isActive)
        for bin in 0..<bins {
            let inverse = field.inverses[bin]
            let q = Quad.dot(x[bin], inverse * x[bin]).re
            var b0 = Complex(re: 0, im: 0), b1 = b0, g = SIMD4<Float>.zero
            var taken: Float = 0
            if one {
                let v = inverse * first.transfer[bin]
                b0 = Quad.dot(v, x[bin])
                g.x = Quad.dot(first.transfer[bin], v).re
                taken = b0.power / max(g.x, 1e-9)
            }
            if two {
                let v = inverse * second.transfer[bin]
                b1 = Quad.dot(v, x[bin])
                g.y = Quad.dot(second.transfer[bin], v).re
                taken = b1.power / max(g.y, 1e-9)
                if one {
                    let cross = Quad.dot(first.transfer[bin], v)
                    (g.z, g.w) = (cross.re, cross.im)
                    let y = Self.solve(g, Self.loading(g), Self.loading(g), b0, b1)
                    taken = b0.re * y.0.re + b0.im * y.0.im + b1.re * y.1.re + b1.im * y.1.im
                }
            }
            matched[(2 * slot) * bins + bin] = b0
            matched[(2 * slot + 1) * bins + bin] = b1
            gram[slot * bins + bin] = g
            residual[bin] = max(0, q - taken) / Float(4 - (one ? 1 : 0) - (two ? 1 : 0))
        }
        count += 1
        if waits { finish(count - 2, (0.25, 0.5, 0.25)) } else { finish(count - 1, (0.4, 0.6, 0)) }
    }

    /// Resolves frame `index`; weights of the residual are of the frame before, of it, of the next.
    @_noLocks
    private func finish(_ index: Int, _ weights: (Float, Float, Float)) {
        guard index >= 0 else { return }
        let (a, b, c) = ((index + 2) % 3 * bins, index % 3 * bins, (index + 1) % 3 * bins)
        for bin in 0..<bins {
            raw[bin] = weights.0 * left[a + bin] + weights.1 * left[b + bin] + weights.2 * left[c + bin]
        }
        for bin in 0..<bins {
            let (m, n) = (max(0, bin - 2), max(0, bin - 1)), (o, p) = (min(bins - 1, bin + 1), min(bins - 1, bin + 2))
            noise[bin] =
                0.0625 * (raw[m] + raw[p]) + 0.25 * (raw[n] + raw[o]) + 0.375 * raw[bin] + 1e-14
        }
        let slot = index % 2
        for bin in 0..<bins {
            let b = (matched[2 * slot * bins + bin], matched[(2 * slot + 1) * bins + bin])
            let g = gram[slot * bins + bin], phi = noise[bin]
            let both = g.x > 0 && g.y > 0, load = both ? Self.loading(g) : 0
            let y = Self.solve(g, load, load, b.0, b.1)
            let determinant = max((g.x + load) * (g.y + load) - g.z * g.z - g.w * g.w, 1e-12)
            let spread = both ? ((g.y + load) / determinant, (g.x + load) / determinant) : (1 / max(g.x, 1e-9), 1 / max(g.y, 1e-9))
            let expected = (
                expect(bin, y.0, spread.0 * phi), expect(bins + bin, y.1, spread.1 * phi)
            )
            let s = Self.solve(g, phi / expected.0, phi / expected.1, b.0, b.1)
            keep(bin, bin < lowest ? Complex(re: 0, im: 0) : s.0, y.0)
            keep(bins + bin, bin < lowest ? Complex(re: 0, im: 0) : s.1, y.1)
        }
    }

    @_noLocks
    @inline(__always)
    private func expect(_ at: Int, _ y: Complex, _ variance: Float) -> Float {
        max(decision * before[at] + (1 - decision) * max(0, y.power - variance), 0.003 * variance + 1e-16)
    }

    @_noLocks
    @inline(__always)
    private func keep(_ at: Int, _ s: Complex, _ y: Complex) {
        speech[at] = s
        before[at] = s.power
        powers[at] = y.power
        shares[at] = min(1, prc_sqrtf(s.power / (y.power + 1e-20)))
    }

    /// What keeps two talkers who sound nearly alike apart: a share of the diagonal.
    @_noLocks
    @inline(__always)
    private static func loading(_ g: SIMD4<Float>) -> Float { 0.025 * (g.x + g.y) }

    /// (B + diag(p, q))⁻¹·b, where a talker that is not there has no row.
    @_noLocks
    @inline(__always)
    private static func solve(_ g: SIMD4<Float>, _ p: Float, _ q: Float, _ b0: Complex, _ b1: Complex) -> (
        Complex, Complex
    ) {
        if g.y <= 0 { return (b0 * (1 / max(g.x + p, 1e-9)), Complex(re: 0, im: 0)) }
        if g.x <= 0 { return (Complex(re: 0, im: 0), b1 * (1 / max(g.y + q, 1e-9))) }
        let (x, y) = (g.x + p, g.y + q), z = Complex(re: g.z, im: g.w)
        let scale = 1 / max(x * y - z.power, 1e-12)
        return ((b0 * y - z * b1) * scale, (b1 * x - z.conjugate * b0) * scale)
    }
}
