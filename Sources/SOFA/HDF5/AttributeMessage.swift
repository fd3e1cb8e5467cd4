/// Checks an attribute message of an object header. Name, datatype, dataspace and value must lie within the message,
/// and the datatype and dataspace within their stated sizes.
///
/// Source: HDF5 File Format Specification Version 3.0, IV.A.2.m (attribute), IV.A.2.b (dataspace), IV.A.2.d (datatype).
struct AttributeMessage {
    let name: String
    /// Heap reference of the value if it is a single text of variable length; nil for other values.
    let text: HeapReference?

    /// Place, in a global heap, of a text of variable length.
    struct HeapReference {
        let length: UInt64
        let address: UInt64
        let index: UInt64
    }

    /// Greatest nesting of datatypes; real files have two or three levels.
    private static let deepestType = 16

    /// Throws if the message states more bytes than it has, or has an unknown form. `isShared`: the header's flag for
    /// an attribute that is stored elsewhere, which is refused.
    init(_ message: HeaderBytes, isShared: Bool, _ widths: HeaderBytes.Widths) throws(HeaderDamage) {
        guard !isShared else { throw HeaderDamage(words: "an attribute shared with other objects") }
        var rest = message
        let version = try rest.number(1)
        guard 1...3 ~= version else { throw HeaderDamage(words: "an attribute of version \(version)") }
        let flags = try rest.number(1)
        let (nameSize, typeSize, spaceSize) = (try rest.number(2), try rest.number(2), try rest.number(2))
        // Encoding of the name.
        if version == 3 { try rest.skip(1) }
        let grain: UInt64 = version == 1 ? 8 : 1
        var letters = try rest.take(nameSize, "name", grain: grain)
        name = letters.text
        try letters.skipName()
        var type = try rest.take(typeSize, "datatype", grain: grain)
        var space = try rest.take(spaceSize, "dataspace", grain: grain)
        // Version 1 has no flags. The targets of references are not looked up, because the library itself checks the
        // value of such an attribute.
        let references = version == 1 ? 0 : flags & 3
        // Class 9, type 1 is text of variable length.
        let isText = references == 0 && type.isVariableText
        let size = try references & 1 != 0 ? Self.reference(&type, widths) : Self.elementSize(&type, depth: 0)
        let count = try references & 2 != 0 ? Self.reference(&space, widths) : Self.valueCount(&space, widths)
        guard references == 0 else {
            text = nil
            return
        }
        let (bytes, overflow) = size.multipliedReportingOverflow(by: count)
        var value = try rest.take(overflow ? .max : bytes, "value")
        guard isText, count == 1 else {
            text = nil
            return
        }
        text = HeapReference(
            length: try value.number(4), address: try value.number(widths.offset), index: try value.number(4))
    }

    /// Skips a reference to a datatype or dataspace that is stored elsewhere ("shared message", IV.A.2); returns 0.
    private static func reference(_ bytes: inout HeaderBytes, _ widths: HeaderBytes.Widths) throws(HeaderDamage)
        -> UInt64
    {
        let version = try bytes.number(1)
        // Version 1 has type, reserved (6), address; the library skips a length as well. Later versions have type, and
        // address or heap key (8).
        try bytes.skip(version == 1 ? 7 + widths.length + widths.offset : 1 + max(8, widths.offset))
        return 0
    }

    /// Returns the number of values of a dataspace.
    private static func valueCount(_ bytes: inout HeaderBytes, _ widths: HeaderBytes.Widths) throws(HeaderDamage)
        -> UInt64
    {
        let version = try bytes.number(1)
        let (rank, flags, kind) = (try bytes.number(1), try bytes.number(1), try bytes.number(1))
        if version == 1 { try bytes.skip(4) }
        var count: UInt64 = 1
        for _ in 0..<rank {
            let (product, overflow) = count.multipliedReportingOverflow(by: try bytes.number(widths.length))
            guard !overflow else { throw HeaderDamage(words: "a dataspace of an impossible size") }
            count = product
        }
        if flags & 1 != 0 { for _ in 0..<rank { try bytes.skip(widths.length) } }
        // Kind 2 of version 2 has no values.
        return version == 2 && kind == 2 ? 0 : count
    }

    /// Returns the size of an element of a datatype in bytes, and skips its description including nested datatypes.
    private static func elementSize(_ bytes: inout HeaderBytes, depth: Int) throws(HeaderDamage) -> UInt64 {
        guard depth < deepestType else { throw HeaderDamage(words: "datatypes more than \(deepestType) deep") }
        let head = try bytes.number(4)
        let (kind, version, bits) = (head & 15, head >> 4 & 15, head >> 8)
        let size = try bytes.number(4)
        let grain: UInt64 = version < 3 ? 8 : 1
        switch kind {
        case 0, 4: try bytes.skip(4)  // integer, bit field: position of the bits
        case 1: try bytes.skip(12)  // float: position of the bits
        case 2: try bytes.skip(2)  // time
        case 3, 7: break  // text, reference
        case 5: try bytes.skip(Int(bits & 0xFF))  // opaque: its tag
        case 6:  // compound: a name, an offset and a datatype per member
            for _ in 0..<(bits & 0xFFFF) {
                try bytes.skipName(grain: grain)
                // Version 1 stores an array's shape with the offset. In version 3 the size determines the width of the
                // offset.
                try bytes.skip(version == 1 ? 32 : version == 2 ? 4 : max(1, (71 - size.leadingZeroBitCount) / 8))
                _ = try elementSize(&bytes, depth: depth + 1)
            }
        case 8:  // enumeration: a datatype, then names, then values
            let value = try elementSize(&bytes, depth: depth + 1)
            for _ in 0..<(bits & 0xFFFF) { try bytes.skipName(grain: grain) }
            for _ in 0..<(bits & 0xFFFF) { _ = try bytes.take(value, "value") }
        case 9: _ = try elementSize(&bytes, depth: depth + 1)  // value of variable length
        case 10:  // array: a rank, sizes (and permutations, before version 3), a datatype
            let rank = Int(try bytes.number(1))
            try bytes.skip(version < 3 ? 3 + 8 * rank : 4 * rank)
            _ = try elementSize(&bytes, depth: depth + 1)
        default: throw HeaderDamage(words: "a datatype of the unknown class \(kind)")
        }
        return size
    }
}
