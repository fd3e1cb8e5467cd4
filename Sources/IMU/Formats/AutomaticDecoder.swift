/// Finds out which format a tracker speaks: every candidate reads along until one alone makes sense of what comes.
///
/// A candidate is chosen when it has read `neededReadings` and at least four times as many as any other, and, where its
/// format has neither mark nor checksum, no other has read any and hardly a message was at fault. Until then readings
/// are held back; answers that a protocol wants (handshakes, pings) are given. What was chosen is told by `recognised`
/// and stays. When it has read nothing in `patience` bytes (another tracker was plugged in), that is counted as
/// `unrecognised`, `recognised` is `nil`, and the search begins anew.
package struct AutomaticDecoder: TrackerDecoder {
    /// So many readings decide: some tenths of a second.
    static let neededReadings = 8
    /// Bytes without a reading after which a choice is given up, and after each of which being undecided is a fault.
    static let patience = 8192

    /// The name of the format in use; `nil` while undecided.
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

    /// A decoder whose candidates are the formats of the table that a serial line or UDP carries.
    ///
    /// On a serial line a ping and a sign of life are sent while undecided, which every known tracker but its own
    /// passes over. Settings are changed and streams asked for only by the format chosen.
    package init(framing: TrackerFormat.Framing) {
        self.framing = framing
        probes = framing == .stream ? [Array("{\"ping\":null}\r\n".utf8), Array("#s00".utf8)] : []
        formats = TrackerFormat.all.filter {
            !$0.isVariant && (framing == .stream ? $0.baud != nil : $0.port != nil)
        }
        candidates = formats.map { Candidate(format: $0, decoder: $0.makeDecoder(framing)) }
    }

    /// While undecided the probes, then what the format chosen wants.
    package var opening: [[UInt8]] { chosen?.opening ?? probes }

    /// Tries every format on the bytes until one is recognised; from then on that one alone, unless it stays silent.
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
            // What little was read by chance does not add up.
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
