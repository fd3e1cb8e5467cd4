import Foundation
import Gate

/// Encodes and decodes the messages between this program and its child processes, one JSON object per line. NaN and
/// infinities are sent as strings.
package enum ChildMessage {
    /// Encodes a message. The line has no line break at its end.
    package static func line(_ message: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Encoding could fail only for numbers that are not finite, and these are sent as strings.
        return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Decodes a line. Nil if it is not JSON, does not match `Message`, or is longer or nested deeper than
    /// `JSONBounds.child` permits.
    package static func read<Message: Decodable>(_ kind: Message.Type, _ line: String) -> Message? {
        try? JSONValue.decode(kind, from: line.utf8, within: .child, hasInfinities: true)
    }
}
