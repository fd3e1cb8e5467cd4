import Gate
import Geometry

/// x-IMU3 (x-io Technologies), UDP and serial, text and binary. Every message ends with a line feed.
///
/// A binary message begins with 80h plus the letter of the text message. Inside it, a line feed is sent as DB DC, and
/// DB as DB DD. There is no checksum; the length that belongs to the letter is checked. Axes are front, left, up and
/// the earth's north, west, up, so no axes are converted. Units of g and °/s are converted. Commands are JSON; the
/// reply to a ping contains the serial number.
struct XIMU3Decoder: TrackerDecoder {
    private let framing: TrackerFormat.Framing
    private var message: [UInt8] = []
    private var isTooLong = false
    private var choice: MotionChoice
    private var rate = LatestVector()
    private var field = LatestVector()

    let opening = [Array("{\"ping\":null}\r\n".utf8)]

    /// Greatest length of a message in bytes. Longer messages, such as notifications, are not needed and are skipped.
    static let greatestLength = 1024

    init(framing: TrackerFormat.Framing, preferring kind: MotionChoice.Kind) {
        self.framing = framing
        choice = MotionChoice(preferring: kind)
    }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                end(into: &output)
            } else if message.count < Self.greatestLength {
                message.append(byte)
            } else {
                if !isTooLong { output.faults.append(.outOfSync) }
                isTooLong = true
            }
        }
        if framing == .messages { end(into: &output) }
    }

    private mutating func end(into output: inout DecoderOutput) {
        defer {
            message = []
            isTooLong = false
        }
        guard !isTooLong, let first = message.first else { return }
        switch first {
        case UInt8(ascii: "{"): command(message[...], into: &output)
        case UInt8(ascii: "^"): break  // A message passed on for another x-IMU3 by a multiplexer.
        case 0x80...: binary(into: &output)
        default: text(into: &output)
        }
    }

    private func command(_ bytes: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        guard let json = TextFields.json(bytes) else { return output.faults.append(.malformed) }
        if let number = json["ping"]?["sn"]?.text ?? json["serialNumber"]?.text ?? json["sn"]?.text, !number.isEmpty {
            output.identity = "x-IMU3 \(number)"
        }
    }

    /// Returns the count of numbers after the time in a message with this letter; `nil` for messages without motion.
    private static func count(_ letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "I"): 6
        case UInt8(ascii: "M"), UInt8(ascii: "A"): 3
        case UInt8(ascii: "Q"): 4
        case UInt8(ascii: "R"): 9
        default: nil
        }
    }

    /// Letters of valid messages without motion: high-g accelerometer, linear and earth acceleration, AHRS status,
    /// serial accessory, synchronisation, time code, temperature, battery, signal strength, button, notification,
    /// error.
    private static let others = Set("HLEUSYCTBWPNF".utf8)

    private mutating func text(into output: inout DecoderOutput) {
        while let last = message.last, last == UInt8(ascii: "\r") || last == 0x20 { message.removeLast() }
        guard !message.isEmpty else { return }
        let fields = TextFields.split(message[...])
        guard fields[0].count == 1, let letter = fields[0].first else { return output.faults.append(.malformed) }
        guard let count = Self.count(letter) else {
            if !Self.others.contains(letter) { output.faults.append(.malformed) }
            return
        }
        guard fields.count == count + 2, let time = TextFields.integer(fields[1]),
            let numbers = TextFields.numbers(fields[2...])
        else { return output.faults.append(.malformed) }
        take(letter, time, numbers, into: &output)
    }

    private mutating func binary(into output: inout DecoderOutput) {
        let letter = message[0] - 0x80
        var plain: [UInt8] = []
        var bytes = message.dropFirst()
        while let byte = bytes.popFirst() {
            if byte != 0xdb {
                plain.append(byte)
            } else {
                switch bytes.popFirst() {
                case 0xdc: plain.append(0x0a)
                case 0xdd: plain.append(0xdb)
                default: return output.faults.append(.malformed)
                }
            }
        }
        guard let count = Self.count(letter) else {
            if !Self.others.contains(letter) { output.faults.append(.malformed) }
            return
        }
        guard plain.count == 8 + 4 * count else { return output.faults.append(.malformed) }
        let numbers = (0..<count).map { plain[...].littleFloat(8 + 4 * $0) }
        take(letter, plain[...].little(0, UInt64.self), numbers, into: &output)
    }

    private mutating func take(_ letter: UInt8, _ time: UInt64, _ n: [Double], into output: inout DecoderOutput) {
        let stamp = SenderStamp(seconds: Double(time) * 1e-6)
        let degree = Double.pi / 180
        let v = SIMD3(n[0], n[1], n[2])
        switch letter {
        case UInt8(ascii: "I"):
            let rate = v * degree
            let force = SIMD3(n[3], n[4], n[5]) * standardGravity
            if !output.inertial(rate: rate, force: force, field: field.use(), stamp: stamp, by: &choice) {
                self.rate.set(rate)
            }
        case UInt8(ascii: "M"):
            guard v.isFinite else { return output.faults.append(.notFinite) }
            // The unit is arbitrary. The tracker's calibration gives 1 for the earth's field, assumed here to be 50 µT.
            guard v.greatestMagnitude <= MotionRanges.greatestField / 50 else {
                return output.faults.append(.implausible)
            }
            field.set(v * 50)
        case UInt8(ascii: "Q"):
            fused(Quaternion(w: n[0], x: n[1], y: n[2], z: n[3]), stamp, into: &output)
        case UInt8(ascii: "R"):
            guard n.allSatisfy(\.isFinite) else { return output.faults.append(.notFinite) }
            guard let quaternion = Quaternion(rows: n) else { return output.faults.append(.notUnit) }
            fused(quaternion, stamp, into: &output)
        default:
            // Roll, pitch, yaw about x, y, z, right-handed: a positive pitch lowers the nose.
            guard v.isFinite else { return output.faults.append(.notFinite) }
            guard v.greatestMagnitude <= 720 else { return output.faults.append(.implausible) }
            fused(Quaternion(yaw: n[2] * degree, pitch: -n[1] * degree, roll: n[0] * degree), stamp, into: &output)
        }
    }

    private mutating func fused(_ quaternion: Quaternion, _ stamp: SenderStamp, into output: inout DecoderOutput) {
        output.orientation(quaternion, rate: rate.use(), stamp: stamp, by: &choice)
    }
}

