import Foundation
import Geometry
import SeededRandom
import Testing

@testable import IMU

/// Decoders of this program, compared with codecs and senders by other authors.
@Suite struct CounterpartTests {
    private func stuffed(_ letter: Character, _ time: UInt64, _ numbers: [Float]) -> [UInt8] {
        var plain = (0..<8).map { UInt8(truncatingIfNeeded: time >> UInt64(8 * $0)) }
        for number in numbers {
            plain += (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * $0)) }
        }
        let content = plain.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x0a: [0xdb, 0xdc]
            case 0xdb: [0xdb, 0xdd]
            default: [byte]
            }
        }
        return [0x80 + (letter.asciiValue ?? 0)] + content + [0x0a]
    }

    /// The same file, read by x-io's own library and by this program, equal to single precision.
    @Test(.enabled(if: Counterparts.python != nil, Counterparts.noPython))
    func xIMU3FilesReadAsItsMakersLibraryReadsThem() throws {
        let python = try #require(Counterparts.python)
        var random = SplitMix(state: 33)
        var bytes: [UInt8] = []
        for index in 0..<400 {
            // Times with bytes that must be stuffed.
            let time = UInt64(index) * 2560 + (index % 3 == 0 ? 0x0a : 0xdb)
            let v = (0..<6).map { _ in Float.random(in: -16...16, using: &random) }
            let q = Quaternion(rotationVector: SIMD3(Double(v[0]), Double(v[1]), Double(v[2])) / 8)
            switch index % 4 {
            case 0: bytes += stuffed("I", time, v)
            case 1: bytes += stuffed("Q", time, [Float(q.w), Float(q.x), Float(q.y), Float(q.z)])
            case 2: bytes += Array("I,\(time),\(v[0]),\(v[1]),\(v[2]),\(v[3]),\(v[4]),\(v[5])\r\n".utf8)
            default: bytes += Array("T,\(time),25.0\r\n{\"ping\":{\"sn\":\"\(index)\"}}\r\n".utf8)
            }
        }
        let script = """
            import sys, time, ximu3
            rows = []
            def show(letter, message, *names):
                rows.append((letter, message.timestamp, *(repr(getattr(message, name)) for name in names)))
            connection = ximu3.Connection(ximu3.FileConnectionConfig(sys.argv[1]))
            axes = [f"{kind}_{axis}" for kind in ("gyroscope", "accelerometer") for axis in "xyz"]
            connection.add_inertial_callback(lambda m: show("I", m, *axes))
            connection.add_quaternion_callback(lambda m: show("Q", m, "w", "x", "y", "z"))
            connection.open()
            for _ in range(300):
                if len(rows) >= 300:
                    break
                time.sleep(0.1)
            connection.close()
            for row in rows:
                print(*row)
            """
        let result = try Counterparts.withFile(bytes) { try Counterparts.run(python, ["-c", script, $0]) }
        #expect(result.status == 0)
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows.count == 300)
        // One decoder reads the measurements, the other one the orientations.
        var measured = XIMU3Decoder(framing: .stream, preferring: .measured)
        var fused = XIMU3Decoder(framing: .stream, preferring: .fused)
        var (ours, orientations) = (DecoderOutput(), DecoderOutput())
        measured.decode(bytes, into: &ours)
        fused.decode(bytes, into: &orientations)
        #expect(ours.faults.isEmpty && ours.identity == "x-IMU3 399")
        let samples = ours.readings.compactMap { reading -> (Double, InertialSample)? in
            if case .inertial(let sample) = reading.motion { (reading.stamp?.seconds ?? -1, sample) } else { nil }
        }
        let poses = orientations.readings.compactMap { reading -> (Double, Quaternion)? in
            if case .orientation(let rotation, _) = reading.motion {
                (reading.stamp?.seconds ?? -1, rotation.quaternion)
            } else {
                nil
            }
        }
        let inertialRows = rows.filter { $0[0] == "I" }
        let quaternionRows = rows.filter { $0[0] == "Q" }
        #expect(samples.count == 200 && inertialRows.count == 200 && poses.count == 100 && quaternionRows.count == 100)
        for (row, (time, sample)) in zip(inertialRows, samples) {
            let n = row.dropFirst().compactMap { Double($0) }
            #expect(abs(n[0] * 1e-6 - time) < 1e-9)
            #expect(near(sample.rate, SIMD3(n[1], n[2], n[3]) * (.pi / 180), within: 1e-5))
            #expect(near(sample.force, SIMD3(n[4], n[5], n[6]) * standardGravity, within: 1e-3))
        }
        for (row, (time, pose)) in zip(quaternionRows, poses) {
            let n = row.dropFirst().compactMap { Double($0) }
            #expect(abs(n[0] * 1e-6 - time) < 1e-9)
            #expect(pose.angle(to: Quaternion(w: n[1], x: n[2], y: n[3], z: n[4]).normalized) < 1e-5)
        }
    }

    /// Frames of random content, read by the PyPI package "witmotion" and by this program.
    @Test(.enabled(if: Counterparts.python != nil, Counterparts.noPython))
    func witMotionFramesReadAsAnotherDriverReadsThem() throws {
        let python = try #require(Counterparts.python)
        var random = SplitMix(state: 34)
        var bytes: [UInt8] = []
        for _ in 0..<100 {
            for code in [0x51, 0x52] as [UInt8] {
                let content = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
                let body = [0x55, code] + content
                bytes += body + [body.reduce(0, &+)]
            }
        }
        let script = """
            import sys
            from witmotion import protocol
            bytes = open(sys.argv[1], "rb").read()
            for start in range(0, len(bytes), 11):
                frame = bytes[start:start + 11]
                kind = {0x51: protocol.AccelerationMessage, 0x52: protocol.AngularVelocityMessage}[frame[1]]
                assert kind.compute_checksum(frame[2:10]) == frame[10]
                message = kind.parse(frame[2:10])
                print(*(message.a if frame[1] == 0x51 else message.w))
            """
        let result = try Counterparts.withFile(bytes) { try Counterparts.run(python, ["-c", script, $0]) }
        #expect(result.status == 0)
        let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
        var decoder = WitMotionDecoder(preferring: .measured)
        var output = DecoderOutput()
        decoder.decode(bytes, into: &output)
        #expect(rows.count == 200 && output.readings.count == 100 && output.faults.isEmpty)
        for (index, reading) in output.readings.enumerated() {
            guard case .inertial(let sample) = reading.motion else { continue }
            // That driver takes g as 9.8 m/s², and leaves axes as sent: x right, y front, z up.
            let force = SIMD3(rows[2 * index][1], -rows[2 * index][0], rows[2 * index][2]) * (standardGravity / 9.8)
            let rate = SIMD3(rows[2 * index + 1][1], -rows[2 * index + 1][0], rows[2 * index + 1][2]) * (.pi / 180)
            #expect(near(sample.force, force, within: 1e-9) && near(sample.rate, rate, within: 1e-9))
        }
    }

    @Test(.enabled(if: Counterparts.python != nil, Counterparts.noPython))
    func pythonOSCsMessagesAndBundlesAreUnderstood() throws {
        let python = try #require(Counterparts.python)
        let mailbox = try Mailbox()
        let script = """
            import sys
            from pythonosc import osc_bundle_builder, osc_message_builder, udp_client
            client = udp_client.UDPClient("127.0.0.1", int(sys.argv[1]))
            def message(address, *numbers):
                builder = osc_message_builder.OscMessageBuilder(address)
                for number in numbers:
                    builder.add_arg(number)
                return builder.build()
            client.send(message("/ypr", 30.0, -5.0, 2.5))
            client.send(message("/imu", 0.5, -0.25, 1.0, 0.0, 0.0, 9.75))
            bundle = osc_bundle_builder.OscBundleBuilder(1700000000.25)
            for address, angle in (("/yaw", 10.0), ("/pitch", 20), ("/roll", -5.0)):
                bundle.add_content(message(address, angle))
            client.send(bundle.build())
            """
        #expect(try Counterparts.run(python, ["-c", script, "\(mailbox.port)"]).status == 0)
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        for _ in 0..<3 { decoder.decode(mailbox.next() ?? [], into: &output) }
        #expect(output.faults.isEmpty && output.readings.count == 3)
        #expect(output.readings.first?.means(.angles(30, -5, 2.5)) == true)
        #expect(output.readings[1].means(.inertial(SIMD3(0.5, -0.25, 1), SIMD3(0, 0, 9.75))))
        #expect(output.readings.last?.means(.angles(10, 20, -5)) == true)
        // NTP counts from 1900: 70 years with 17 leap days before the Unix epoch.
        #expect(output.readings.last?.stamp?.seconds == 1_700_000_000.25 + 2_208_988_800)
    }

    @Test(.enabled(if: Counterparts.oscsend != nil, "oscsend is not installed (liblo-tools)"))
    func libloMessagesAreUnderstood() throws {
        let oscsend = try #require(Counterparts.oscsend)
        let mailbox = try Mailbox()
        let target = "osc.udp://127.0.0.1:\(mailbox.port)"
        for arguments in [
            ["/SceneRotator/quaternions", "ffff", "0.70710677", "0", "0", "0.70710677"],
            ["/ypr", "fif", "30", "-5", "2.5"],
            ["/phone/gyro", "fff", "0", "0", "0.5"],
        ] { #expect(try Counterparts.run(oscsend, [target] + arguments).status == 0) }
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        for _ in 0..<3 { decoder.decode(mailbox.next() ?? [], into: &output) }
        #expect(output.faults.isEmpty && output.readings.count == 2)
        #expect(output.readings.first?.means(.angles(-90, 0, 0)) == true)
        #expect(output.readings.last?.means(.angles(30, -5, 2.5)) == true)
    }
}
