import Geometry
import Testing

@testable import IMU

/// Messages of every format, built from the cited specifications or copied from primary sources, with what they mean.
struct GoldenFormat: CustomTestStringConvertible, Sendable {
    /// Expected reading, in this program's axes.
    enum Meaning: Sendable {
        /// Yaw, pitch, roll in degrees, within 0.02°.
        case angles(Double, Double, Double)
        /// Rate in rad/s and force in m/s².
        case inertial(SIMD3<Double>, SIMD3<Double>)
        case recentre(full: Bool)
        case discontinuity
    }

    let name: String
    let format: String
    let bytes: [UInt8]
    let meanings: [Meaning]
    /// Whether a single flipped bit must lose the message.
    var hasChecksum = false
    /// Rate in body axes of the last reading, rad/s.
    var rate: SIMD3<Double>?
    var stamp: Double?
    var sequence: UInt64?
    /// Bytes that are sent before, without which the message would have another meaning.
    var before: [UInt8] = []

    var testDescription: String { "\(format): \(name)" }

    /// Returns a decoder that has received `before`.
    func decoder() -> any TrackerDecoder {
        var decoder = (TrackerFormat.named(format) ?? TrackerFormat.all[0]).makeDecoder(framing)
        var output = DecoderOutput()
        if !before.isEmpty { decoder.decode(before, into: &output) }
        return decoder
    }

    /// Serial formats stream, others come in messages.
    var framing: TrackerFormat.Framing { TrackerFormat.named(format)?.baud != nil ? .stream : .messages }

    /// Whether the bytes may be divided anywhere.
    var mayBeSplit: Bool { framing == .stream || ["supperware", "mrheadtracker"].contains(format) }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static let g = 9.80665
    private static let degree = Double.pi / 180

    private static func checked(_ row: String) -> [UInt8] {
        let sum = row.utf8.reduce(0, ^)
        return text(row + "*" + String(sum >> 4, radix: 16) + String(sum & 15, radix: 16) + "\n")
    }

    static let all: [GoldenFormat] = network + headphones + serial + others

