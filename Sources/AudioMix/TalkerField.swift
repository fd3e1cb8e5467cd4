import CRealtime

/// Transfer function of one talker from W to the four channels, in each bin. It starts as a plane wave and adapts to
/// the sound with its early reflections.
///
/// C ← λC + p²·xxᴴ estimates the talker's covariance from the four channels x of a bin and the talker's share p. The
/// transfer function a is the strongest component of C relative to the noise covariance Γ. Each frame applies one step
/// of the power method: a ← (C + κ·a₀a₀ᴴ)·Γ⁻¹·a with a_W = 1 (covariance whitening; Markovich-Golan & Gannot, ICASSP
/// 2015). Here a₀ is the plane wave from the talker's direction, and κ is its weight.
struct TalkerField: ~Copyable {
    /// `[bin]`: transfer function a.
    let transfer: Row<Quad>
    /// Whether a talker is active.
    private(set) var isActive = false
    /// Number of the talker's track, or of the last talker's; −1 before the first talker.
    private(set) var number = -1
    /// `[bin]`: covariance C.
    private let sums: Row<QuadMatrix>
    /// `[bin]`: decaying sums of p² times the modelled power, and of p².
    private let powers: Row<Float>, weights: Row<Float>
    /// Decay factor λ per frame, and weight of the plane wave in frames.
    private let keep: Float, prior: Float
    /// Plane wave a₀ from the talker's direction: W, Y, Z, X in N3D.
    private var wave = SIMD4<Float>(1, 0, 0, 1.732_050_8)
    /// Direction at the start of the track, or at the last scaling of the statistics.
    private var anchor = SIMD3<Float>(1, 0, 0)
    /// Recent peak of the shares averaged over neighbouring bins, 0…1. It decays slowly.
    var usual: Float = 0.2

    /// Creates a field without a talker.
    init(_ tuning: AudioMixTuning) {
        transfer = Row(tuning.bins, .zero)
        sums = Row(tuning.bins, .zero)
        powers = Row(tuning.bins, 0)
        weights = Row(tuning.bins, 0)
        (keep, prior) = (tuning.memory, tuning.wavePrior)
    }

    /// Deactivates the field and clears its track number.
    @_noLocks
    mutating func reset() { (isActive, number) = (false, -1) }

    /// Applies the state of a track. A new talker starts as a plane wave. A change of direction by more than 15° scales
    /// the statistics by 0.3.
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

    /// Adds one bin of a frame and updates the transfer function of the bin. `p` is the talker's share. `power` is the
    /// modelled power of talker and noise. `inverse` is Γ⁻¹.
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
        // Normalises to a_W = 1 and scales Y, Z and X down where ‖a‖² exceeds 12.
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
