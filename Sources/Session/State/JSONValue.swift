import Foundation

/// Any JSON.
package enum JSONValue: Codable, Sendable, Hashable {
    case null
    case truth(Bool)
    case number(Double)
    /// A whole number that is no `Double`: one of more than 53 bits.
    case whole(Int64)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads any value.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let whole = try? value.decode(Int64.self), Int64(exactly: Double(whole)) != whole {
            self = .whole(whole)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Writes it.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .truth(let truth): try value.encode(truth)
        case .number(let number): try value.encode(number)
        case .whole(let whole): try value.encode(whole)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }

    /// A value of a parameter: a number, several, or a word.
    package init(_ value: ParameterValue) {
        switch value {
        case .numbers(let numbers) where numbers.count == 1: self = .number(numbers[0])
        case .numbers(let numbers): self = .list(numbers.map { .number($0) })
        case .word(let word): self = .text(word)
        }
    }

    /// The value of a parameter that this is; nil for what is none.
    package var parameterValue: ParameterValue? {
        switch self {
        case .number, .whole: return number.map { .numbers([$0]) }
        case .text(let word): return .word(word)
        case .list(let list):
            guard list.count <= ParameterValue.mostNumbers else { return nil }
            let numbers = list.map { $0.number ?? .nan }
            return numbers.contains { $0.isNaN } ? nil : .numbers(numbers)
        case .null, .truth, .object: return nil
        }
    }

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

    /// One line, keys in order.
    package var line: String { written([.sortedKeys]) }

    /// Lines for people to read, keys in order.
    package var page: String { written([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]) }

    private func written(_ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Encoding a value of numbers and texts cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
