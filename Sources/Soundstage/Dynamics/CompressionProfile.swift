/// Compression profile of a programme. Encoders and decoders of cinema and television sound use the same names and
/// curves.
package enum CompressionProfile: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// No compression.
    case none
    /// Film: raises quiet scenes by up to 6 dB, and lowers loud ones.
    case filmStandard
    /// Film, without a gain in a range of 20 dB around the dialogue.
    case filmLight
    /// Music: raises quiet passages by up to 12 dB, and lowers loud ones.
    case musicStandard
    /// Music, without a gain in a range of 20 dB around the reference.
    case musicLight
    /// Speech: raises quiet voices by up to 15 dB and lowers loud ones, both quickly.
    case speech

    /// Name on the command line, in OSC and in sidecar files.
    package var word: String {
        switch self {
        case .none: "none"
        case .filmStandard: "film-standard"
        case .filmLight: "film-light"
        case .musicStandard: "music-standard"
        case .musicLight: "music-light"
        case .speech: "speech"
        }
    }

    /// Defined here, because the compiler's own operator is not safe on the audio thread.
    @_noLocks
    package static func == (one: CompressionProfile, other: CompressionProfile) -> Bool {
        one.rawValue == other.rawValue
    }

    /// Whether the profile compresses at all.
    package var isActive: Bool { @_noLocks get { if case .none = self { false } else { true } } }

    /// Static curve and time constants of the profile.
    ///
    /// The curves are the default profiles of ETSI TS 103 190-1, table 162, as printed for Dolby's DP570 and drawn in
    /// ATSC A/85. The DP570's manual prints the early cut of Film Light as beginning at −26 dB, five below the end of
    /// the null band. Here it begins where the null band ends, so that the curve is continuous.
    package var curve: CompressionCurve {
        @_noLocks get {
            switch self {
            case .none:
                CompressionCurve(
                    nullLow: 0, nullHigh: 0, boost: 0, boostLevel: -1, bend: 0, bendLevel: 1, cut: 0, cutLevel: 2)
            case .filmStandard:
                CompressionCurve(
                    nullLow: 0, nullHigh: 5, boost: 6, boostLevel: -12, bend: -5, bendLevel: 15, cut: -24, cutLevel: 35)
            case .filmLight:
                CompressionCurve(
                    nullLow: -10, nullHigh: 10, boost: 6, boostLevel: -22, bend: -5, bendLevel: 20, cut: -24,
                    cutLevel: 40)
            case .musicStandard:
                CompressionCurve(
                    nullLow: 0, nullHigh: 5, boost: 12, boostLevel: -24, bend: -5, bendLevel: 15, cut: -24,
                    cutLevel: 35, releaseSeconds: 10)
            case .musicLight:
                // The cut is a single section with the ratio 2:1; the bend is a point of this section.
                CompressionCurve(
                    nullLow: -10, nullHigh: 10, boost: 12, boostLevel: -34, bend: -5, bendLevel: 20, cut: -15,
                    cutLevel: 40)
            case .speech:
                CompressionCurve(
                    nullLow: 0, nullHigh: 5, boost: 15, boostLevel: -19, bend: -5, bendLevel: 15, cut: -24,
                    cutLevel: 35, releaseSeconds: 1, fastReleaseSeconds: 0.2, attackThreshold: 10, releaseThreshold: 10)
            }
        }
    }
}
