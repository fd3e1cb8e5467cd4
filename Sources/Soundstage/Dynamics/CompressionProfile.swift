/// How the dynamics of a programme are compressed, by the names and curves that encoders and decoders of cinema and
/// television sound share.
package enum CompressionProfile: UInt8, Worded, Hashable, Sendable, BitwiseCopyable {
    /// Not at all.
    case none
    /// Film: quiet scenes up to 6 dB up, loud ones down.
    case filmStandard
    /// Film, with 20 dB round the dialogue left alone.
    case filmLight
    /// Music: quiet passages up to 12 dB up.
    case musicStandard
    /// Music, with 20 dB round the reference left alone.
    case musicLight
    /// Speech: quiet voices up to 15 dB up, quickly.
    case speech

    /// What the command line, OSC and sidecar files call it.
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

    /// Spelt out, since the one that the compiler makes is not for the audio thread.
    @_noLocks
    package static func == (one: CompressionProfile, other: CompressionProfile) -> Bool {
        one.rawValue == other.rawValue
    }

    /// Whether anything is compressed.
    package var isActive: Bool { @_noLocks get { if case .none = self { false } else { true } } }

    /// Its static curve and its time constants.
    ///
    /// Curves: the default profiles of ETSI TS 103 190-1, table 162, which are those Dolby's DP570 prints and ATSC A/85
    /// draws. (The DP570's manual prints the early cut of Film Light as beginning at −26 dB, five below the end of the
    /// null band; with the curve continuous it begins where the null band ends.)
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
                // One section of 2:1 all the way, its bend a point on it.
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
