/// A JSON value (RFC 8259), as far as trackers' datagrams need it.
enum JSONText: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    indirect case list([JSONText])
    indirect case object([String: JSONText])

    /// Nested deeper than this, text is refused: enough for every tracker, little enough for any stack.
    static let greatestDepth = 8

    /// Reads one value that fills the bytes but for blanks; `nil` for anything else. O(bytes).
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = JSONReader(bytes: bytes)
        guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
        self = value
    }

    /// A member of an object; `nil` where there is none or this is no object.
    subscript(_ name: String) -> JSONText? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The number this is.
    var number: Double? { if case .number(let value) = self { value } else { nil } }
    /// The text this is.
    var text: String? { if case .text(let value) = self { value } else { nil } }

    /// The numbers of a list of at least `count` numbers.
    func numbers(atLeast count: Int) -> [Double]? {
        guard case .list(let elements) = self, elements.count >= count else { return nil }
        let numbers = elements.compactMap(\.number)
        return numbers.count == elements.count ? numbers : nil
    }

    /// The vector a list of three numbers is.
    var vector: SIMD3<Double>? {
        guard let n = numbers(atLeast: 3) else { return nil }
        return SIMD3(n[0], n[1], n[2])
    }
}

/// Walks over the bytes of one JSON text; every read is checked against the end.
private struct JSONReader {
    let bytes: ArraySlice<UInt8>
    var index: Int

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool {
        mutating get {
            skipBlanks()
            return index == bytes.endIndex
        }
    }

    private var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { index += 1 }
    }

    private mutating func skip(_ expected: UInt8) -> Bool {
        skipBlanks()
        guard byte == expected else { return false }
        index += 1
        return true
    }

    private mutating func word(_ word: StaticString, _ value: JSONText) -> JSONText? {
        let count = word.utf8CodeUnitCount
        guard bytes.endIndex - index >= count else { return nil }
        for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] { return nil }
        index += count
        return value
    }

    mutating func value(depth: Int) -> JSONText? {
        guard depth < JSONText.greatestDepth else { return nil }
        skipBlanks()
        switch byte {
        case UInt8(ascii: "n"): return word("null", .null)
        case UInt8(ascii: "t"): return word("true", .boolean(true))
        case UInt8(ascii: "f"): return word("false", .boolean(false))
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "["): return list(depth: depth)
        case UInt8(ascii: "{"): return object(depth: depth)
        default: return number().map { .number($0) }
        }
    }

    private mutating func list(depth: Int) -> JSONText? {
        index += 1
        var elements: [JSONText] = []
        if skip(UInt8(ascii: "]")) { return .list([]) }
        while true {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
            if skip(UInt8(ascii: "]")) { return .list(elements) }
            guard skip(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func object(depth: Int) -> JSONText? {
        index += 1
        var members: [String: JSONText] = [:]
        if skip(UInt8(ascii: "}")) { return .object([:]) }
        while true {
            skipBlanks()
            guard byte == UInt8(ascii: "\""), let name = string(), skip(UInt8(ascii: ":")),
                let member = value(depth: depth + 1)
            else { return nil }
            members[name] = member
            if skip(UInt8(ascii: "}")) { return .object(members) }
            guard skip(UInt8(ascii: ",")) else { return nil }
        }
    }

    /// The text between quotes; escapes beyond the simple ones keep a question mark, names and numbers never need them.
    private mutating func string() -> String? {
        index += 1
        var text: [UInt8] = []
        while let next = byte {
            index += 1
            switch next {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = byte else { return nil }
                index += 1
                switch escaped {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
                case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
                    text.append(0x20)
                case UInt8(ascii: "u"):
                    guard bytes.endIndex - index >= 4 else { return nil }
                    index += 4
                    text.append(UInt8(ascii: "?"))
                default: return nil
                }
            case 0..<0x20: return nil
            default: text.append(next)
            }
        }
        return nil
    }

    /// A number; NaN and infinity, which JSON forbids but senders write, are read so that they can be counted as such.
    private mutating func number() -> Double? {
        let start = index
        while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}"), byte > 0x20 {
            index += 1
        }
        return TextFields.number(bytes[start..<index])
    }
}
