/// A JSON value.
package enum JSONValue: Sendable, Hashable {
    case null
    case truth(Bool)
    case number(Double)
    /// An integer of 54 to 64 bits, signed or unsigned, that `Double` cannot represent exactly.
    case whole(Int128)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Value of a key of an object; nil if there is none.
    package subscript(_ key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }

    /// Text of a text value; nil for other kinds.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// Number of a numeric value; nil for other kinds.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .whole(let whole): Double(whole)
        default: nil
        }
    }

    /// Text of a number, for 64-bit integers without a point, for example `3`; nil for other kinds.
    package var numeral: String? {
        switch self {
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .whole(let whole): String(whole)
        default: nil
        }
    }

    /// Returns the numbers of a list that contains only numbers, at least `count`; nil for other values.
    package func numbers(atLeast count: Int) -> [Double]? {
        guard case .list(let elements) = self, elements.count >= count else { return nil }
        let numbers = elements.compactMap(\.number)
        return numbers.count == elements.count ? numbers : nil
    }
}
