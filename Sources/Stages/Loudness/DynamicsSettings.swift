import Soundstage

/// The user's settings of a programme's loudness and dynamics. A value that is not set is nil, or 1 for the two shares.
package struct DynamicsSettings: Sendable, Hashable {
    /// Loudness of the programme as delivered, LUFS, −70…5.
    package var loudness: Double?
    /// Dialogue level of the programme, −31…−1 LUFS; 0 is read as −31.
    package var dialnorm: Int?
    /// Target of the normalisation.
    package var target: LoudnessTarget?
    /// Compression profile.
    package var profile: CompressionProfile?
    /// Share of a profile's attenuation that is applied, 0…1.
    package var cut: Double
    /// Share of a profile's amplification that is applied, 0…1.
    package var boost: Double

    /// Creates settings; none is set by default.
    package init(
        loudness: Double? = nil, dialnorm: Int? = nil, target: LoudnessTarget? = nil,
        profile: CompressionProfile? = nil, cut: Double = 1, boost: Double = 1
    ) {
        self.loudness = loudness
        self.dialnorm = dialnorm
        self.target = target
        self.profile = profile
        self.cut = cut
        self.boost = boost
    }

    /// Whether no setting is set.
    package var isEmpty: Bool { self == DynamicsSettings() }
}

/// Target of a programme's loudness normalisation.
package enum LoudnessTarget: Sendable, Hashable {
    /// A loudness in LUFS, −60…0.
    case loudness(Double)
    /// A decoder's line mode: dialogue at −31 LUFS.
    case line
    /// A decoder's RF mode: dialogue at −20 LUFS.
    case rf
    /// No target: the programme is not normalised, whatever its metadata.
    case off

    /// Reads `-23`, `line`, `rf` or `off`; returns nil for any other text.
    package init?(_ text: String) {
        switch text {
        case "line": self = .line
        case "rf": self = .rf
        case "off": self = .off
        default:
            guard let loudness = Double(text), (-60...0).contains(loudness) else { return nil }
            self = .loudness(loudness)
        }
    }

    /// The target in LUFS; nil for `off`.
    package var loudness: Double? {
        switch self {
        case .loudness(let value): value
        case .line: -31
        case .rf: -20
        case .off: nil
        }
    }

    /// The target as a word of the command line.
    package var word: String {
        switch self {
        case .loudness(let value): "\(value)"
        case .line: "line"
        case .rf: "rf"
        case .off: "off"
        }
    }
}
