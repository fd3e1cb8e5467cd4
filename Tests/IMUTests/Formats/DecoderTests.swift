import Geometry
import Testing

@testable import IMU

/// What is particular to one format: handshakes, stamps, counts, choices.
@Suite struct DecoderTests {
    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func golden(_ format: String, _ name: String) -> GoldenFormat {
        GoldenFormat.all.first { $0.format == format && $0.name == name } ?? GoldenFormat.all[0]
    }

    @Test func aRazorThatLostAByteIsAskedAgain() {
        var decoder = RazorDecoder()
        #expect(decoder.opening == [text("#s00")])
        var output = DecoderOutput()
        let frame = golden("razor", "binary").bytes
        // The device is already streaming binary, and answers within the stream.
        decoder.decode(frame + frame.prefix(5) + text("#SYNCH00\r\n"), into: &output)
        #expect(output.replies == [text("#ob#o1#oe0#s01")])
        decoder.decode(text("#SYNCH01\r\n") + frame + frame, into: &output)
        #expect(output.readings.count == 2)
        output = DecoderOutput()
        // One byte is lost.
        decoder.decode(Array(frame.dropFirst()) + frame + frame, into: &output)
        #expect(output.replies == [text("#s00")] && output.faults.contains(.outOfSync))
        output = DecoderOutput()
        decoder.decode(frame + text("#SYNCH00\r\n"), into: &output)
        #expect(output.replies == [text("#ob#o1#oe0#s01")])
        decoder.decode(text("#SYNCH01\r\n") + frame, into: &output)
        #expect(output.readings.last?.means(.angles(-30, 5, -3)) == true)
    }

    /// A device that was reset sends text again in the middle of binary.
    @Test func aRazorThatWasResetIsHeardInText() {
        var decoder = RazorDecoder()
        var output = DecoderOutput()
        decoder.decode(text("#SYNCH01\r\n") + golden("razor", "binary").bytes, into: &output)
        decoder.decode(text("#YPR=1.00,2.00,3.00\r\n#YPR=4.00,5.00,6.00\r\n"), into: &output)
        #expect(output.readings.count == 3 && output.readings.last?.means(.angles(-4, 5, 6)) == true)
    }

    @Test func phonesAreAnsweredAndTheirPacketsCounted() {
        var decoder = SlimeVRDecoder()
        var output = DecoderOutput()
        let body: [UInt8] = [UInt8](repeating: 0, count: 28) + [3] + text("abc") + [1, 2, 3, 4, 5, 0xff]
        decoder.decode([0, 0, 0, 3] + [UInt8](repeating: 0, count: 8) + body, into: &output)
        #expect(output.replies.first?.count == 64)
        #expect(output.replies.first?.starts(with: [3] + text("Hey OVR =D 5")) == true)
        #expect(output.identity == "slimevr 01:02:03:04:05:ff")
        output = DecoderOutput()
        func header(_ type: UInt8, _ number: UInt8) -> [UInt8] { [0, 0, 0, type, 0, 0, 0, 0, 0, 0, 0, number] }
        decoder.decode(header(10, 1) + [1, 2, 3, 4], into: &output)
        #expect(output.replies == [header(10, 1) + [1, 2, 3, 4]])
        decoder.decode(header(0, 2), into: &output)
        #expect(output.replies.last == SlimeVRDecoder.heartbeat)
        let rotation = golden("slimevr", "rotation 1").bytes.dropFirst(12)
        // Two packets held no orientation; packet 5 was lost.
        for number in [3, 4, 6, 7] as [UInt8] { decoder.decode(header(1, number) + rotation, into: &output) }
        #expect(output.readings.map { $0.sequence?.number } == [1, 2, 4, 5])
        // A second sensor on the same tracker is another body.
        decoder.decode(header(16, 8) + rotation, into: &output)
        #expect(output.readings.count == 4)
    }

