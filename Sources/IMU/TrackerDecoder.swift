/// Decoder from one tracker's bytes to readings. A pure value. Any bytes are permitted; unusable bytes are skipped and
/// counted by cause.
package protocol TrackerDecoder: Sendable {
    /// Decodes the next bytes: a datagram, a MIDI message, a HID report, or a piece of a serial stream split at any
    /// byte.
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput)

    /// Handshakes and set-up messages. They are sent when a connection opens, and again after each second without a
    /// sample. Empty if the tracker sends without a request.
    var opening: [[UInt8]] { get }

    /// Name of the recognised format; `nil` before recognition and for a decoder of one fixed format.
    var recognised: String? { get }
}

extension TrackerDecoder {
    /// By default the tracker needs no message.
    package var opening: [[UInt8]] { [] }
    /// By default the format is fixed.
    package var recognised: String? { nil }
}

/// Result of decoding some bytes.
package struct DecoderOutput: Hashable, Sendable {
    /// Readings in the order sent.
    package var readings: [TrackerReading] = []
    /// Refused measurements. Each also has a fault. `StreamClock` counts them, so that later measurements keep their
    /// times.
    package var refusals: [RefusedMeasurement] = []
    /// Causes of unused input, one entry for each unused message or piece.
    package var faults: [TrackerHealth.Fault] = []
    /// Replies to the sender that the protocol requires, in order.
    package var replies: [[UInt8]] = []
    /// Name that the sender states of itself (a serial number, a hardware address); nil before it is received.
    package var identity: String?

    /// Creates an empty output.
    package init() {}
}

/// A measurement that was received but not used.
package struct RefusedMeasurement: Hashable, Sendable {
    /// Number of readings that precede it in the same output.
    package var index: Int
    /// Stamp, as in a reading.
    package var stamp: SenderStamp?
    /// Sequence number, as in a reading.
    package var sequence: SenderSequence?
}
