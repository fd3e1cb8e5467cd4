import Foundation

/// JSON output of the commands' `--json`.
enum JSONText {
    /// Prints an object with sorted keys.
    static func print(_ object: Any) throws {
        let bytes = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        Swift.print(String(decoding: bytes, as: UTF8.self))
    }

    /// Prints a report with sorted keys.
    static func print(_ answer: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(answer), as: UTF8.self))
    }
}
