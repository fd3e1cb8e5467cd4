/// Reads the fields of a Protocol Buffers message in the order sent (protobuf.dev, "Encoding"): whole numbers and byte
/// strings. Any bytes are permitted. The sequence ends at the first field that is cut off, has another type, or has a
/// number above 64 bits; `isWhole` is then false. O(1) per byte.
struct ProtobufFields: Sequence, IteratorProtocol {
    /// One field.
    struct Field {
        /// Number of the field in its message.
        let number: UInt64
        /// Value of the field.
        let value: Value
    }

    /// Value of a field.
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    /// Whether every field so far was readable.
    private(set) var isWhole = true
    private var rest: ArraySlice<UInt8>

    /// Creates a reader of one message.
    init(_ message: ArraySlice<UInt8>) { rest = message }

    mutating func next() -> Field? {
        guard isWhole, !rest.isEmpty else { return nil }
        guard let key = number() else { return unreadable() }
        switch key & 7 {
        case 0:
            guard let value = number() else { return unreadable() }
            return Field(number: key >> 3, value: .number(value))
        case 2:
            guard let count = number(), count <= UInt64(rest.count) else { return unreadable() }
            defer { rest = rest.dropFirst(Int(count)) }
            return Field(number: key >> 3, value: .bytes(rest.prefix(Int(count))))
        default: return unreadable()
        }
    }

    private mutating func unreadable() -> Field? {
        isWhole = false
        return nil
    }

    /// Reads a number: seven bits per byte, the lowest bits first. The top bit of a byte means that another byte
    /// follows.
    private mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            let bits = UInt64(byte & 0x7f)
            // The tenth byte can hold only the 64th bit.
            guard shift < 63 || bits <= 1 else { return nil }
            value |= bits << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