    @Test func countsAndStampsWrapAsTheirFormatsDo() {
        var output = DecoderOutput()
        var rvc = RotationVectorController()
        for index in [254, 255, 0] as [UInt8] {
            var frame = [UInt8](repeating: 0, count: 19)
            (frame[0], frame[1], frame[2], frame[18]) = (0xaa, 0xaa, index, index)
            rvc.decode(frame, into: &output)
        }
        #expect(output.readings.map { $0.sequence?.number } == [254, 255, 0])
        #expect(output.readings.allSatisfy { $0.sequence?.modulus == 256 })
        output = DecoderOutput()
        var xsens = XsensDecoder(preferring: .measured)
        for time in [0xffff_ffff, 0] as [UInt32] {
            var frame = golden("xsens", "quaternion").bytes
            for index in 0..<4 { frame[7 + index] = UInt8(truncatingIfNeeded: time >> UInt32(24 - 8 * index)) }
            frame[frame.count - 1] = 0
            frame[frame.count - 1] = 0 &- frame.dropFirst().reduce(0, &+)
            xsens.decode(frame, into: &output)
        }
        #expect(output.readings.map { $0.stamp?.seconds } == [429_496.7295, 0])
        #expect(output.readings.allSatisfy { $0.stamp?.wrap == XsensDecoder.wrap })
        output = DecoderOutput()
        var lines = LineDecoder(framing: .stream)
        lines.decode(text("quat,4294967295,1,1,0,0,0\nquat,0,2,1,0,0,0\nquat,4294967296,3,1,0,0,0\n"), into: &output)
        #expect(output.readings.map { $0.sequence?.number } == [4_294_967_295, 0, nil])
        #expect(output.readings.first?.sequence?.modulus == 1 << 32)
    }

    @Test func wrongRowsOfOurOwnAreCountedByCause() {
        let cases: [(String, TrackerHealth.Fault)] = [
            ("imu,1,2,nan,0,0,0,0,9.8", .notFinite), ("imu,1,2,0,0,0,inf,0,9.8", .notFinite),
            ("imu,1,2,101,0,0,0,0,9.8", .implausible), ("imu,1,2,0,0,0,0,0,2001", .implausible),
            ("quat,1,2,0.8,0,0,0", .notUnit), ("quat,1,2,0,0,0,0", .notUnit), ("quat,1,2,1,0,0", .malformed),
            ("imu,1,2,0,0,0,0,0", .malformed), ("imu,-1,2,0,0,0,0,0,9", .malformed),
            ("imu,1,2.5,0,0,0,0,0,9", .malformed), ("hello", .malformed), ("imu,1,2,0x1p3,0,0,0,0,9", .malformed),
            ("quat,1,2,1,0,0,0*00", .checksum), ("quat,1,2,1,0,0,0*0", .malformed),
            ("{\"quat\":[1,0,0]}", .wrongArguments),
            ("{\"quat\":[1,0,0,0]", .malformed), ("{\"quat\":[1,0,0,\"0\"]}", .wrongArguments), ("{}", .wrongArguments),
            ("recentre,sideways", .wrongArguments), ("device,", .wrongArguments),
            (String(repeating: "[", count: 500), .malformed), (String(repeating: "{\"a\":", count: 100), .malformed),
            (String(repeating: "1", count: 2000), .outOfSync),
        ]
        for (row, fault) in cases {
            var decoder = LineDecoder(framing: .stream)
            var output = DecoderOutput()
            decoder.decode(text(row + "\n"), into: &output)
            #expect(output.readings.isEmpty && output.faults == [fault], "\(row.prefix(40))")
        }
    }

    @Test func aDatagramNeedsNoLineEnd() {
        var decoder = LineDecoder(framing: .messages)
        var output = DecoderOutput()
        decoder.decode(text("quat,1,2,1,0,0,0"), into: &output)
        decoder.decode(text("quat,2,3,1,0,0,0\nquat,3,4,1,0,0,0"), into: &output)
        #expect(output.readings.map { $0.sequence?.number } == [1, 2, 3] && output.faults.isEmpty)
    }

    /// A sender that has sent a checksum must always send one. Otherwise a damaged star would let a damaged row
    /// through.
    @Test func aSenderOfChecksumsMustSendThemAlways() {
        var decoder = LineDecoder(framing: .stream)
        var output = DecoderOutput()
        let sum = String("recentre".utf8.reduce(0, ^), radix: 16)
        let digits = sum.utf8.count == 1 ? "0" + sum : sum
        decoder.decode(text("quat,0,1,1,0,0,0\nrecentre*\(digits)\nquat,1,2,1,0,0,0\n"), into: &output)
        #expect(output.readings.count == 2 && output.faults == [.checksum])
    }

