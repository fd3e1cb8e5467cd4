/// Any JSON.
package enum JSONValue: Sendable, Hashable {
    case null
    case truth(Bool)
    case number(Double)
    /// A whole number that is no `Double`: one of more than 53 bits.
    case whole(Int64)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// What stands under a key of an object; nil where there is none.
    package subscript(_ key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }

    /// The text it is; nil for anything else.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The number it is; nil for anything else.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .whole(let whole): Double(whole)
        default: nil
        }
    }

    /// A number as people write it, `3` and not `3.0`; nil for anything else.
    package var numeral: String? {
        switch self {
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .whole(let whole): String(whole)
        default: nil
        }
    }

    /// The numbers of a list of numbers, at least so many; nil for anything else.
    package func numbers(atLeast count: Int) -> [Double]? {
        guard case .list(let elements) = self, elements.count >= count else { return nil }
        let numbers = elements.compactMap(\.number)
        return numbers.count == elements.count ? numbers : nil
    }
}
