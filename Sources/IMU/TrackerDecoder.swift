/// Bytes of one tracker become readings. A pure value; total: whatever it cannot use is counted by cause and passed
/// over.
package protocol TrackerDecoder: Sendable {
    /// Takes the next bytes: a datagram, a MIDI message, a HID report, or any piece of a serial stream (split
    /// anywhere).
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput)

    /// What is sent to the tracker when a connection opens, and again after each second without a reading: handshakes,
    /// set-up messages. Empty for trackers that speak unasked.
    var opening: [[UInt8]] { get }

    /// The name of the format found out, for decoders that recognise theirs; `nil` for others, and while undecided.
    var recognised: String? { get }
}

extension TrackerDecoder {
    /// By default nothing has to be said to the tracker.
    package var opening: [[UInt8]] { [] }
    /// By default there is nothing to recognise.
    package var recognised: String? { nil }
}

/// What came of some bytes.
package struct DecoderOutput: Hashable, Sendable {
    /// In the order sent.
    package var readings: [TrackerReading] = []
    /// Measurements that were refused, so that those after them keep their times; each also has a fault.
    package var refusals: [RefusedMeasurement] = []
    /// Why something was not used, one for each.
    package var faults: [TrackerHealth.Fault] = []
    /// What the protocol wants answered, to the sender, in order.
    package var replies: [[UInt8]] = []
    /// What the sender calls itself (a serial number, a hardware address), once told.
    package var identity: String?

    /// Nothing decoded yet.
    package init() {}
}

/// A measurement that came and was not used.
package struct RefusedMeasurement: Hashable, Sendable {
    /// How many readings of the same bytes came before it.
    package var index: Int
    /// As a reading's.
    package var stamp: SenderStamp?
    /// As a reading's.
    package var sequence: SenderSequence?
}
