/// Which ears something is for.
package struct Ears: OptionSet, Hashable, Sendable, CustomStringConvertible {
    /// Bit 0 is the left ear, bit 1 the right one.
    package let rawValue: Int

    /// Ears by their bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The left ear.
    package static let left = Ears(rawValue: 1)
    /// The right ear.
    package static let right = Ears(rawValue: 2)
    /// Both.
    package static let both: Ears = [.left, .right]

    /// Whether ear 0 (left) or 1 (right) is among them.
    package func contains(ear: Int) -> Bool { rawValue >> ear & 1 == 1 }

    /// In words.
    package var description: String {
        switch self {
        case .left: "left"
        case .right: "right"
        case .both: "both"
        default: "none"
        }
    }
}
