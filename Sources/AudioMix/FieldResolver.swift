import CRealtime

/// Separation of talkers and noise in successive frames by a multichannel Wiener filter.
///
/// The four channels x of a bin are modelled as x = Σ a_k·s_k + n. For talker k of K, s_k is the signal in W, and a_k
/// the transfer function from W to the four channels. The noise n has the power φ and the covariance E nnᴴ = φΓ. With A
/// = [a_k], b = AᴴΓ⁻¹x and B = AᴴΓ⁻¹A, the linearly constrained filter gives y = B⁻¹b. The residual of this filter
/// gives the noise power φ = (xᴴΓ⁻¹x − bᴴB⁻¹b)/(4 − K), averaged over neighbouring bins and frames (Thiergart, Taseska
/// & Habets, "An informed parametric spatial filter based on instantaneous direction-of-arrival estimates", TASLP 22,
/// 2014).
///
/// The expected power of a talker in frame t is decision-directed (Ephraim & Malah 1984) with the weight α: ψ_k =
/// α|ŝ_k(t − 1)|² + (1 − α)·max(0, |y_k|² − φ[B⁻¹]_kk), with |y_k|² averaged over five bins. If the next frame is
/// available, the excess of its |y_k|² over φ[B⁻¹]_kk has the weight 0.3, and the excess of frame t the weight 0.7
/// (after Cohen, "Relaxed statistical model for speech enhancement and a priori SNR estimation", TSAP 13, 2005). The
/// estimate is ŝ = (B + diag(φ/ψ_k))⁻¹·b.
struct FieldResolver: ~Copyable {
    private let bins: Int, waits: Bool, decision: Float, lowest: Int
    /// `[frame modulo 3][bin]`: noise power from the residual.
    private let left: Row<Float>
    /// `[frame modulo 2][talker][bin]`: vector b. `[frame modulo 2][bin]`: elements B₀₀, B₁₁ and B₀₁ (real and
    /// imaginary part).
    private let matched: Row<Complex>, gram: Row<SIMD4<Float>>
    /// `[frame modulo 2][talker][bin]`: |y|² of the two newest frames.
    private let heights: Row<Float>
    /// `[talker][bin]`: |ŝ|² of the previous frame.
    private let before: Row<Float>
    private var count = 0
    /// `[bin]`: scratch memory of the noise power.
    private let raw: Row<Float>

    /// Lowest expected power of a talker, relative to the noise. A little noise therefore remains in all bins, so that
    /// no single bin stands out.
    private var floor: Float { @_noLocks get { 0.06 } }

    /// `[talker][bin]`: estimate ŝ, and ratio |ŝ|/|y|, 0…1.
    let speech: Row<Complex>, shares: Row<Float>
    /// `[talker][bin]`: |y|².
    let powers: Row<Float>
    /// `[bin]`: noise power φ.
    let noise: Row<Float>
    /// Sums over the bins and talkers of the last frame: Σ|ŝ|², and the assumed power of the speech. The latter is
    /// Σ|ŝ|² plus twice the error variance φ(B + diag(φ/ψ))⁻¹. The factor two was found by measurement, because the
    /// expected powers are too low at speech onsets.
    private(set) var estimated: Float = 0, expected: Float = 0

    /// Creates a resolver without past sound. With `waits`, each frame is resolved when the next frame arrives.
    init(_ tuning: AudioMixTuning, waits: Bool) {
        let count = TalkerTracks.limit
        (bins, self.waits, decision) = (tuning.bins, waits, tuning.decision)
        lowest = Int(AudioMixTuning.lowestHz / Float(tuning.rate) * Float(tuning.frame))
        left = Row(3 * bins, 0)
        matched = Row(2 * count * bins, Complex(re: 0, im: 0))
        gram = Row(2 * bins, .zero)
        heights = Row(2 * count * bins, 0)
        before = Row(count * bins, 0)
        raw = Row(bins, 0)
        speech = Row(count * bins, Complex(re: 0, im: 0))
        shares = Row(count * bins, 0)
        powers = Row(count * bins, 0)
        noise = Row(bins, 1e-14)
    }

    /// Clears all past sound.
    @_noLocks
    mutating func reset() {
        for i in 0..<left.count { left.base[i] = 0 }
        for i in 0..<matched.count { matched.base[i] = Complex(re: 0, im: 0) }
        for i in 0..<gram.count { gram.base[i] = .zero }
        for i in 0..<heights.count { heights.base[i] = 0 }
        for i in 0..<before.count { before.base[i] = 0 }
        for i in 0..<speech.count {
            speech.base[i] = Complex(re: 0, im: 0)
            shares.base[i] = 0
            powers.base[i] = 0
        }
        (estimated, expected) = (0, 0)
        count = 0
    }

    /// Clears the past of a talker. Call it when the number is given to another talker.
    @_noLocks
    func forget(_ talker: Int) { for bin in 0..<bins { before.base[talker * bins + bin] = 0 } }

