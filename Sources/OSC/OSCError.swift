/// Reason why bytes are not an OSC 1.0 packet. Offsets are in bytes from the start of the datagram.
package enum OSCError: Error, Equatable, Sendable {
    /// The packet is empty.
    case empty
    /// The length of the packet, `count` bytes, is not a multiple of four.
    case unaligned(count: Int)
    /// The bytes end inside the item that starts at `offset`.
    case truncated(offset: Int)
    /// The string at `offset` is not terminated by a zero byte.
    case unterminatedString(offset: Int)
    /// The padding after the item at `offset` contains a byte other than zero.
    case dirtyPadding(offset: Int)
    /// The string at `offset` is not UTF-8.
    case notText(offset: Int)
    /// A packet or bundle element begins neither with `/` nor with `#bundle`, or its address contains a space, `#`, a
    /// control character or a non-ASCII byte.
    case badAddress(offset: Int)
    /// The bytes after the address, at `offset`, are not a type tag string. Some very old senders omit it.
    case missingTypeTags(offset: Int)
    /// This decoder does not support a type tag, or a bracket has no counterpart. The value is the tag's byte.
    case unknownTypeTag(UInt8)
    /// A blob at `offset` states a length that is negative or exceeds the packet.
    case badBlobSize(Int, offset: Int)
    /// A bundle element at `offset` states a length that is not positive, not a multiple of four, or exceeds the
    /// bundle.
    case badElementSize(Int, offset: Int)
    /// Bytes remain after the last argument.
    case trailingBytes(offset: Int)
    /// Bundles are nested deeper than `OSCPacket.greatestDepth`.
    case nestedTooDeep
}

extension OSCError: CustomStringConvertible {
    /// Fault of the packet as text.
    package var description: String {
        switch self {
        case .empty: "the packet is empty"
        case .unaligned(let count): "\(count) bytes is not a multiple of four"
        case .truncated(let offset): "the packet ends inside the item at byte \(offset)"
        case .unterminatedString(let offset): "the string at byte \(offset) has no end"
        case .dirtyPadding(let offset): "the padding after the item at byte \(offset) is not zero"
        case .notText(let offset): "the string at byte \(offset) is not UTF-8"
        case .badAddress(let offset): "no OSC address at byte \(offset); it must begin with '/' or be '#bundle'"
        case .missingTypeTags(let offset): "no type tags (a string beginning with ',') at byte \(offset)"
        case .unknownTypeTag(let tag):
            "unknown type tag '\(Character(UnicodeScalar(tag)))'; known are i f s S b d h t T F N, and [ ] in pairs"
        case .badBlobSize(let size, let offset): "the blob at byte \(offset) claims \(size) bytes"
        case .badElementSize(let size, let offset): "the bundle element at byte \(offset) claims \(size) bytes"
        case .trailingBytes(let offset): "bytes are left over from byte \(offset) on"
        case .nestedTooDeep: "bundles are nested more than \(OSCPacket.greatestDepth) deep"
        }
    }
}
