/// Decoder of one tracker's bytes to readings. A pure value; it accepts any bytes: unusable ones are counted by cause
/// and skipped.
package protocol TrackerDecoder: Sendable {
    /// Takes the next bytes: a datagram, a MIDI message, a HID report, or any piece of a serial stream (split
    /// anywhere).
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput)

    /// Messages sent to the tracker when a connection opens, and again after each second without a sample: handshakes,
    /// set-up messages. Empty for trackers that send without a request.
    var opening: [[UInt8]] { get }

    /// Name of the recognised format, for decoders that recognise theirs; `nil` for others, and before recognition.
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
    /// Refused measurements, which count in the timing of those after them; each also has a fault.
    package var refusals: [RefusedMeasurement] = []
    /// Causes of unused input, one entry for each.
    package var faults: [TrackerHealth.Fault] = []
    /// Replies that the protocol requires, to the sender, in order.
    package var replies: [[UInt8]] = []
    /// Name of the sender by its own message (a serial number, a hardware address), once received.
    package var identity: String?

    /// Creates an empty output.
    package init() {}
}

/// A measurement that arrived and was not used.
package struct RefusedMeasurement: Hashable, Sendable {
    /// Number of readings of the same bytes before it.
    package var index: Int
    /// Stamp, as in a reading.
    package var stamp: SenderStamp?
    /// Sequence number, as in a reading.
    package var sequence: SenderSequence?
}
