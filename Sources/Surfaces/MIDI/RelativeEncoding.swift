/// Encoding of the steps of an endless knob in the seven bits of a controller.
package enum RelativeEncoding: String, Sendable, CaseIterable {
    /// 1, 2, … to the right; 127, 126, … to the left.
    case twosComplement = "twos-complement"
    /// 65, 66, … to the right; 63, 62, … to the left.
    case binaryOffset = "binary-offset"
    /// 1, 2, … to the right; 65, 66, … to the left (Mackie Control).
    case signBit = "sign-bit"

    /// Returns the number of steps in a value, positive to the right.
    package func steps(_ value: UInt8) -> Int {
        let value = Int(value & 0x7F)
        return switch self {
        case .twosComplement: value < 64 ? value : value - 128
        case .binaryOffset: value - 64
        case .signBit: value < 64 ? value : 64 - value
        }
    }

    /// Infers the encoding from the values that a control has sent while it was turned one way or both; nil if the
    /// values do not fit an encoding.
    ///
    /// A control that sends positions does not send one value twice in a row; an endless knob does. The values of an
    /// endless knob are at most 8 steps from the code of no step (0, 64 or 128).
    ///
    /// Values near 1 alone fit two's complement and sign bit; two's complement, which is more common, is chosen. Values
    /// near 65 alone are steps to the right in binary offset and to the left in sign bit; binary offset is chosen. If
    /// the knob was turned both ways, the encoding is unambiguous.
    package init?(observed values: [UInt8]) {
        guard values.count >= 3, zip(values, values.dropFirst()).contains(where: { $0 == $1 }) else { return nil }
        let few: UInt8 = 8
        func near(_ range: ClosedRange<UInt8>) -> Bool { values.contains { range.contains($0) } }
        let (right, left) = (near(1...few), near(128 - few...127))
        let (below, above) = (near(64 - few...63), near(65...64 + few))
        guard values.allSatisfy({ Self.isStep($0, few) }) else { return nil }
        switch (right, left, below, above) {
        case (_, true, false, false), (true, false, false, false): self = .twosComplement
        case (true, false, false, true): self = .signBit
        case (false, false, _, _) where below || above: self = .binaryOffset
        default: return nil
        }
    }

    private static func isStep(_ value: UInt8, _ few: UInt8) -> Bool {
        (1...few).contains(value) || value >= 128 - few || (64 - few...64 + few).contains(value) && value != 64
    }
}
