import Geometry

/// SlimeVR and owoTrack: UDP packets, big-endian, each with a 32-bit type, a 64-bit count and a body (SlimeVR server,
/// `tracking/trackers/udp`).
///
/// Handshakes, pings and heartbeats are answered, so that phones and trackers find a server. If a tracker has several
/// sensors, the sensor received first is used. Orientations have the convention of Android's rotation vector: x right,
/// y to the top edge, z out of the screen, world z up.
struct SlimeVRDecoder: TrackerDecoder {
    private var sensor: UInt8?
    private var rate = LatestVector()
    private var packets = 0
    private var last: UInt64?
    /// Number of received packets without a reading. It is subtracted from the count, so that readings count without
    /// gaps unless packets are lost.
    private var silent: UInt64 = 0

    private static let handshake: UInt32 = 3
    /// The server's answer to a handshake: 64 bytes.
    static let handshakeAnswer: [UInt8] = {
        let words = [3] + Array("Hey OVR =D 5".utf8)
        return words + [UInt8](repeating: 0, count: 64 - words.count)
    }()
    /// The server's heartbeat: type 1, count 0. A tracker that receives none for some seconds disconnects.
    static let heartbeat: [UInt8] = [0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        let packet = bytes[...]
        guard packet.count >= 12 else { return output.faults.append(.malformed) }
        let type: UInt32 = packet.big(0)
        let number: UInt64 = packet.big(4)
        guard type <= 255 else { return output.faults.append(.malformed) }
        let body = packet.dropFirst(12)
        if type == Self.handshake {
            last = nil
            silent = 0
            introduce(body, into: &output)
            output.replies.append(Self.handshakeAnswer)
            return
        }
        if let last, number < last { silent = 0 }
        last = number
        packets += 1
        let before = output.readings.count
        // Numbers from 2^53 on are not counts.
        let sequence = number >= silent && number < 1 << 53 ? SenderSequence(number - silent) : nil
        switch type {
        case 100: bundle(body, sequence: sequence, into: &output)
        case 10: output.replies.append(bytes)
        default: take(type, body, sequence: sequence, into: &output)
        }
        if output.readings.count == before { silent += 1 }
        if type == 0 || packets % 64 == 0 { output.replies.append(Self.heartbeat) }
    }

    private func introduce(_ body: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        // Board, chip, processor, three spare numbers and build, 32 bits each. The firmware's name and the hardware
        // address follow.
        guard body.count > 28 else { return }
        let nameCount = Int(body.little(28, UInt8.self))
        guard body.count >= 29 + nameCount + 6 else { return }
        let address = body.dropFirst(29 + nameCount).prefix(6)
        guard address.contains(where: { $0 != 0 }) else { return }
        output.identity =
            "slimevr "
            + address.map { byte in
                let digits = String(byte, radix: 16)
                return digits.utf8.count == 1 ? "0" + digits : digits
            }.joined(separator: ":")
    }

    private mutating func bundle(
        _ body: ArraySlice<UInt8>, sequence: SenderSequence?, into output: inout DecoderOutput
    ) {
        var rest = body
        var sequence = sequence
        while rest.count >= 2 {
            let count = Int(rest.big(0, UInt16.self))
            guard count >= 4, rest.count >= 2 + count else { return output.faults.append(.malformed) }
            let element = rest.dropFirst(2).prefix(count)
            let before = output.readings.count
            take(element.big(0), element.dropFirst(4), sequence: sequence, into: &output)
            if output.readings.count > before { sequence = nil }
            rest = rest.dropFirst(2 + count)
        }
    }

    private mutating func take(
        _ type: UInt32, _ body: ArraySlice<UInt8>, sequence: SenderSequence?, into output: inout DecoderOutput
    ) {
        let axes = OrientationProfile.Axes.rightFrontUp
        switch type {
        case 1, 16:
            guard body.count >= 16 else { return output.faults.append(.malformed) }
            rotation(body, sensor: type == 16 ? 1 : 0, sequence: sequence, into: &output)
        case 17:
            guard body.count >= 18 else { return output.faults.append(.malformed) }
            // Data type 2 is a correction, not an orientation.
            guard body.little(1, UInt8.self) == 1 else { return }
            rotation(body.dropFirst(2), sensor: body.little(0), sequence: sequence, into: &output)
        case 23:
            guard body.count >= 15 else { return output.faults.append(.malformed) }
            let q = (0..<4).map { Double(body.big(1 + 2 * $0, Int16.self)) / 32_768 }
            guard isMine(body.little(0)) else { return }
            output.orientation(
                axes.ours(Quaternion(w: q[3], x: q[0], y: q[1], z: q[2])), rate: rate.use(), sequence: sequence)
        case 2:
            // owoTrack's gyroscope: rad/s.
            guard body.count >= 12 else { return output.faults.append(.malformed) }
            let sent = body.bigVector(0)
            guard sent.isFinite else { return output.faults.append(.notFinite) }
            guard sent.greatestMagnitude <= MotionRanges.greatestRate else {
                return output.faults.append(.implausible)
            }
            rate.set(axes.ours(sent))
        case 4:
            // Acceleration without gravity is not used, because the filter needs gravity.
            guard body.count >= 12 else { return output.faults.append(.malformed) }
        case 21:
            guard let action = body.first else { return output.faults.append(.malformed) }
            if action == 2 || action == 3 { output.readings.append(TrackerReading(.recentre(full: action == 2))) }
        case 60: output.readings.append(TrackerReading(.recentre(full: false)))  // owoTrack's button.
        default: break  // Battery, signal, temperature and the like.
        }
    }

    /// Decodes an orientation x, y, z, w.
    private mutating func rotation(
        _ body: ArraySlice<UInt8>, sensor: UInt8, sequence: SenderSequence?, into output: inout DecoderOutput
    ) {
        guard isMine(sensor) else { return }
        let sent = Quaternion(w: body.bigFloat(12), x: body.bigFloat(0), y: body.bigFloat(4), z: body.bigFloat(8))
        output.orientation(OrientationProfile.Axes.rightFrontUp.ours(sent), rate: rate.use(), sequence: sequence)
    }

    private mutating func isMine(_ heard: UInt8) -> Bool {
        if sensor == nil { sensor = heard }
        return sensor == heard
    }
}
