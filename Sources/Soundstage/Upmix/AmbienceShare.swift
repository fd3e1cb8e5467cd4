import Glibc
import Signal

/// How an upmix shares ambience between the front pair and the surrounds, as the ears are to hear it: all that filters
/// for its colour have to know.
package struct AmbienceShare: Sendable {
    /// What is left of it in the front, and what all surrounds of a side have together, as amplitudes.
    package let front: Double, surround: Double
    /// Pairs that share it.
    let pairs: Int
    private let sampleRate: Double
    private let share: Double

    /// Of an upmix to a layout; nil where there is none, or nothing is shared by it.
    init?(_ plan: UpmixPlan, _ layout: Layout, sampleRate: SampleRate) {
        guard plan.mode != .matrix, let routing = try? UpmixRouting(layout) else { return nil }
        surround = Double(StereoUpmixer.ambienceLimit)
        front = plan.mode == .identity ? 1 - surround * 0.5.squareRoot() : (1 - surround * surround).squareRoot()
        pairs = routing.pairs
        self.sampleRate = sampleRate.hertz
        share = DecorrelatorBank.share(sampleRate: sampleRate)
    }

    /// The part that surrounds have undelayed, at a frequency in hertz: the low-pass of `DecorrelatorBank`. The rest is
    /// decorrelated, and its power makes up for what this lacks.
    package func low(_ hertz: Double) -> (re: Double, im: Double) {
        // share/(1 − (1 − share)·z⁻¹).
        let phase = 2 * .pi * hertz / sampleRate
        let (re, im) = (1 - (1 - share) * cos(phase), (1 - share) * sin(phase))
        let size = re * re + im * im
        return (share * re / size, -share * im / size)
    }
}

extension Programme {
    /// How ambience is shared, and which of `colouredGroups` are its pairs; nil without an upmix.
    package func ambienceShare(sampleRate: SampleRate) -> (share: AmbienceShare, groups: Range<Int>)? {
        guard let upmix, !colouredGroups.isEmpty else { return nil }
        return AmbienceShare(upmix, layout, sampleRate: sampleRate).map { ($0, 1..<1 + $0.pairs) }
    }
}
