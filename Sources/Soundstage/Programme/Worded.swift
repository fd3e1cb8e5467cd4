/// A choice that has a name in commands, metadata and motion logs.
package protocol Worded: CaseIterable, RawRepresentable, Codable where RawValue == UInt8 {
    /// Name of the choice.
    var word: String { get }
}

extension Worded {
    /// Makes the choice with a name; nil for an unknown name.
    package init?(word: String) {
        guard let choice = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = choice
    }

    /// Decodes the choice from its name.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let word = try container.decode(String.self)
        guard let choice = Self(word: word) else {
            let words = Self.allCases.map(\.word).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(word)' is none of \(words)")
        }
        self = choice
    }

    /// Encodes the choice as its name.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
