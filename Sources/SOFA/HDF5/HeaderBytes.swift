/// Damage found in an object's header.
struct HeaderDamage: Error {
    let words: String
}

/// Bytes of a header that may be damaged, read from the front. A read past the end throws.
struct HeaderBytes {
    /// Number of bytes of an address and of a size in this file.
    struct Widths {
        let offset: Int
        let length: Int
    }

    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    /// Text up to the first 0.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// Whether a datatype "text of variable length" begins here.
    var isVariableText: Bool {
        bytes.count > 1 && bytes[bytes.startIndex] & 15 == 9 && bytes[bytes.startIndex + 1] & 15 == 1
    }

    func starts(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// Reads the next `width` bytes as a little-endian number. Bytes after the eighth must be zero.
    mutating func number(_ width: Int) throws(HeaderDamage) -> UInt64 {
        let digits = try take(UInt64(width), "number").bytes
        guard digits.dropFirst(8).allSatisfy({ $0 == 0 }) else { throw HeaderDamage(words: "a number beyond 2⁶⁴") }
        return digits.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the next `size` bytes, and skips padding up to a multiple of `grain`. Errors call the bytes `what`.
    mutating func take(_ size: UInt64, _ what: String, grain: UInt64 = 1) throws(HeaderDamage) -> HeaderBytes {
        guard size <= UInt64(count), let whole = Int(exactly: (size + grain - 1) / grain * grain), whole <= count else {
            throw HeaderDamage(words: "a \(what) of \(size) bytes where \(count) are left")
        }
        defer { bytes = bytes.dropFirst(whole) }
        return HeaderBytes(bytes.prefix(Int(size)))
    }

    mutating func skip(_ size: Int) throws(HeaderDamage) { _ = try take(UInt64(size), "field") }

    /// Skips a name with its final 0, and padding up to a multiple of `grain`.
    mutating func skipName(grain: UInt64 = 1) throws(HeaderDamage) {
        guard let end = bytes.firstIndex(of: 0) else { throw HeaderDamage(words: "a name without an end") }
        _ = try take(UInt64(end - bytes.startIndex + 1), "name", grain: grain)
    }
}
