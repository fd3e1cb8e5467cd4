/// A format of trackers: its entry in `tracker list`, and its decoder.
package struct TrackerFormat: Sendable {
    /// Transport of a format's bytes.
    package enum Transport: Hashable, Sendable {
        /// Datagrams, usually on this port.
        case udp(port: Int)
        /// A serial line, usually at this baud rate, with 8 bits, no parity, 1 stop bit.
        case serial(baud: Int)
        /// MIDI messages.
        case midi
        /// Reports of a HID device.
        case hid

        /// Framing of the bytes on this transport.
        package var framing: Framing {
            if case .serial = self { .stream } else { .messages }
        }
    }

    /// Division of the bytes into calls of a decoder.
    package enum Framing: Hashable, Sendable {
        /// Each call receives one whole message: a datagram, a MIDI message, a HID report.
        case messages
        /// Each call receives the next bytes of a stream, split at any byte.
        case stream
    }

    /// Name in specifications: lower case, digits, hyphens.
    package let name: String
    /// Title in lists.
    package let title: String
    /// Transports of the format, the usual one first.
    package let transports: [Transport]
    /// Units, signs and axes as sent, and how they are treated; one line.
    package let remark: String
    /// Whether the format's messages have neither mark nor checksum, so that bytes of another format may look like
    /// them.
    let isUnmarked: Bool
    /// Whether the decoder reads the same bytes as that of another format, or the bytes of all formats. Such a format
    /// is not a candidate for recognition.
    let isVariant: Bool
    /// Creates a decoder in its initial state.
    package let makeDecoder: @Sendable (Framing) -> any TrackerDecoder

    init(
        _ name: String, _ title: String, _ transports: [Transport], isUnmarked: Bool = false, isVariant: Bool = false,
        remark: String, makeDecoder: @escaping @Sendable (Framing) -> any TrackerDecoder
    ) {
        self.isUnmarked = isUnmarked
        self.isVariant = isVariant
        self.name = name
        self.title = title
        self.transports = transports
        self.remark = remark
        self.makeDecoder = makeDecoder
    }

    /// Returns the format with this name; `nil` if there is none.
    package static func named(_ name: String) -> TrackerFormat? { all.first { $0.name == name } }

    /// Usual port of the format's datagrams; `nil` for formats without UDP.
    package var port: Int? {
        for case .udp(let port) in transports { return port }
        return nil
    }

    /// Usual baud rate of the format's serial line; `nil` for formats without a serial line.
    package var baud: Int? {
        for case .serial(let baud) in transports { return baud }
        return nil
    }
}