    /// Adds one frame `[bin]`. Resolves this frame, or with `waits` the previous frame.
    @_noLocks
    mutating func resolve(
        _ x: UnsafePointer<Quad>, _ field: borrowing NoiseField, _ first: borrowing TalkerField,
        _ second: borrowing TalkerField
    ) {
        let slot = count % 2, residual = left.base + count % 3 * bins
        let (one, two) = (first.isActive, second.isActive)
        for bin in 0..<bins {
            let inverse = field.inverses.base[bin]
            let q = Quad.dot(x[bin], inverse * x[bin]).re
            var b0 = Complex(re: 0, im: 0), b1 = b0, g = SIMD4<Float>.zero
            if one {
                let v = inverse * first.transfer.base[bin]
                b0 = Quad.dot(v, x[bin])
                g.x = Quad.dot(first.transfer.base[bin], v).re
            }
            if two {
                let v = inverse * second.transfer.base[bin]
                b1 = Quad.dot(v, x[bin])
                g.y = Quad.dot(second.transfer.base[bin], v).re
                let cross = one ? Quad.dot(first.transfer.base[bin], v) : Complex(re: 0, im: 0)
                (g.z, g.w) = (cross.re, cross.im)
            }
            let load = Self.loading(g), y = Self.solve(g, load, load, b0, b1)
            let taken = b0.re * y.0.re + b0.im * y.0.im + b1.re * y.1.re + b1.im * y.1.im
            matched.base[2 * slot * bins + bin] = b0
            matched.base[(2 * slot + 1) * bins + bin] = b1
            heights.base[2 * slot * bins + bin] = y.0.power
            heights.base[(2 * slot + 1) * bins + bin] = y.1.power
            gram.base[slot * bins + bin] = g
            residual[bin] = max(0, q - taken) / Float(4 - (one ? 1 : 0) - (two ? 1 : 0))
        }
        count += 1
        if waits { finish(count - 2, (0.25, 0.5, 0.25)) } else { finish(count - 1, (0.4, 0.6, 0)) }
    }

    /// Resolves frame number `index`. `weights` are the weights of the residuals of the previous, this and the next
    /// frame.
    @_noLocks
    private mutating func finish(_ index: Int, _ weights: (Float, Float, Float)) {
        guard index >= 0 else { return }
        let (a, b, c) = ((index + 2) % 3 * bins, index % 3 * bins, (index + 1) % 3 * bins)
        for bin in 0..<bins {
            raw.base[bin] =
                weights.0 * left.base[a + bin] + weights.1 * left.base[b + bin] + weights.2 * left.base[c + bin]
        }
        for bin in 0..<bins {
            let (m, n) = (max(0, bin - 2), max(0, bin - 1)), (o, p) = (min(bins - 1, bin + 1), min(bins - 1, bin + 2))
            noise.base[bin] =
                0.0625 * (raw.base[m] + raw.base[p]) + 0.25 * (raw.base[n] + raw.base[o]) + 0.375 * raw.base[bin]
                + 1e-14
        }
        let slot = index % 2
        (estimated, expected) = (0, 0)
        for bin in 0..<bins {
            let b = (matched.base[2 * slot * bins + bin], matched.base[(2 * slot + 1) * bins + bin])
            let g = gram.base[slot * bins + bin], phi = noise.base[bin], load = Self.loading(g)
            let determinant = max((g.x + load) * (g.y + load) - g.z * g.z - g.w * g.w, 1e-12)
            let isPair = g.x > 0 && g.y > 0
            let spread =
                isPair
                ? ((g.y + load) / determinant, (g.x + load) / determinant)
                : (1 / max(g.x, 1e-9), 1 / max(g.y, 1e-9))
            let (first, second) = (expect(0, bin, slot, spread.0 * phi), expect(1, bin, slot, spread.1 * phi))
            let s = Self.solve(g, phi / first, phi / second, b.0, b.1)
            if bin >= lowest {
                let (p, q) = (g.x + phi / first, g.y + phi / second)
                let whole = max(p * q - g.z * g.z - g.w * g.w, 1e-12)
                estimated += s.0.power + s.1.power
                expected += s.0.power + s.1.power
                if g.x > 0 { expected += 2 * (isPair ? phi * q / whole : phi / p) }
                if g.y > 0 { expected += 2 * (isPair ? phi * p / whole : phi / q) }
            }
            keep(0, bin, slot, bin < lowest ? Complex(re: 0, im: 0) : s.0)
            keep(1, bin, slot, bin < lowest ? Complex(re: 0, im: 0) : s.1)
        }
    }

    /// Returns the expected power of a talker in a bin. `variance` is the power that noise alone has in the talker's
    /// estimate.
    @_noLocks
    @inline(__always)
    private func expect(_ talker: Int, _ bin: Int, _ slot: Int, _ variance: Float) -> Float {
        let row = heights.base + (2 * slot + talker) * bins
        let near =
            0.0625 * (row[max(0, bin - 2)] + row[min(bins - 1, bin + 2)])
            + 0.25 * (row[max(0, bin - 1)] + row[min(bins - 1, bin + 1)]) + 0.375 * row[bin]
        var excess = max(0, near - variance)
        if waits {
            let next = heights.base[(2 * (1 - slot) + talker) * bins + bin]
            excess = 0.7 * excess + 0.3 * max(0, next - variance)
        }
        return max(decision * before.base[talker * bins + bin] + (1 - decision) * excess, floor * variance + 1e-16)
    }

    @_noLocks
    @inline(__always)
    private func keep(_ talker: Int, _ bin: Int, _ slot: Int, _ s: Complex) {
        let at = talker * bins + bin
        speech.base[at] = s
        before.base[at] = s.power
        powers.base[at] = heights.base[(2 * slot + talker) * bins + bin]
        shares.base[at] = min(1, prc_sqrtf(s.power / (powers.base[at] + 1e-20)))
    }

    /// Returns the diagonal loading that separates two talkers with similar transfer functions; 0 with one talker.
    @_noLocks
    @inline(__always)
    private static func loading(_ g: SIMD4<Float>) -> Float { g.x > 0 && g.y > 0 ? 0.025 * (g.x + g.y) : 0 }

    /// Returns (B + diag(p, q))⁻¹·b. An inactive talker is left out of the equations and gets 0.
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