    @Test func rawMeasurementsArePreferredAndAChangeIsADiscontinuity() {
        for (name, kind) in [("ximu3", MotionChoice.Kind.measured), ("ximu3-fused", .fused)] {
            guard var decoder = TrackerFormat.named(name)?.makeDecoder(.stream) else { continue }
            var output = DecoderOutput()
            let inertial = text("I,1000,90,0,0,0,0,1\r\n")
            let quaternion = text("Q,1000,1,0,0,0\r\n")
            decoder.decode(inertial + quaternion + inertial + quaternion, into: &output)
            let kinds = output.readings.map { reading in
                switch reading.motion {
                case .inertial: "measured"
                case .orientation(_, let rate): rate == nil ? "fused" : "fused with rate"
                case .discontinuity: "change"
                case .recentre: "recentre"
                }
            }
            if kind == .measured {
                #expect(kinds == ["measured", "measured"])
            } else {
                #expect(kinds == ["measured", "change", "fused", "fused with rate"])
            }
        }
        // The sender stops sending the kind that was used. After a while the other kind is used, and this is reported.
        var decoder = XIMU3Decoder(framing: .stream, preferring: .measured)
        var output = DecoderOutput()
        decoder.decode(text("I,1000,90,0,0,0,0,1\r\n"), into: &output)
        for _ in 0..<(MotionChoice.patience + 1) { decoder.decode(text("Q,1000,1,0,0,0\r\n"), into: &output) }
        #expect(output.readings.count == 3 && output.readings[1].motion == .discontinuity)
    }

    /// A rate that is no longer sent is not added to orientations for ever.
    @Test func aSilentGyroscopeIsForgotten() {
        var decoder = XIMU3Decoder(framing: .stream, preferring: .fused)
        var output = DecoderOutput()
        decoder.decode(text("Q,900,1,0,0,0\r\nI,1000,90,0,0,0,0,1\r\n"), into: &output)
        for _ in 0..<30 { decoder.decode(text("Q,1000,1,0,0,0\r\n"), into: &output) }
        let rates = output.readings.map { reading in
            if case .orientation(_, let rate) = reading.motion { rate != nil } else { false }
        }
        #expect(rates == [false] + Array(repeating: true, count: 16) + Array(repeating: false, count: 14))
    }

    @Test func xIMU3TellsItsNumber() {
        var decoder = XIMU3Decoder(framing: .stream, preferring: .measured)
        #expect(decoder.opening == [text("{\"ping\":null}\r\n")])
        var output = DecoderOutput()
        let answer = "{\"ping\":{\"interface\":\"USB\",\"name\":\"x-IMU3\",\"sn\":\"0123-4567-89AB-CDEF\"}}\r\n"
        decoder.decode(text(answer + "T,1000,25.0\r\nN,1000,Reset\r\n"), into: &output)
        #expect(output.identity == "x-IMU3 0123-4567-89AB-CDEF" && output.faults.isEmpty)
    }

    @Test func aBridgesResetIsADiscontinuity() {
        var decoder = SonyHeadTrackerDecoder()
        var output = DecoderOutput()
        for count in [0, 0, 1] {
            decoder.decode(text("{\"version\":2,\"quaternion\":[1,0,0,0],\"resetCounter\":\(count)}"), into: &output)
        }
        #expect(output.readings.count == 4 && output.readings[2].motion == .discontinuity)
    }

    @Test func mrHeadTrackersAnglesAreToldFromItsQuaternions() {
        var decoder = MrHeadTrackerDecoder()
        var output = DecoderOutput()
        // Yaw π/2, pitch 0, roll −π/4: high bytes 96, 64, 48.
        let round: [UInt8] = [
            0xb0, 48, 0, 0xb0, 16, 96, 0xb0, 49, 0, 0xb0, 17, 64, 0xb0, 50, 0, 0xb0, 18, 48,
        ]
        for _ in 0..<3 { decoder.decode(round, into: &output) }
        #expect(output.readings.count == 2 && output.readings.allSatisfy { $0.means(.angles(90, 0, 45)) })
        // From now on the device sends quaternions.
        let quaternion = golden("mrheadtracker", "quaternion").bytes
        output = DecoderOutput()
        for _ in 0..<3 { decoder.decode(quaternion, into: &output) }
        #expect(output.readings.last?.means(.angles(0, 0, 0)) == true)
        #expect(output.readings.filter { $0.means(.angles(0, 0, 0)) }.count >= 2)
    }

    @Test func midiMayRunAndBeInterrupted() {
        var decoder = SupperwareDecoder()
        #expect(decoder.opening == [Golden.bytes("f0 00 21 42 00 00 28 01 05 03 40 f7")])
        var output = DecoderOutput()
        let bytes = golden("supperware", "quaternion").bytes
        // A MIDI clock within the message, a message that is cut off by another, and a message of another maker.
        decoder.decode(Array(bytes[..<6]) + [0xf8] + Array(bytes[6...]), into: &output)
        decoder.decode(Array(bytes[..<8]) + [0x90, 60, 100] + bytes + [0xf0, 0x7d, 1, 0xf7], into: &output)
        #expect(output.readings.count == 2 && output.faults == [.outOfSync, .malformed])
    }
}
