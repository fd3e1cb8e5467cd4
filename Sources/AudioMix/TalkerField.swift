import CRealtime

/// How one talker sounds in the four channels against W, bin by bin: a plane wave at first, then as it is heard, early
/// reflections included.
///
/// C ← λC + p²·xxᴴ, and a is C's strongest component in the noise's metric, one step of the power method in a frame:
/// a ← (C + κ·a₀a₀ᴴ)·Γ⁻¹·a with a_W = 1 (covariance whitening; Markovich-Golan & Gannot, ICASSP 2015), where a₀ is the
/// plane wave from the talker's direction and κ its weight.
struct TalkerField: ~Copyable {
    /// `[bin]`: a.
    let transfer: Row<Quad>
    /// Whether there is a talker.
    private(set) var isActive = false
    /// The track it belongs to.
    private(set) var number = -1
    private let sums: Row<QuadMatrix>
    private let powers: Row<Float>, weights: Row<Float>
    private let keep: Float, prior: Float
    private var wave = SIMD4<Float>(1, 0, 0, 1.732_050_8)
    private var anchor = SIMD3<Float>(1, 0, 0)
    /// The largest mean share of neighbouring bins lately.
    var usual: Float = 0.2

    /// No talkers.
    init(_ tuning: AudioMixTuning) {
        transfer = Row(tuning.bins, .zero)
        sums = Row(tuning.bins, .zero)
        powers = Row(tuning.bins, 0)
        weights = Row(tuning.bins, 0)
        (keep, prior) = (tuning.memory, tuning.wavePrior)
    }

    /// Forgets the talker.
    @_noLocks
    mutating func reset() { (isActive, number) = (false, -1) }

    /// Takes over what the tracks say; a new talker begins as a plane wave, one who has moved by 15° is half forgotten.
    @_noLocks
    mutating func aim(_ track: TalkerTracks.Track) {
        isActive = track.isActive
        guard isActive else { return }
        let u = track.direction
        wave = SIMD4(1, 1.732_050_8 * u.y, 1.732_050_8 * u.z, 1.732_050_8 * u.x)
        if number != track.number {
            (number, anchor, usual) = (track.number, u, 0.2)
            for i in 0..<transfer.count { transfer.base[i] = Quad(re: wave, im: .zero) }
            for i in 0..<sums.count { sums.base[i] = .zero }
            for i in 0..<powers.count { powers.base[i] = 0 }
            for i in 0..<weights.count { weights.base[i] = 0 }
        }
        guard (u * anchor).sum() < 0.966 else { return }
        anchor = u
        for bin in 0..<sums.count {
            sums.base[bin].scale(0.3)
            powers.base[bin] *= 0.3
            weights.base[bin] *= 0.3
        }
    }

    /// Takes in a bin of a frame in which the talker has share `p` of the power `power`.
    @_noLocks
    @inline(__always)
    func learn(_ bin: Int, _ x: Quad, share p: Float, power: Float, inverse: QuadMatrix) {
        let weight = p * p
        sums.base[bin].remember(x, keep: keep, weight: weight)
        powers.base[bin] = powers.base[bin] * keep + weight * power
        weights.base[bin] = weights.base[bin] * keep + weight
        let plain = Quad(re: wave, im: .zero)
        let known = Quad.dot(plain, inverse * plain).re
        let scale = 4 * prior * powers.base[bin] / (max(weights.base[bin], 1e-3) * max(known, 1e-6)) + 1e-14
        let whitened = inverse * transfer.base[bin]
        var next = sums.base[bin] * whitened
        next.add(plain, times: Quad.dot(plain, whitened) * scale)
        // a_W = 1, and at most twice the power of a plane wave in the others.
        let w = next[0], power = max(w.power, 1e-37)
        var a = Quad.zero
        a.add(next, times: w.conjugate * (1 / power))
        let rest = prc_sqrtf(max(1, a.power / 12))
        a.re = SIMD4(1, a.re[1] / rest, a.re[2] / rest, a.re[3] / rest)
        a.im = SIMD4(0, a.im[1] / rest, a.im[2] / rest, a.im[3] / rest)
        guard a.power.isFinite else { return transfer.base[bin] = plain }
        transfer.base[bin] = a
    }
}
