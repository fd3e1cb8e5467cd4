import Foundation
import Gate

/// Writing of JSON values.
extension JSONValue {
    /// The value in one line of JSON, with sorted keys.
    package var line: String { jsonText() }

    /// The value in several indented lines of JSON, with sorted keys.
    package var page: String { jsonText([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]) }
}

extension Encodable {
    /// Returns the value as JSON. By default the text is one line with sorted keys and escaped slashes. Infinities
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
