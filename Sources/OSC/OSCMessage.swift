/// An OSC 1.0 message: an address and its arguments.
package struct OSCMessage: Equatable, Sendable {
    /// Begins with `/`; printable ASCII without space and `#`.
    package var address: String
    /// In the order of the type tags.
    package var arguments: [OSCArgument]

    /// A message; the address is checked where it is decoded, and must be valid where it is encoded.
    package init(_ address: String, _ arguments: [OSCArgument] = []) {
        self.address = address
        self.arguments = arguments
    }

    /// All arguments as numbers, or `nil` if one is not a number.
    package var numbers: [Double]? {
        var result: [Double] = []
        result.reserveCapacity(arguments.count)
        for argument in arguments {
            guard let number = argument.number else { return nil }
            result.append(number)
        }
        return result
    }
}

/// What one UDP datagram carries: a message, or a bundle of packets that belong together.
package enum OSCPacket: Equatable, Sendable {
    /// One message.
    case message(OSCMessage)
    /// Packets that take effect together at a time; nested at most `greatestDepth` deep.
    indirect case bundle(OSCTimeTag, [OSCPacket])

    /// How deep bundles may be nested: deep enough for every known sender, shallow enough for any stack.
    package static var greatestDepth: Int { 8 }

    /// Every message, in order, bundles opened. Time tags are left aside: trackers send what holds now.
    package var messages: [OSCMessage] {
        switch self {
        case .message(let message): [message]
        case .bundle(_, let elements): elements.flatMap(\.messages)
        }
    }
}
