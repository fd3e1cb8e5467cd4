/// Reason why a text cannot be read as JSON.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fault, and its position in the text if it has one.
    package let description: String
}

extension JSONValue {
    /// Reads JSON (RFC 8259) in UTF-8. A trailing comma is allowed, because it is common in files edited by hand. Of
    /// duplicate keys the first applies. O(bytes).
    ///
    /// - Parameters:
    ///   - bounds: size limits of the text, checked before it is read.
    ///   - lenient: whether non-standard numbers of some senders are allowed: `NaN`, `inf`, `+1`, `.5`.
    /// - Throws: the fault: invalid JSON with line and column, or the limit that is exceeded.
    package init(
        _ bytes: some Collection<UInt8>, within bounds: JSONBounds, lenient: Bool = false
    ) throws(JSONFault) {
        let bytes = Array(bytes)
        if let excess = bounds.excess(in: bytes) { throw JSONFault(description: excess) }
        var reader = JSONReader(bytes: bytes, isLenient: lenient)
        self = try reader.whole()
    }

    /// Reads JSON; nil if the text is invalid or exceeds the limits.
    package init?(parsing text: String, within bounds: JSONBounds = .session) {
        guard let value = try? JSONValue(text.utf8, within: bounds) else { return nil }
        self = value
    }
}

/// Parser over the bytes of one JSON text. Every read is checked against the end. The nesting depth has been checked
/// before.
private struct JSONReader {
    let bytes: [UInt8]
    let isLenient: Bool
    var index = 0

    init(bytes: [UInt8], isLenient: Bool) {
        (self.bytes, self.isLenient) = (bytes, isLenient)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Parses the one value of the text. Only white space may surround it.
    mutating func whole() throws(JSONFault) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard index == bytes.count else { throw fault() }
        return value
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Creates a fault at a place, by default the present one. Without a reason it is an unexpected character or end.
    private func fault(_ reason: String? = nil, at place: Int? = nil) -> JSONFault {
        let place = min(place ?? index, bytes.count)
        let lines = bytes[..<place].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let reason = reason ?? (place == bytes.count ? "unexpected end" : "unexpected character")
        return JSONFault(description: "\(reason) at line \(lines.count), column \((lines.last?.count ?? 0) + 1)")
    }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { index += 1 }
    }

    private mutating func skip(_ expected: UInt8) -> Bool {
        skipBlanks()
        guard byte == expected else { return false }
        index += 1
        return true
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[offset] else { throw fault() }
            index += 1
        }
        return value
    }

    private mutating func value() throws(JSONFault) -> JSONValue {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "n") where !isNaN: return try word("null", .null)
        case UInt8(ascii: "t"): return try word("true", .truth(true))
        case UInt8(ascii: "f"): return try word("false", .truth(false))
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "{"): return try object()
        default: return try number()
        }
    }

    /// Whether non-standard numbers are allowed and the byte after the present one is `a` or `A`. If the present one is
    /// `n`, this distinguishes `nan` from `null`.
    private var isNaN: Bool { isLenient && index + 1 < bytes.count && bytes[index + 1] | 0x20 == UInt8(ascii: "a") }

    private mutating func list() throws(JSONFault) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        if skip(UInt8(ascii: "]")) { return .list([]) }
        while true {
            elements.append(try value())
            let goesOn = skip(UInt8(ascii: ","))
            if skip(UInt8(ascii: "]")) { return .list(elements) }
            guard goesOn else { throw fault() }
        }
    }

    private mutating func object() throws(JSONFault) -> JSONValue {
        index += 1
        var members: [String: JSONValue] = [:]
        if skip(UInt8(ascii: "}")) { return .object([:]) }
        while true {
            skipBlanks()
            guard byte == UInt8(ascii: "\"") else { throw fault() }
            let name = try string()
            guard skip(UInt8(ascii: ":")) else { throw fault() }
            let member = try value()
            if members[name] == nil { members[name] = member }
            let goesOn = skip(UInt8(ascii: ","))
            if skip(UInt8(ascii: "}")) { return .object(members) }
            guard goesOn else { throw fault() }
        }
    }

    /// Parses a text in quotes.
    private mutating func string() throws(JSONFault) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while let next = byte {
            index += 1
            switch next {
            case UInt8(ascii: "\""):
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw fault("a text that is not UTF-8", at: start)
                }
                return text
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw fault(at: index - 1)
            default: text.append(next)
            }
        }
        throw fault()
    }

    /// Parses the escape after a backslash.
    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        guard let letter = byte else { throw fault() }
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]), byte == UInt8(ascii: "\\") {
                index += 1
                guard byte == UInt8(ascii: "u") else { throw fault() }
                index += 1
                units.append(try unit())
            }
            guard let written = String(validating: units, as: UTF16.self) else {
                throw fault("an incomplete surrogate pair")
            }
            text += written.utf8
        default: throw fault(at: index - 1)
        }
    }

    /// Parses four hexadecimal digits.
    private mutating func unit() throws(JSONFault) -> UInt16 {
        let digits = bytes[index..<min(index + 4, bytes.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault() }
        index += 4
        return unit
    }

    /// Whole numbers of 64 bits, with or without a sign.
    private static let wholes = Int128(Int64.min)...Int128(UInt64.max)

    private mutating func number() throws(JSONFault) -> JSONValue {
        let start = index
        while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}"), byte > 0x20 {
            index += 1
        }
        let word = bytes[start..<index]
        // Swift also parses hexadecimal numbers, which are not valid here.
        let isNumber = isLenient ? !word.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) : Self.isNumber(word)
        guard isNumber, let number = Double(String(decoding: word, as: UTF8.self))
        else { throw fault(at: start) }
        guard isLenient || number.isFinite else { throw fault("a number that is too large", at: start) }
        if abs(number) >= 0x1p53, let whole = Int128(String(decoding: word, as: UTF8.self)),
            Int128(exactly: number) != whole, Self.wholes.contains(whole)
        {
            return .whole(whole)
        }
        return .number(number)
    }

    /// Returns whether a word is a number by the standard: an optional `-`; the digit 0, or digits that do not begin
    /// with 0; optionally `.` and digits; optionally `e` or `E`, an optional sign, and digits.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word[...]
        func digits() -> Int {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !isZero || whole == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
