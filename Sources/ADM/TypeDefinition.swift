/// Kind of sound of a channel (ITU-R BS.2076-2, typeDefinition of an audioChannelFormat).
package enum TypeDefinition: Int, CaseIterable, Hashable, Sendable {
    case directSpeakers = 1
    case matrix, objects, hoa, binaural

    /// Text of the attribute `typeDefinition`.
    var word: String {
        switch self {
        case .directSpeakers: "DirectSpeakers"
        case .matrix: "Matrix"
        case .objects: "Objects"
        case .hoa: "HOA"
        case .binaural: "Binaural"
        }
    }

    /// Reads the attributes `typeLabel` (four hexadecimal digits) and `typeDefinition`; nil if neither is valid.
    init?(label: String?, definition: String?) {
        if let label, let number = Int(label, radix: 16), let found = TypeDefinition(rawValue: number) {
            self = found
        } else if let found = Self.allCases.first(where: { $0.word == definition }) {
            self = found
        } else {
            return nil
        }
    }

    /// Reads the four hexadecimal digits after the prefix of an identifier, such as `AC_0003…`. Returns nil if they are
    /// not the number of a type.
    init?(identifier: String) {
        guard let number = Int(identifier.dropFirst(3).prefix(4), radix: 16) else { return nil }
        self.init(rawValue: number)
    }
}
