import Foundation
import Gate

/// Writing of JSON values.
extension JSONValue: Encodable {
    /// Encodes the value.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .truth(let truth): try value.encode(truth)
        case .number(let number): try value.encode(number)
        case .whole(let whole):
            if let signed = Int64(exactly: whole) {
                try value.encode(signed)
            } else {
                try value.encode(UInt64(clamping: whole))
            }
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }

    /// The value in one line of JSON, with sorted keys.
    package var line: String { jsonText() }

    /// The value in several indented lines of JSON, with sorted keys.
    package var page: String { jsonText([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]) }
}

extension Encodable {
    /// Returns the value as JSON, unless stated otherwise as one line with sorted keys and escaped slashes. Infinities
    /// and NaN become the texts `inf`, `-inf` and `nan`, because JSON has no such numbers.
    package func jsonText(_ formatting: JSONEncoder.OutputFormatting = [.sortedKeys]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Encoding a value of numbers and texts cannot fail.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