extension Quaternion {
    /// Creates the rotation of a 3×3 matrix, row by row; `nil` if a scalar product of two rows is wrong by 0.05 or
    /// more, or if the matrix is a reflection.
    init?(rows m: [Double]) {
        for row in 0..<3 {
            for other in row..<3 {
                let dot = (0..<3).reduce(0.0) { $0 + m[3 * row + $1] * m[3 * other + $1] }
                guard abs(dot - (row == other ? 1 : 0)) < 0.05 else { return nil }
            }
        }
        let determinant =
            m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
            + m[2] * (m[3] * m[7] - m[4] * m[6])
        guard determinant > 0 else { return nil }
        // The largest of the four squared components is at least 1/4, so division by it is safe (Shepperd 1978).
        let squares = [
            1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8],
        ]
        switch squares.indices.max(by: { squares[$0] < squares[$1] }) {
        case 0: self.init(w: squares[0], x: m[7] - m[5], y: m[2] - m[6], z: m[3] - m[1])
        case 1: self.init(w: m[7] - m[5], x: squares[1], y: m[1] + m[3], z: m[2] + m[6])
        case 2: self.init(w: m[2] - m[6], x: m[1] + m[3], y: squares[2], z: m[5] + m[7])
        default: self.init(w: m[3] - m[1], x: m[2] + m[6], y: m[5] + m[7], z: squares[3])
        }
        self = normalized
    }
}
