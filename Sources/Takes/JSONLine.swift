import Foundation

extension Encodable {
    /// The value as one line of JSON, keys sorted, slashes not escaped. For values of texts, switches and finite
    /// numbers, which can always be encoded; any other value gives an empty object.
    package var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
