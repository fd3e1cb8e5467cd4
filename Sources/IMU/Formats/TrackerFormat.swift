/// A format of trackers: its entry in `tracker list`, and its decoder.
package struct TrackerFormat: Sendable {
    /// Carrier of a format's bytes.
    package enum Transport: Hashable, Sendable {
        /// Datagrams, usually on this port.
        case udp(port: Int)
        /// A serial line, usually at this rate, 8 bits, no parity, 1 stop bit.
        case serial(baud: Int)
        /// MIDI messages.
        case midi
        /// Reports of a HID device.
        case hid

        /// Framing of its bytes.
        package var framing: Framing {
            if case .serial = self { .stream } else { .messages }
        }
    }

    /// Division of the bytes into calls of a decoder.
    package enum Framing: Hashable, Sendable {
        /// Each call has one whole message: a datagram, a MIDI message, a HID report.
        case messages
        /// Each call has the next bytes of a stream, split anywhere.
        case stream
    }

    /// Name in specifications: lower case, digits, hyphens.
    package let name: String
    /// Title in lists.
    package let title: String
    /// Transports of the format, the usual one first.
    package let transports: [Transport]
    /// Units, signs and axes as sent, and their treatment; one line.
    package let remark: String
    /// Whether its messages have neither mark nor checksum, so that bytes of another format may look like them.
    let isUnmarked: Bool
    /// Whether it decodes the same bytes as another row, or those of any row: no candidate for recognition.
    let isVariant: Bool
    /// Creates a decoder without input.
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

    /// Returns the format of this name; `nil` without one.
    package static func named(_ name: String) -> TrackerFormat? { all.first { $0.name == name } }

    /// Usual port of the format's datagrams; `nil` for formats without UDP.
    package var port: Int? {
        for case .udp(let port) in transports { return port }
        return nil
    }

    /// Usual bit rate of its serial line; `nil` for formats without one.
    package var baud: Int? {
        for case .serial(let baud) in transports { return baud }
        return nil
    }
}
