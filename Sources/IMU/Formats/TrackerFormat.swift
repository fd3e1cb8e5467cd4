/// A format trackers speak: what `tracker list` shows, and the decoder that reads it.
package struct TrackerFormat: Sendable {
    /// What carries the bytes of a format.
    package enum Transport: Hashable, Sendable {
        /// Datagrams, by custom on this port.
        case udp(port: Int)
        /// A serial line, by custom at this rate, 8 bits, no parity, 1 stop bit.
        case serial(baud: Int)
        /// MIDI messages.
        case midi
        /// Reports of a HID device.
        case hid

        /// How its bytes come.
        package var framing: Framing {
            if case .serial = self { .stream } else { .messages }
        }
    }

    /// How bytes come to a decoder.
    package enum Framing: Hashable, Sendable {
        /// Each call brings one whole message: a datagram, a MIDI message, a HID report.
        case messages
        /// Each call brings the next bytes, cut anywhere.
        case stream
    }

    /// What the user writes: lower case, digits, hyphens.
    package let name: String
    /// What it is called in lists.
    package let title: String
    /// What carries it, the usual one first.
    package let transports: [Transport]
    /// Units, signs and axes as sent, and what is done with them; one line.
    package let remark: String
    /// Whether its messages have neither mark nor checksum, so that bytes of another format may pass for them.
    let isUnmarked: Bool
    /// Whether it reads the same bytes as another row, or any row's: not a candidate for recognition.
    let isVariant: Bool
    /// A decoder that has seen nothing yet.
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

    /// The format of this name; `nil` where there is none.
    package static func named(_ name: String) -> TrackerFormat? { all.first { $0.name == name } }

    /// The port datagrams of this format come to by custom; `nil` for formats not carried by UDP.
    package var port: Int? {
        for case .udp(let port) in transports { return port }
        return nil
    }

    /// The bit rate of its serial line by custom; `nil` for formats not carried by one.
    package var baud: Int? {
        for case .serial(let baud) in transports { return baud }
        return nil
    }
}
