import Gate
import Geometry

/// Proscenium's own format for phones and microcontrollers: one row of text per sample, CSV or JSON.
/// `Documentation/reference/tracker-protocol.md` defines it.
///
/// Axes and units are those of Proscenium: x front, y left, z up, rad/s, m/s², µT. Each row may have a count, the
/// sender's time in nanoseconds, and a checksum. After the first checksum of a sender, every row must have one.
struct LineDecoder: TrackerDecoder {
    private let framing: TrackerFormat.Framing
    private var lines = LineSearch()
    private var choice = MotionChoice(preferring: .measured)
    private var hasChecksums = false

    /// Modulus of the count: 32 bits.
    static let modulus: UInt64 = 1 << 32

    init(framing: TrackerFormat.Framing) { self.framing = framing }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for byte in bytes {
            if let line = lines.take(byte, &output.faults) { take(line[...], into: &output) }
        }
        if framing == .messages, let line = lines.end() { take(line[...], into: &output) }
    }

    private mutating func take(_ line: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        var content = line
        if let star = line.lastIndex(of: UInt8(ascii: "*")) {
            guard let sent = TextFields.byte(hex: TextFields.trimmed(line[(star + 1)...])) else {
                return output.faults.append(.malformed)
            }
            content = line[..<star]
            guard content.reduce(0, ^) == sent else { return output.refuse(.checksum) }
            hasChecksums = true
        } else if hasChecksums {
            return output.refuse(.checksum)
        }
        if content.first == UInt8(ascii: "{") { json(content, into: &output) } else { csv(content, into: &output) }
    }

    private mutating func csv(_ line: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        let fields = TextFields.split(line)
        switch String(decoding: fields[0], as: UTF8.self) {
        case "imu":
            guard let (sequence, stamp) = Self.heading(fields), let n = TextFields.numbers(fields[3...]),
                n.count == 6 || n.count == 9
            else { return output.faults.append(.malformed) }
            let field = n.count == 9 ? SIMD3(n[6], n[7], n[8]) : nil
            output.inertial(
                rate: SIMD3(n[0], n[1], n[2]), force: SIMD3(n[3], n[4], n[5]), field: field, stamp: stamp,
                sequence: sequence, by: &choice)
        case "quat":
            guard let (sequence, stamp) = Self.heading(fields), let n = TextFields.numbers(fields[3...]),
                n.count == 4 || n.count == 7
            else { return output.faults.append(.malformed) }
            output.orientation(
                Quaternion(w: n[0], x: n[1], y: n[2], z: n[3]), rate: n.count == 7 ? SIMD3(n[4], n[5], n[6]) : nil,
                stamp: stamp, sequence: sequence, by: &choice)
        case "recentre":
            guard fields.count <= 2 else { return output.faults.append(.malformed) }
            recentre(fields.count == 2 ? String(decoding: fields[1], as: UTF8.self) : "yaw", into: &output)
        case "device":
            guard fields.count == 2 else { return output.faults.append(.malformed) }
            name(String(decoding: fields[1], as: UTF8.self), into: &output)
        default: output.faults.append(.malformed)
        }
    }

    /// Returns count and time of a row. Either may be empty; `nil` if one is not a whole number, or if no field
    /// follows.
    private static func heading(_ fields: [ArraySlice<UInt8>]) -> (SenderSequence?, SenderStamp?)? {
        guard fields.count > 3 else { return nil }
        let count = TextFields.integer(fields[1])
        let time = TextFields.integer(fields[2])
        guard count != nil || fields[1].isEmpty, time != nil || fields[2].isEmpty else { return nil }
        return (count.flatMap(sequence), time.map { SenderStamp(seconds: Double($0) * 1e-9, unit: 1e-9) })
    }

    private static func sequence(_ count: UInt64) -> SenderSequence? {
        count < modulus ? SenderSequence(count, modulus: modulus) : nil
    }

    private mutating func json(_ line: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        guard let row = TextFields.json(line) else { return output.faults.append(.malformed) }
        if let device = row["device"]?.text { name(device, into: &output) }
        if let kind = row["recentre"]?.text { return recentre(kind, into: &output) }
        // A double represents nanoseconds exactly up to 104 days, and nanoseconds since 1970 to 0.3 µs.
        let stamp = row["ns"]?.number.flatMap { $0 >= 0 ? SenderStamp(seconds: $0 * 1e-9, unit: 1e-9) : nil }
        let sequence = row["seq"]?.number.flatMap { UInt64(exactly: $0) }.flatMap(Self.sequence)
        let rate = row["gyro"]?.vector
        if let force = row["acc"]?.vector, let rate {
            output.inertial(
                rate: rate, force: force, field: row["mag"]?.vector, stamp: stamp, sequence: sequence, by: &choice)
        } else if let q = row["quat"]?.numbers(atLeast: 4), q.count == 4 {
            let quaternion = Quaternion(w: q[0], x: q[1], y: q[2], z: q[3])
            output.orientation(quaternion, rate: rate, stamp: stamp, sequence: sequence, by: &choice)
        } else if row["device"] == nil {
            output.faults.append(.wrongArguments)
        }
    }

    private func recentre(_ kind: String, into output: inout DecoderOutput) {
        switch kind {
        case "yaw", "full": output.readings.append(TrackerReading(.recentre(full: kind == "full")))
        default: output.faults.append(.wrongArguments)
        }
    }

    private func name(_ name: String, into output: inout DecoderOutput) {
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        guard !name.isEmpty, name.utf8.count <= 64, isPlain else { return output.faults.append(.wrongArguments) }
        output.identity = name
    }
}
