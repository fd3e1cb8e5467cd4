import Signal

/// Levels at which channels without a loudspeaker in the target layout are added to the target's other channels.
package struct FoldChoice: Hashable, Sendable {
    /// Gains of back surrounds and sides, if the source has both and the target has only one pair of surrounds.
    package enum SurroundSum: String, CaseIterable, Hashable, Sendable {
        /// Sides and backs have gain 1. Each alone keeps its level. The same sound in both becomes 6 dB louder.
        case full
        /// Both have gain √½. Uncorrelated sounds keep their power. The same sound in both becomes 3 dB louder.
        case power
        /// Both have gain ½. The same sound in both keeps its level.
        case amplitude

        /// Linear gain of sides and of backs.
        var gain: Double { self == .full ? 1 : self == .power ? 0.5.squareRoot() : 0.5 }
    }

    /// Level of the centre in each channel of stereo, dB. Nil uses the gain √½, as in ITU-R BS.775-4. ATSC A/52 offers
    /// −3, −4.5 and −6.
    package var centre: Decibels?
    /// Level of sides, backs and heights in the stereo channel of their own side, dB. Nil uses the gain √½, as in ITU-R
    /// BS.775-4. ATSC A/52 offers −3, −6 and silence.
    package var surround: Decibels?
    /// Gains of sides and backs that share one pair of surrounds.
    package var surroundSum: SurroundSum

    /// Makes a choice. The defaults are those of BS.775-4.
    package init(centre: Decibels? = nil, surround: Decibels? = nil, surroundSum: SurroundSum = .full) {
        self.centre = centre
        self.surround = surround
        self.surroundSum = surroundSum
    }
}
