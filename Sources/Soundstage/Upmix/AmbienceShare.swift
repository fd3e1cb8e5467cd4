import Glibc
import Signal

/// Amplitudes of the ambience in the front pair and in the surrounds of an upmix. They are used for the design of the
/// upmix's colour filters.
package struct AmbienceShare: Sendable {
    /// Amplitude of the ambience that stays in front, and amplitude of the ambience in all surrounds of one side
    /// together, both for the full amount of ambience.
    package let front: Double, surround: Double
    /// Number of pairs that share the ambience.
    let pairs: Int
    private let sampleRate: SampleRate
    private let share: Double

    /// Makes the shares of an upmix to a layout. Returns nil if the layout allows no upmix, and for a matrix decoder.
    init?(_ plan: UpmixPlan, _ layout: Layout, sampleRate: SampleRate) {
        guard plan.mode != .matrix, let routing = try? UpmixRouting(layout) else { return nil }
        surround = Double(StereoUpmixer.ambienceLimit)
        front = plan.mode == .identity ? 1 - surround * 0.5.squareRoot() : (1 - surround * surround).squareRoot()
        pairs = routing.pairs
        self.sampleRate = sampleRate
        share = DecorrelatorBank.share(sampleRate: sampleRate)
    }

    /// Returns the transfer functions, left and right, of the part of the ambience that bypasses the `Decorrelator`s of
    /// the surrounds, at a frequency in hertz. They are the low-pass of `DecorrelatorBank`, and for the right channel
    /// also `PhaseDispersion`. The rest is decorrelated; the powers of both parts add up to about 1.
    package func low(_ hertz: Double) -> [(re: Double, im: Double)] {
        // share/(1 − (1 − share)·z⁻¹).
        let phase = 2 * .pi * hertz / sampleRate.hertz
        let (re, im) = (1 - (1 - share) * cos(phase), (1 - share) * sin(phase))
        let size = re * re + im * im
        let left = (re: share * re / size, im: -share * im / size)
        let turn = PhaseDispersion.phase(hertz, sampleRate: sampleRate)
        let (c, s) = (cos(turn), sin(turn))
        return [left, (left.re * c - left.im * s, left.re * s + left.im * c)]
    }
}

extension Programme {
    /// Returns the amplitudes of the ambience, and the indices of the ambient pairs in `colouredGroups`. Returns nil if
    /// there are no coloured groups.
    package func ambienceShare(sampleRate: SampleRate) -> (share: AmbienceShare, groups: Range<Int>)? {
        guard let upmix, !colouredGroups.isEmpty else { return nil }
        return AmbienceShare(upmix, layout, sampleRate: sampleRate).map { ($0, 1..<1 + $0.pairs) }
    }
}
