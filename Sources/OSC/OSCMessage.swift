/// OSC 1.0 message: an address and its arguments.
package struct OSCMessage: Equatable, Sendable {
    /// Address, which begins with `/` and consists of printable ASCII without space and `#`.
    package var address: String
    /// Arguments, in the order of the type tags.
    package var arguments: [OSCArgument]

    /// Creates a message. Decoding checks the address; encoding requires a valid one.
    package init(_ address: String, _ arguments: [OSCArgument] = []) {
        self.address = address
        self.arguments = arguments
    }

    /// All arguments as numbers; nil if an argument is not a number.
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

/// Content of one datagram: a message, or a bundle of packets.
package enum OSCPacket: Equatable, Sendable {
    /// One message.
    case message(OSCMessage)
    /// Packets that take effect together at the time of the tag, nested at most `greatestDepth` deep.
    indirect case bundle(OSCTimeTag, [OSCPacket])

    /// Greatest nesting of bundles. It is enough for every known sender, and safe for any stack.
    package static var greatestDepth: Int { 8 }

    /// All messages in order, with bundles flattened. Time tags are not included.
    package var messages: [OSCMessage] {
        switch self {
        case .message(let message): [message]
        case .bundle(_, let elements): elements.flatMap(\.messages)
        }
    }
}
