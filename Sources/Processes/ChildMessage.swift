import Foundation
import Gate

/// Encoding of messages between this program and its children as lines of JSON; non-finite numbers are supported.
package enum ChildMessage {
    /// Encodes a value as a line.
    package static func line(_ message: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // The strategy accepts all numbers, so that encoding cannot fail.
        return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Decodes a line; nil where it is malformed, of another type, or beyond `JSONBounds.child`.
    package static func read<Message: Decodable>(_ kind: Message.Type, _ line: String) -> Message? {
        guard JSONBounds.child.excess(in: Array(line.utf8)) == nil else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(kind, from: Data(line.utf8))
    }
}