    private static let network: [GoldenFormat] = [
        GoldenFormat(name: "/ypr", format: "osc", bytes: Golden.ypr, meanings: [.angles(30, -5, 2.5)]),
        GoldenFormat(
            name: "SceneRotator", format: "osc", bytes: Golden.sceneRotator, meanings: [.angles(-90, 0, 0)]),
        GoldenFormat(
            name: "angles", format: "opentrack", bytes: Golden.opentrack, meanings: [.angles(-30, -5, 2.5)]),
        // x y z w of a phone turned 90° to the left.
        GoldenFormat(
            name: "rotation 17", format: "slimevr",
            bytes: Golden.bytes(
                "00 00 00 11 00 00 00 00 00 00 00 01 00 01 00 00 00 00 00 00 00 00 3f 35 04 f3 3f 35 04 f3 00"),
            meanings: [.angles(90, 0, 0)], sequence: 1),
        GoldenFormat(
            name: "rotation 1", format: "slimevr",
            bytes: Golden.bytes("00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 3f 35 04 f3 3f 35 04 f3"),
            meanings: [.angles(90, 0, 0)], sequence: 2),
        GoldenFormat(
            name: "rotation and acceleration", format: "slimevr",
            bytes: Golden.bytes("00 00 00 17 00 00 00 00 00 00 00 03 00 00 00 00 00 5a 82 5a 82 00 00 00 00 04 e7"),
            meanings: [.angles(90, 0, 0)], sequence: 3),
        GoldenFormat(
            name: "bundle", format: "slimevr",
            bytes: Golden.bytes(
                """
                00 00 00 64 00 00 00 00 00 00 00 04 00 05 00 00 00 15 03 00 17 00 00 00 11 00 01 00 00 00 00 00 00 00 \
                00 3f 35 04 f3 3f 35 04 f3 00
                """), meanings: [.recentre(full: false), .angles(90, 0, 0)]),
        GoldenFormat(
            name: "full reset", format: "slimevr", bytes: Golden.bytes("00 00 00 15 00 00 00 00 00 00 00 09 02"),
            meanings: [.recentre(full: true)]),
        GoldenFormat(
            name: "raw row", format: "hyperimu",
            bytes: text("1518819953744, 0.1,0.2,9.8, 0.5,-0.25,1.5, 20,-5,-40\r\n"),
            meanings: [.inertial(SIMD3(-0.25, -0.5, 1.5), SIMD3(0.2, -0.1, 9.8))], stamp: 1_518_819_953.744),
        GoldenFormat(
            name: "orientation", format: "freepie",
            bytes: Golden.bytes("00 02 00 00 00 3f cd cc cc bd" + String(repeating: " 00", count: 40)),
            meanings: [.angles(-0.5 / degree, 0.1 / degree, 0)]),
        GoldenFormat(
            name: "raw", format: "freepie",
            bytes: Golden.bytes(
                "00 01 00 00 00 00 00 00 00 00 00 00 20 41 00 00 00 3f 00 00 80 3e 00 00 00 00"
                    + String(repeating: " 00", count: 24)),
            meanings: [.inertial(SIMD3(0.25, -0.5, 0), SIMD3(0, 0, 10))]),
        GoldenFormat(
            name: "its documentation's example", format: "sony",
            bytes: text(
                """
                {"version":2,"device":"WH-1000XM5","rotationVector":[0.012,-0.004,0.31],\
                "quaternion":[0.987,0.006,-0.002,0.155],"yprDegrees":[17.84,-0.46,1.37],"gyroscope":[0.01,0.0,-0.02],\
                "accelerometer":null,"angularVelocity":[0.01,0.0,-0.02],"resetCounter":0,"packetsPerSecond":25.0,\
                "receiveLatencyMs":-1.0}
                """), meanings: [.angles(-17.851, -0.120, -0.715)], rate: SIMD3(-0.01, 0, 0.02)),
    ]

