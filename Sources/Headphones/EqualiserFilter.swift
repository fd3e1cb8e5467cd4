/// One filter of a parametric equaliser, as Equalizer APO's text says it; independent of any sample rate.
package struct EqualiserFilter: Hashable, Sendable {
    /// What it does; the names of the text in brackets.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Bell (PK, PEQ, Modal).
        case peak
        /// Low shelf (LS, LSC).
        case lowShelf
        /// High shelf (HS, HSC).
        case highShelf
        /// Low pass, 12 dB per octave (LP, LPQ).
        case lowPass
        /// High pass, 12 dB per octave (HP, HPQ).
        case highPass
        /// Band pass, 0 dB at its centre (BP).
        case bandPass
        /// Notch (NO).
        case notch
        /// All pass, second order (AP).
        case allPass

        /// Whether `gain` means something.
        package var hasGain: Bool { self == .peak || isShelf }
        /// Whether it is one of the two shelves.
        package var isShelf: Bool { self == .lowShelf || self == .highShelf }
    }

    /// How wide or steep it is.
    package enum Width: Hashable, Sendable {
        /// Quality, > 0.
        case quality(Double)
        /// Octaves between the −3 dB points (notch, band pass) or the points of half the gain in dB (peak), > 0.
        case octaves(Double)
        /// A shelf's slope: 1 is the steepest without a bump, 12 dB per octave; > 0.
        case slope(Double)
    }

    /// What it does.
    package var kind: Kind
    /// Centre or corner, hertz, > 0.
    package var hertz: Double
    /// dB; 0 where the kind has none.
    package var gain: Double
    /// How wide it is.
    package var width: Width
    /// Of a shelf: whether `hertz` is where the shelf begins, not its middle (LS and HS with a slope).
    package var isCorner: Bool
    /// The ears it is for.
    package var ears: Ears

    /// A filter; see its members.
    package init(
        _ kind: Kind, hertz: Double, gain: Double = 0, width: Width, isCorner: Bool = false, ears: Ears = .both
    ) {
        self.kind = kind
        self.hertz = hertz
        self.gain = gain
        self.width = width
        self.isCorner = isCorner
        self.ears = ears
    }
}
