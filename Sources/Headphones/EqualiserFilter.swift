/// One filter of a parametric equaliser, as in Equalizer APO's text; independent of any sample rate.
package struct EqualiserFilter: Hashable, Sendable {
    /// Types of filters, with their names in the text in parentheses.
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

        /// Whether the type uses `gain`.
        package var hasGain: Bool { self == .peak || isShelf }
        /// Whether the type is one of the two shelves.
        package var isShelf: Bool { self == .lowShelf || self == .highShelf }
    }

    /// Width or slope of a filter.
    package enum Width: Hashable, Sendable {
        /// Quality factor Q, > 0.
        case quality(Double)
        /// Bandwidth in octaves, > 0: between the −3 dB points of a notch or band pass, or between the points of half
        /// the gain in dB of a peak. Other types get the Q of a notch of this bandwidth.
        case octaves(Double)
        /// Slope S of a shelf, > 0. 1 is the steepest slope without a bump; Equalizer APO calls it 12 dB per octave.
        case slope(Double)
    }

    /// Type of the filter.
    package var kind: Kind
    /// Centre or corner frequency, hertz, > 0.
    package var hertz: Double
    /// Gain, dB; 0 for types that have no gain.
    package var gain: Double
    /// Width of the filter.
    package var width: Width
    /// Whether `hertz` is the corner frequency of a shelf instead of its centre (LS and HS with a slope).
    package var isCorner: Bool
    /// Ears to which the filter applies.
    package var ears: Ears

    /// Creates a filter from its properties.
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
