/// A static compression curve, piecewise linear in decibels, and the time constants of its gain.
///
/// Levels are relative to the programme's reference: its dialnorm, or its loudness.
package struct CompressionCurve: Hashable, Sendable, BitwiseCopyable {
    /// Levels between which the gain is 0 dB.
    package var nullLow: Double, nullHigh: Double
    /// The largest gain, dB, reached at `boostLevel` and kept below it.
    package var boost: Double, boostLevel: Double
    /// Gain, dB, at which the early cut passes into the late one, and its level.
    package var bend: Double, bendLevel: Double
    /// The smallest gain, dB, reached at `cutLevel` and kept above it.
    package var cut: Double, cutLevel: Double
    /// Time constants (to 63 %) where the level rises or falls slightly against the smoothed level.
    package var attackSeconds = 0.1, releaseSeconds = 3.0
    /// Time constants where it rises or falls by more than the thresholds.
    package var fastAttackSeconds = 0.01, fastReleaseSeconds = 1.0
    /// Distance above the smoothed level from which an attack is fast, and below it from which a release is, dB.
    package var attackThreshold = 15.0, releaseThreshold = 20.0

    /// Makes a curve; time constants and thresholds default to those of the film profiles.
    @_noLocks
    init(
        nullLow: Double, nullHigh: Double, boost: Double, boostLevel: Double, bend: Double, bendLevel: Double,
        cut: Double, cutLevel: Double, releaseSeconds: Double = 3, fastReleaseSeconds: Double = 1,
        attackThreshold: Double = 15, releaseThreshold: Double = 20
    ) {
        (self.nullLow, self.nullHigh) = (nullLow, nullHigh)
        (self.boost, self.boostLevel) = (boost, boostLevel)
        (self.bend, self.bendLevel) = (bend, bendLevel)
        (self.cut, self.cutLevel) = (cut, cutLevel)
        self.releaseSeconds = releaseSeconds
        self.fastReleaseSeconds = fastReleaseSeconds
        self.attackThreshold = attackThreshold
        self.releaseThreshold = releaseThreshold
    }

    /// Returns the gain in dB at a level in dB above the reference.
    @_noLocks
    package func gain(at level: Double) -> Double {
        if level < nullLow {
            return level <= boostLevel ? boost : boost * (nullLow - level) / (nullLow - boostLevel)
        }
        if level <= nullHigh { return 0 }
        if level <= bendLevel { return bend * (level - nullHigh) / (bendLevel - nullHigh) }
        if level >= cutLevel { return cut }
        return bend + (cut - bend) * (level - bendLevel) / (cutLevel - bendLevel)
    }
}
