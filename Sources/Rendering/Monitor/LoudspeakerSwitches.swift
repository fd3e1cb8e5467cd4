/// Virtual loudspeakers that are silent, and those with inverted polarity. Bit n stands for source n, counted through
/// all programmes.
package struct LoudspeakerSwitches: BitwiseCopyable, Sendable {
    /// The silent loudspeakers.
    package var silent: UInt64
    /// The loudspeakers with inverted polarity that are not silent.
    package var inverted: UInt64

    /// Makes switches of these bits.
    @_noLocks
    package init(silent: UInt64 = 0, inverted: UInt64 = 0) { (self.silent, self.inverted) = (silent, inverted) }

    /// Makes the switches of the first `count` gains, each 1, 0 or −1.
    @_noLocks
    package init(_ gains: InlineArray<64, Float>, count: Int) {
        (silent, inverted) = (0, 0)
        for source in 0..<min(64, count) { set(source, gain: gains[source]) }
    }

    /// Sets a loudspeaker, 0…63, to a gain: 1, 0 or −1.
    @_noLocks
    package mutating func set(_ source: Int, gain: Float) {
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: source)
        if gain == 0 { silent |= bit } else { silent &= ~bit }
        if gain < 0 { inverted |= bit } else { inverted &= ~bit }
    }

    /// Returns the gain of a loudspeaker, 0…63: 1, 0 or −1.
    @_noLocks
    package func gain(of source: Int) -> Float {
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: source)
        return silent & bit != 0 ? 0 : inverted & bit != 0 ? -1 : 1
    }

    /// Returns whether all loudspeakers are switched as by `other`.
    @_noLocks
    package func isSame(as other: LoudspeakerSwitches) -> Bool { silent == other.silent && inverted == other.inverted }

    /// Whether no loudspeaker is silent or inverted.
    package var isNeutral: Bool { silent == 0 && inverted == 0 }
}