    private static let serial: [GoldenFormat] = [
        // The firmware's own output.
        GoldenFormat(
            name: "two rows", format: "nvsonic",
            bytes: text(" 0.7071, 0.0000, 0.0000, 0.7071; 0.9659, 0.2588, 0.0000, 0.0000;"),
            meanings: [.angles(90, 0, 0), .angles(0, 30, 0)]),
        GoldenFormat(
            name: "text", format: "razor", bytes: text("#YPR=30.00,5.00,-3.00\r\n"), meanings: [.angles(-30, 5, -3)]),
        GoldenFormat(
            name: "binary", format: "razor", bytes: Golden.bytes("00 00 f0 41 00 00 a0 40 00 00 40 c0"),
            meanings: [.angles(-30, 5, -3)], before: text("#SYNCH00\r\n#SYNCH01\r\n")),
        GoldenFormat(
            name: "sensors", format: "razor",
            bytes: text("#A-C=25.6,0.00,256.00\r\n#M-C=1.0,2.0,3.0\r\n#G-C=14.375,28.75,-14.375\r\n"),
            meanings: [.inertial(SIMD3(1, -2, 1) * degree, SIMD3(-0.1, 0, 1) * g)]),
        // The data sheet's example.
        GoldenFormat(
            name: "data sheet", format: "bno08x-rvc",
            bytes: Golden.bytes("aa aa de 01 00 92 ff 25 08 8d fe ec ff d1 03 00 00 00 e7"),
            meanings: [.angles(0.01, -1.10, 20.85)], hasChecksum: true, sequence: 222),
        GoldenFormat(
            name: "quaternion", format: "witmotion-fused", bytes: Golden.bytes("55 59 82 5a 00 00 00 00 82 5a 66"),
            meanings: [.angles(90, 0, 0)], hasChecksum: true),
        GoldenFormat(
            name: "acceleration and rate", format: "witmotion",
            bytes: Golden.bytes("55 51 00 00 00 00 00 08 c4 09 7b 55 52 00 00 00 00 c2 05 c4 09 3b"),
            meanings: [.inertial(SIMD3(0, 0, 1474.0 / 32768 * 2000 * degree), SIMD3(0, 0, g))], hasChecksum: true),
        // 2020-02-29 12:34:56.789; days since 2000-01-01: 7364.
        GoldenFormat(
            name: "stamped angles", format: "witmotion",
            bytes: Golden.bytes("55 50 14 02 1d 0c 22 38 15 03 56 55 53 00 00 00 00 00 40 c4 09 b5"),
            meanings: [.angles(90, 0, 0)], hasChecksum: true, stamp: 636_294_896.789),
        GoldenFormat(
            name: "binary inertial", format: "ximu3",
            bytes: Golden.bytes(
                """
                c9 40 42 0f 00 00 00 00 00 00 00 00 3f 00 00 a0 bf 00 00 20 41 00 00 00 00 00 00 00 00 00 00 80 3f 0a
                """), meanings: [.inertial(SIMD3(0.5, -1.25, 10) * degree, SIMD3(0, 0, g))], stamp: 1),
        GoldenFormat(
            name: "binary quaternion", format: "ximu3",
            bytes: Golden.bytes("d1 40 42 0f 00 00 00 00 00 00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 0a"),
            meanings: [.angles(0, 0, 0)], stamp: 1),
        // Stuffed: the time 0x0adb0a µs.
        GoldenFormat(
            name: "stuffed quaternion", format: "ximu3",
            bytes: Golden.bytes(
                "d1 db dc db dd db dc 00 00 00 00 00 f3 04 35 3f 00 00 00 00 00 00 00 00 f3 04 35 3f 0a"),
            meanings: [.angles(90, 0, 0)], stamp: 0.711_434),
        GoldenFormat(
            name: "text", format: "ximu3",
            bytes: text("A,1000000,2.5,5.0,30.0\r\nQ,1010000,0.7071,0.0000,0.0000,0.7071\r\n"),
            meanings: [.angles(30, -5, 2.5), .angles(90, 0, 0)], stamp: 1.01),
        GoldenFormat(
            name: "text matrix", format: "ximu3", bytes: text("R,5,0,-1,0,1,0,0,0,0,1\r\n"),
            meanings: [.angles(90, 0, 0)], stamp: 5e-6),
        GoldenFormat(
            name: "teapot", format: "teapot", bytes: Golden.bytes("24 02 2d 41 00 00 00 00 2d 41 00 05 0d 0a"),
            meanings: [.angles(90, 0, 0)], sequence: 5),
        GoldenFormat(
            name: "frame 7", format: "hatire",
            bytes: Golden.bytes(
                "aa aa 07 00 00 00 f0 41 00 00 a0 40 00 00 40 c0 00 00 00 00 00 00 00 00 00 00 00 00 55 55"),
            meanings: [.angles(-30, 5, -3)], sequence: 7),
        GoldenFormat(
            name: "quaternion", format: "xsens",
            bytes: Golden.bytes(
                """
                fa ff 36 1a 10 60 04 00 01 e2 40 20 10 10 3f 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 1b
                """), meanings: [.angles(0, 0, 0)], hasChecksum: true, stamp: 12.3456),
        GoldenFormat(
            name: "a Fastrak's row", format: "polhemus",
            bytes: text("02   20.40 -61.06  30.01-150.70 -42.08 156.93\r\n"),
            meanings: [.angles(150.70, -42.08, 156.93)]),
        GoldenFormat(
            name: "raw CSV", format: "lines", bytes: checked("imu,7,1234567890123,0.01,-0.02,0.03,0.1,0.2,9.81"),
            meanings: [.inertial(SIMD3(0.01, -0.02, 0.03), SIMD3(0.1, 0.2, 9.81))], hasChecksum: true,
            stamp: 1234.567890123, sequence: 7, before: checked("device,test")),
        GoldenFormat(
            name: "fused CSV", format: "lines", bytes: text("quat,,,0.7071,0,0,0.7071,0,0,0.5\nrecentre,full\n"),
            meanings: [.angles(90, 0, 0), .recentre(full: true)]),
        GoldenFormat(
            name: "JSON", format: "lines",
            bytes: text(
                "{\"seq\":4294967295,\"ns\":1000000000,\"gyro\":[0.01,0,0],\"acc\":[0,0,9.81],\"mag\":[20,0,-40]}\n"),
            meanings: [.inertial(SIMD3(0.01, 0, 0), SIMD3(0, 0, 9.81))], stamp: 1, sequence: 4_294_967_295),
    ]

