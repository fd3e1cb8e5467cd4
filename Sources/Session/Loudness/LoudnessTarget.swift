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
