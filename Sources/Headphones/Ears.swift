/// A set of ears.
package struct Ears: OptionSet, Hashable, Sendable, CustomStringConvertible {
    /// Bit 0 is the left ear, bit 1 the right one.
    package let rawValue: Int

    /// Creates a set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The left ear.
    package static let left = Ears(rawValue: 1)
    /// The right ear.
    package static let right = Ears(rawValue: 2)
    /// Both ears.
    package static let both: Ears = [.left, .right]

    /// Returns whether the set contains ear 0 (left) or 1 (right).
    package func contains(ear: Int) -> Bool { rawValue >> ear & 1 == 1 }

    /// The set in words.
    package var description: String {
        switch self {
        case .left: "left"
        case .right: "right"
        case .both: "both"
        default: "none"
        }
    }
}
