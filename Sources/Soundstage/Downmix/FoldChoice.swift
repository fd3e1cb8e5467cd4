import Signal

/// How channels that the target has no loudspeakers for are folded into those it has, where there is a choice.
package struct FoldChoice: Hashable, Sendable {
    /// What becomes of back surrounds where the target has one pair of surrounds and the source has sides as well.
    package enum SurroundSum: String, CaseIterable, Hashable, Sendable {
        /// Sides and backs whole: either alone keeps its level; the same sound in both comes 6 dB louder.
        case full
        /// Both at √½: sounds that know nothing of each other keep their power,
        /// the same sound in both comes 3 dB louder.
        case power
        /// Both at ½: the same sound in both keeps its level.
        case amplitude

        /// Linear gain of each.
        var gain: Double { self == .full ? 1 : self == .power ? 0.5.squareRoot() : 0.5 }
    }

    /// Level of the centre in either channel of stereo, dB; nil: √½, as ITU-R BS.775-4 has it. ATSC A/52 knows −3, −4.5
    /// and −6.
    package var centre: Decibels?
    /// Level of sides, backs and heights in the stereo channel of their own side, dB; nil: √½ likewise. ATSC A/52 knows
    /// −3, −6 and none.
    package var surround: Decibels?
    /// How sides and backs share one pair.
    package var surroundSum: SurroundSum

    /// What was chosen; by default as BS.775-4 has it.
    package init(centre: Decibels? = nil, surround: Decibels? = nil, surroundSum: SurroundSum = .full) {
        self.centre = centre
        self.surround = surround
        self.surroundSum = surroundSum
    }
}
