extension OSCPacket {
    /// Decodes one datagram strictly by the OSC 1.0 specification (Wright & Freed 2002). Any bytes are permitted as
    /// input.
    ///
    /// The bytes must contain exactly one packet, and padding must be zero. Only one fault is tolerated: a message
    /// without arguments may lack its type tags. The time is proportional to the number of bytes.
    package init(decoding bytes: [UInt8]) throws(OSCError) {
        self = try OSCPacket(bytes[...], depth: 0)
    }

    /// Returns the address of a message, even if the rest cannot be decoded, so that the sender can get a reply. Nil if
    /// the bytes do not begin with a valid address.
    package static func address(of bytes: [UInt8]) -> String? {
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        var reader = Reader(bytes: bytes[...])
        return try? reader.address()
    }

    private init(_ bytes: ArraySlice<UInt8>, depth: Int) throws(OSCError) {
        guard let first = bytes.first else { throw .empty }
        guard bytes.count % 4 == 0 else { throw .unaligned(count: bytes.count) }
        var reader = Reader(bytes: bytes)
        if first == UInt8(ascii: "#") {
            guard depth < Self.greatestDepth else { throw .nestedTooDeep }
            guard try reader.string() == "#bundle" else { throw .badAddress(offset: bytes.startIndex) }
            let time = OSCTimeTag(bits: try reader.integer(UInt64.self))
            var elements: [OSCPacket] = []
            while !reader.isAtEnd {
                let offset = reader.offset
                let size = Int(Int32(bitPattern: try reader.integer(UInt32.self)))
                guard size > 0, size % 4 == 0, size <= reader.left else {
                    throw .badElementSize(size, offset: offset)
                }
                elements.append(try OSCPacket(reader.take(size), depth: depth + 1))
            }
            self = .bundle(time, elements)
        } else {
            self = .message(try OSCMessage(&reader))
        }
    }
}

extension OSCMessage {
    fileprivate init(_ reader: inout Reader) throws(OSCError) {
        let address = try reader.address()
        // An address alone is read as a message without arguments, because old senders omit empty type tags.
        guard !reader.isAtEnd else {
            self.init(address, [])
            return
        }
        let tagOffset = reader.offset
        guard reader.next == UInt8(ascii: ",") else { throw .missingTypeTags(offset: tagOffset) }
        let tags = try reader.string().utf8.dropFirst()
        var arguments: [OSCArgument] = []
        arguments.reserveCapacity(tags.count)
        // The elements of an array are read as consecutive arguments.
        var depth = 0
        for tag in tags {
            switch tag {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]") where depth > 0: depth -= 1
            default: arguments.append(try reader.argument(tag))
            }
        }
        guard depth == 0 else { throw .unknownTypeTag(UInt8(ascii: "[")) }
        guard reader.isAtEnd else { throw .trailingBytes(offset: reader.offset) }
        self.init(address, arguments)
    }
}

/// Reader for the bytes of one packet. Every read is checked against the end.
private struct Reader {
    private let bytes: ArraySlice<UInt8>
    private(set) var offset: Int

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    var left: Int { bytes.endIndex - offset }
    var isAtEnd: Bool { left == 0 }
    /// Next byte, which must exist.
    var next: UInt8 { bytes[offset] }

    /// Returns the next `count` bytes, which must exist.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func integer<T: FixedWidthInteger>(_: T.Type) throws(OSCError) -> T {
        let size = T.bitWidth / 8
        guard left >= size else { throw .truncated(offset: offset) }
        return take(size).reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
    }

    /// Skips the zeros after an item of `count` bytes that begins at `start`.
    private mutating func padding(after count: Int, from start: Int) throws(OSCError) {
        let size = (4 - count % 4) % 4
        guard left >= size else { throw .truncated(offset: start) }
        guard take(size).allSatisfy({ $0 == 0 }) else { throw .dirtyPadding(offset: start) }
    }

    mutating func string() throws(OSCError) -> String {
        let start = offset
        guard let end = bytes[offset...].firstIndex(of: 0) else { throw .unterminatedString(offset: start) }
        guard let text = String(validating: take(end - start), as: UTF8.self) else { throw .notText(offset: start) }
        offset += 1
        try padding(after: end - start + 1, from: start)
        return text
    }

    mutating func address() throws(OSCError) -> String {
        let start = offset
        let address = try string()
        let printable = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }
        guard address.utf8.first == UInt8(ascii: "/"), printable else { throw .badAddress(offset: start) }
        return address
    }

    mutating func blob() throws(OSCError) -> [UInt8] {
        let start = offset
        let size = Int(Int32(bitPattern: try integer(UInt32.self)))
        guard size >= 0, size <= left else { throw .badBlobSize(size, offset: start) }
        let content = Array(take(size))
        try padding(after: size, from: start)
        return content
    }

    mutating func argument(_ tag: UInt8) throws(OSCError) -> OSCArgument {
        switch tag {
        case UInt8(ascii: "i"): .int32(Int32(bitPattern: try integer(UInt32.self)))
        case UInt8(ascii: "f"): .float(Float(bitPattern: try integer(UInt32.self)))
        case UInt8(ascii: "s"), UInt8(ascii: "S"): .string(try string())
        case UInt8(ascii: "b"): .blob(try blob())
        case UInt8(ascii: "d"): .double(Double(bitPattern: try integer(UInt64.self)))
        case UInt8(ascii: "h"): .int64(Int64(bitPattern: try integer(UInt64.self)))
        case UInt8(ascii: "t"): .timeTag(OSCTimeTag(bits: try integer(UInt64.self)))
        case UInt8(ascii: "T"): .boolean(true)
        case UInt8(ascii: "F"): .boolean(false)
        case UInt8(ascii: "N"): .null
        default: throw .unknownTypeTag(tag)
        }
    }
}