    private static let others: [GoldenFormat] = [
        GoldenFormat(
            name: "quaternion", format: "supperware",
            bytes: Golden.bytes("f0 00 21 42 40 01 0b 28 00 00 00 00 74 58 f7"),
            meanings: [.angles(-90, 0, 0)]),
        GoldenFormat(
            name: "angles", format: "supperware", bytes: Golden.bytes("f0 00 21 42 40 00 08 00 7c 00 02 00 f7"),
            meanings: [.angles(0.5 / degree, -0.25 / degree, 0.125 / degree)]),
        GoldenFormat(
            name: "quaternion", format: "mrheadtracker",
            bytes: Golden.bytes("b0 30 7f b0 10 7f b0 31 00 b0 11 40 b0 32 00 b0 12 40 b0 33 00 b0 13 40"),
            meanings: [.angles(0, 0, 0)]),
        GoldenFormat(
            name: "quarter turn", format: "android", bytes: Golden.bytes("01 00 00 00 00 ff 3f 00 00 00 00 00 04 00"),
            meanings: [.angles(89.997, 0, 0)], rate: SIMD3(0, 0, 32.0 * 1024 / 32767)),
    ]
}

extension DecoderOutput {
    /// Returns the output of a decoder for bytes that arrive in pieces.
    static func of(_ pieces: [[UInt8]], _ decoder: inout any TrackerDecoder) -> DecoderOutput {
        var output = DecoderOutput()
        for piece in pieces { decoder.decode(piece, into: &output) }
        return output
    }
}

extension TrackerReading {
    /// Whether all values are finite, rotations have unit length, and measurements are possible.
    var isSound: Bool {
        guard stamp?.seconds.isFinite ?? true else { return false }
        switch motion {
        case .orientation(let rotation, let rate):
            let length = rotation.quaternion.squaredNorm
            return abs(length - 1) < 1e-9 && (rate.map { $0.isFinite && $0.greatestMagnitude <= 100 } ?? true)
        case .inertial(let sample):
            return sample.rate.isFinite && sample.force.isFinite && sample.field?.isFinite ?? true
                && sample.rate.greatestMagnitude <= 100 && sample.force.greatestMagnitude <= 2000
        case .recentre, .discontinuity: return true
        }
    }

    /// Returns whether the reading has the meaning of a golden message.
    func means(_ meaning: GoldenFormat.Meaning) -> Bool {
        switch (motion, meaning) {
        case (.orientation(let rotation, _), .angles(let yaw, let pitch, let roll)):
            let expected = Rotation<Body, World>(
                yaw: yaw * .pi / 180, pitch: pitch * .pi / 180, roll: roll * .pi / 180)
            return rotation.angle(to: expected) < 0.02 * .pi / 180
        case (.inertial(let sample), .inertial(let rate, let force)):
            return near(sample.rate, rate, within: 1e-6) && near(sample.force, force, within: 1e-6)
        case (.recentre(let full), .recentre(let expected)): return full == expected
        case (.discontinuity, .discontinuity): return true
        default: return false
        }
    }
}
