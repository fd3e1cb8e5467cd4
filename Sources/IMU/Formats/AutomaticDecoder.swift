/// Recognises the format of a tracker: every candidate format decodes all bytes until one of them is chosen.
///
/// A candidate is chosen when it has decoded at least `neededReadings` readings, and at least four times as many as any
/// other. A format with neither mark nor checksum must also be the only one with readings, and have at most one fault
/// for eight readings. Before the choice, readings are dropped, but replies that a protocol requires (handshakes,
/// pings) are sent. `recognised` is the name of the chosen format.
///
/// After `patience` bytes without a reading, perhaps because another tracker was plugged in, the fault `unrecognised`
/// is counted, `recognised` becomes `nil`, and the search starts again.
package struct AutomaticDecoder: TrackerDecoder {
    /// Number of readings before a format is chosen: some tenths of a second.
    static let neededReadings = 8
    /// Number of bytes without a reading after which the chosen format is dropped. While none is chosen, a fault is
    /// counted whenever this number of bytes has arrived.
    static let patience = 8192

    /// Name of the chosen format; `nil` before the choice.
    package private(set) var recognised: String?

    private struct Candidate: Sendable {
        let format: TrackerFormat
        var decoder: any TrackerDecoder
        var readings = 0
        var faults = 0
        var identity: String?
    }

    private let framing: TrackerFormat.Framing
    private let formats: [TrackerFormat]
    private let probes: [[UInt8]]
    private var candidates: [Candidate]
    private var chosen: (any TrackerDecoder)?
    private var silentBytes = 0

    /// Creates a decoder whose candidates are the formats of `TrackerFormat.all` for a serial line or UDP, without
    /// variants.
    ///
    /// Before the choice, two probes are sent on a serial line: a ping (for x-IMU3) and `#s00` (for Razor), which
    /// requests a reply. Every known tracker ignores the probe that is meant for another. Settings are changed and
    /// streams are requested only after the choice.
    package init(framing: TrackerFormat.Framing) {
        self.framing = framing
        probes = framing == .stream ? [Array("{\"ping\":null}\r\n".utf8), Array("#s00".utf8)] : []
        formats = TrackerFormat.all.filter {
            !$0.isVariant && (framing == .stream ? $0.baud != nil : $0.port != nil)
        }
        candidates = formats.map { Candidate(format: $0, decoder: $0.makeDecoder(framing)) }
    }

    /// The probes before the choice, then the opening messages of the chosen format.
    package var opening: [[UInt8]] { chosen?.opening ?? probes }

    /// Decodes the bytes with every format until one is chosen, then with the chosen format until `patience` bytes
    /// contain no reading.
    package mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        if chosen != nil {
            let before = output.readings.count
            chosen?.decode(bytes, into: &output)
            silentBytes = output.readings.count > before ? 0 : silentBytes + bytes.count
            if silentBytes >= Self.patience {
                chosen = nil
                recognised = nil
                silentBytes = 0
                candidates = formats.map { Candidate(format: $0, decoder: $0.makeDecoder(framing)) }
                output.faults.append(.unrecognised)
            }
        } else {
            search(bytes, into: &output)
        }
    }

    private mutating func search(_ bytes: [UInt8], into output: inout DecoderOutput) {
        var outputs: [DecoderOutput] = []
        for index in candidates.indices {
            var own = DecoderOutput()
            candidates[index].decoder.decode(bytes, into: &own)
            candidates[index].readings += own.readings.count
            candidates[index].faults += own.faults.count
            candidates[index].identity = own.identity ?? candidates[index].identity
            for reply in own.replies where !output.replies.contains(reply) { output.replies.append(reply) }
            outputs.append(own)
        }
        if let index = winner() {
            recognised = candidates[index].format.name
            chosen = candidates[index].decoder
            output.refusals += outputs[index].refusals.map { refusal in
                var refusal = refusal
                refusal.index += output.readings.count
                return refusal
            }
            output.readings += outputs[index].readings
            output.faults += outputs[index].faults
            output.identity = candidates[index].identity ?? output.identity
            candidates = []
            silentBytes = 0
            return
        }
        silentBytes += bytes.count
        if silentBytes >= Self.patience {
            silentBytes -= Self.patience
            output.faults.append(.unrecognised)
            // The counts are halved, so that chance readings do not accumulate.
            for index in candidates.indices {
                candidates[index].readings /= 2
                candidates[index].faults /= 2
            }
        }
    }

    private func winner() -> Int? {
        guard let best = candidates.indices.max(by: { candidates[$0].readings < candidates[$1].readings }) else {
            return nil
        }
        let readings = candidates[best].readings
        let next = candidates.indices.filter { $0 != best }.map { candidates[$0].readings }.max() ?? 0
        guard readings >= Self.neededReadings, readings >= 4 * next else { return nil }
        if candidates[best].format.isUnmarked {
            return next == 0 && readings >= 8 * candidates[best].faults ? best : nil
        }
        return best
    }
}
