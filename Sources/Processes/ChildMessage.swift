import Foundation
import Gate

/// Values as lines of JSON, in which this program and its children speak to each other;
/// numbers that are not finite pass too.
package enum ChildMessage {
    /// A value as a line.
    package static func line(_ message: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // The strategy takes all numbers: nothing is left that could not be written.
        return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// What a line says; nil where it says nothing of the kind, or more than any of ours.
    package static func read<Message: Decodable>(_ kind: Message.Type, _ line: String) -> Message? {
        guard JSONBounds.child.excess(in: Array(line.utf8)) == nil else { return nil }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(kind, from: Data(line.utf8))
    }
}
