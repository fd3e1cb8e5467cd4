/// A static compression curve, piecewise linear in decibels, and the time constants of its gain.
///
/// Levels are in dB relative to the programme's reference, which is its dialnorm or its loudness.
package struct CompressionCurve: Hashable, Sendable, BitwiseCopyable {
    /// Levels between which the gain is 0 dB.
    package var nullLow: Double, nullHigh: Double
    /// Largest gain, dB. It is reached at `boostLevel` and applies to all lower levels.
    package var boost: Double, boostLevel: Double
    /// Gain, dB, and level at which the early cut passes into the late cut.
    package var bend: Double, bendLevel: Double
    /// Smallest gain, dB. It is reached at `cutLevel` and applies to all higher levels.
    package var cut: Double, cutLevel: Double
    /// Time constants (to 63 %) if the level rises or falls slightly relative to the smoothed level.
    package var attackSeconds = 0.1, releaseSeconds = 3.0
    /// Time constants if the level rises or falls by more than the thresholds.
    package var fastAttackSeconds = 0.01, fastReleaseSeconds = 1.0
    /// Rise above the smoothed level from which an attack is fast, and fall below it from which a release is fast, dB.
    package var attackThreshold = 15.0, releaseThreshold = 20.0

    /// Makes a curve. Time constants and thresholds default to those of the film profiles.
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

    /// Returns the gain, dB, at a level in dB above the reference.
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
