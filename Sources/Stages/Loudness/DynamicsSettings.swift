import Soundstage

/// What the user says of a programme's loudness and dynamics; nil where nothing is said.
package struct DynamicsSettings: Sendable, Hashable {
    /// Loudness of the programme as delivered, LUFS, −70…5.
    package var loudness: Double?
    /// Level of its dialogue, −31…−1; 0 is read as −31.
    package var dialnorm: Int?
    /// Where it is brought to.
    package var target: LoudnessTarget?
    /// How its dynamics are compressed: a profile's name.
    package var profile: CompressionProfile?
    /// Share of a profile's attenuation that is applied, 0…1.
    package var cut: Double
    /// Share of a profile's amplification that is applied, 0…1.
    package var boost: Double

    /// All choices; by default nothing is said.
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

    /// Whether nothing is said.
    package var isEmpty: Bool { self == DynamicsSettings() }
}

/// Where a programme's loudness is brought to.
package enum LoudnessTarget: Sendable, Hashable {
    /// A loudness in LUFS, −60…0.
    case loudness(Double)
    /// A decoder's line mode: dialogue at −31.
    case line
    /// A decoder's RF mode: dialogue at −20.
    case rf
    /// Nowhere: the programme is left as it is, whatever its metadata say.
    case off

    /// Reads `-23`, `line`, `rf` or `off`; nil for anything else.
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

    /// LUFS; nil for `off`.
    package var loudness: Double? {
        switch self {
        case .loudness(let value): value
        case .line: -31
        case .rf: -20
        case .off: nil
        }
    }

    /// What the command line calls it.
    package var word: String {
        switch self {
        case .loudness(let value): "\(value)"
        case .line: "line"
        case .rf: "rf"
        case .off: "off"
        }
    }
}
