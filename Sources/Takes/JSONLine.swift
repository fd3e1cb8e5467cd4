import Foundation

extension Encodable {
    /// Value as one line of JSON. Keys are sorted, slashes are not escaped. Intended for texts, Booleans and finite
    /// numbers, which can always be encoded. A value that cannot be encoded gives an empty object.
    package var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
