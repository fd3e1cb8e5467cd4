import Foundation

extension Encodable {
    /// The value as one line of JSON, keys in order, slashes as they are. For values of texts, switches and finite
    /// numbers, which can always be encoded; an empty object stands for any other, and would be seen at once.
    package var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
