import CRealtime
import Foundation
import Geometry
import OSC
import Synchronization
import Testing

@testable import IMU

@Suite struct OSCDecoderTests {
    private func decode(_ address: String, _ numbers: [Double]) -> DecoderOutput {
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        decoder.decode(OSCMessage(address, numbers.map { .float(Float($0)) }).encoded(), into: &output)
        return output
    }

    private func angles(_ address: String, _ numbers: [Double]) -> SIMD3<Double>? {
        decode(address, numbers).readings.first.flatMap(Self.angles)
    }

    private static func angles(_ reading: TrackerReading) -> SIMD3<Double>? {
        if case .orientation(let rotation, _) = reading.motion { degrees(rotation) } else { nil }
    }

    /// Returns the angles of a message with other arguments before the numbers.
    private static func angles(_ address: String, _ before: [OSCArgument], _ numbers: [Double]) -> SIMD3<Double>? {
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        decoder.decode(OSCMessage(address, before + numbers.map { .float(Float($0)) }).encoded(), into: &output)
        return output.readings.first.flatMap(Self.angles)
    }

    @Test func otherBonesAreNoFault() {
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        let hips: [OSCArgument] = [.string("Hips")] + [OSCArgument](repeating: .float(0), count: 7)
        decoder.decode(OSCMessage("/VMC/Ext/Bone/Pos", hips).encoded(), into: &output)
        #expect(output.readings.isEmpty && output.faults.isEmpty)
    }

    /// Threads of the program flush denormals, and most numbers are denormal in the wrong order of bytes.
    @Test func `Where denormals are flushed, opentrack's numbers are read in the right order of bytes all the same`()
        async
    {
        let little = OpentrackDatagram(position: SIMD3(1, -2, 60), angles: SIMD3(45, -20, 10))
        let big = (0..<6).flatMap { little.bytes[($0 * 8)..<($0 * 8 + 8)].reversed() }
        let read = Mutex<OpentrackDatagram?>(nil)
        let thread = Thread {
            prc_flush_denormals()
            read.withLock { $0 = OpentrackDatagram(big) }
        }
        thread.start()
        while !thread.isFinished { usleep(1000) }
        #expect(read.withLock { $0 } == little)
    }

    @Test func opentracksDatagramsAreReadInEitherOrderOfBytesAndWithMoreBehind() {
        for angles in [SIMD3(45.0, -20, 10), SIMD3(0.1, 0, 0), SIMD3(-179.9, 89, -3.25), SIMD3(0, 0, 0)] {
            let little = OpentrackDatagram(position: SIMD3(1, -2, 60), angles: angles)
            let big = (0..<6).flatMap { little.bytes[($0 * 8)..<($0 * 8 + 8)].reversed() }
            #expect(OpentrackDatagram(little.bytes) == little)
            #expect(OpentrackDatagram(big) == little)
            #expect(OpentrackDatagram(little.bytes + [7, 0, 0, 0]) == little)
        }
        #expect(OpentrackDatagram([UInt8](repeating: 0, count: 47)) == nil)
        #expect(OpentrackDatagram([UInt8](repeating: 0, count: 65)) == nil)
    }

    @Test func everyProfileTurnsTheRightWay() {
        // The head looks left, up, and has the right ear down, one at a time and all together.
        for head in [SIMD3(40.0, 0, 0), SIMD3(0, 20, 0), SIMD3(0, 0, 10), SIMD3(40, 20, 10)] {
            let q = Quaternion(yaw: head.x * .pi / 180, pitch: head.y * .pi / 180, roll: head.z * .pi / 180)
            #expect(near(angles("/ypr", [head.x, head.y, head.z]), head))
            #expect(near(angles("/adm/lis/ypr", [head.x, head.y, head.z]), head))
            #expect(near(angles("/quaternion", [q.w, q.x, q.y, q.z]), head))
            #expect(near(angles("/SceneRotator/ypr", [-head.x, head.y, -head.z]), head))
            #expect(near(angles("/SceneRotator/quaternions", [q.w, -q.x, -q.y, -q.z]), head))
            // Android and ZIG SIM: x y z w in axes right, front, up; an accuracy may follow.
            let phone = [-q.y, q.x, q.z, q.w, 0.01]
            #expect(near(angles("/gamerotationvector", phone), head))
            #expect(near(angles("/my-phone/quaternion", phone), head))
            #expect(near(angles("/rotationvector", phone), head))
            #expect(near(angles("/gyrosc/quat", [q.w, -q.y, q.x, q.z]), head))
            // Unity: x right, y up, z front, left-handed, so that every turn has the other sense.
            let unity = [q.y, -q.z, -q.x, q.w]
            #expect(
                near(Self.angles("/VMC/Ext/Hmd/Pos", [.string("HMD"), .float(0), .float(1.6), .float(0)], unity), head))
            #expect(
                near(
                    Self.angles("/VMC/Ext/Bone/Pos", [.string("Head"), .float(0), .float(1.6), .float(0)], unity), head)
            )
            #expect(near(angles("/tracking/trackers/head/rotation", [-head.y, -head.x, -head.z]), head))
            var decoder = OSCDecoder()
            var output = DecoderOutput()
            for (name, number) in [("qw", q.w), ("qx", -q.x), ("qy", -q.y), ("qz", -q.z)] {
                #expect(output.readings.isEmpty)
                decoder.decode(OSCMessage("/SceneRotator/" + name, [.float(Float(number))]).encoded(), into: &output)
            }
            #expect(near(output.readings.first.flatMap(Self.angles), head))
        }
        #expect(near(angles("/SceneRotator/yaw", [-40]), SIMD3(40, 0, 0)))
        #expect(near(angles("/SceneRotator/pitch", [20]), SIMD3(0, 20, 0)))
        #expect(near(angles("/SceneRotator/roll", [-10]), SIMD3(0, 0, 10)))
    }

    /// The rotation of sources by IEM's SceneRotator, sequence yaw, pitch, roll: Rx(roll)·Ry(pitch)·Rz(yaw).
    @Test func theSceneRotatorsStageStandsStill() {
        let sent = SIMD3(35.0, -20, 15) * (.pi / 180)
        let scene =
            Quaternion(rotationVector: SIMD3(sent.z, 0, 0)) * Quaternion(rotationVector: SIMD3(0, sent.y, 0))
            * Quaternion(rotationVector: SIMD3(0, 0, sent.x))
        guard case .orientation(let head, _) = decode("/SceneRotator/ypr", [35, -20, 15]).readings.first?.motion else {
            Issue.record("no orientation")
            return
        }
        // Relative to the head, a source fixed to the stage is rotated by head⁻¹, which equals the scene's rotation.
        #expect(head.quaternion.conjugate.angle(to: scene) < 1e-6)
    }

    @Test func addressesAreReadWithoutRegardToCaseAndNumbersMayBeOfAnyType() {
        #expect(near(angles("/scenerotator/YPR", [10, 0, 0]), SIMD3(-10, 0, 0)))
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        decoder.decode(OSCMessage("/ypr", [.int32(30), .double(-5), .int64(2)]).encoded(), into: &output)
        #expect(near(output.readings.first.flatMap(Self.angles), SIMD3(30, -5, 2)))
    }

    @Test func singleAnglesOfARoundMakeOneOrientation() {
        var decoder = OSCDecoder()
        var rounds: [Int] = []
        for round in 0..<10 {
            for address in ["/yaw", "/pitch", "/roll"] {
                var output = DecoderOutput()
                decoder.decode(OSCMessage(address, [.float(Float(round))]).encoded(), into: &output)
                for reading in output.readings {
                    rounds.append(round)
                    if round > 1 { #expect(near(Self.angles(reading), SIMD3(repeating: Double(round)))) }
                }
            }
        }
        // Until the order is known every message counts; from then on, the last of each round.
        #expect(rounds.filter { $0 >= 2 } == Array(2..<10))
    }

    @Test func singleAnglesInABundleMakeOneOrientationWithItsTime() {
        var decoder = OSCDecoder()
        let parts = [("/yaw", Float(30)), ("/pitch", -5), ("/roll", 2)]
        for (bits, seconds) in [(UInt64(1), nil), (3_976_214_400 << 32 | 1 << 31, 3_976_214_400.5)]
            as [(UInt64, Double?)]
        {
            let messages = parts.map { OSCPacket.message(OSCMessage($0, [.float($1)])) }
            var output = DecoderOutput()
            decoder.decode(OSCPacket.bundle(OSCTimeTag(bits: bits), messages).encoded(), into: &output)
            #expect(output.readings.count == 1)
            #expect(near(output.readings.first.flatMap(Self.angles), SIMD3(30, -5, 2)))
            #expect(output.readings.first?.stamp?.seconds == seconds)
        }
    }

    @Test func aPhonesSensorsMakeOneMeasurement() {
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        func send(_ address: String, _ numbers: [Float]) {
            decoder.decode(OSCMessage(address, numbers.map { .float($0) }).encoded(), into: &output)
        }
        // A ZIG SIM phone that lies flat, turns to the left, and is pushed to the front.
        send("/phone/gravity", [0, 0, -1])
        send("/phone/accel", [0, 0.1, 0])
        send("/phone/gyro", [0, 0, 0.5])
        guard case .inertial(let sample) = output.readings.first?.motion else {
            Issue.record("no measurement")
            return
        }
        #expect(near(sample.rate, SIMD3(0, 0, 0.5)))
        #expect(near(sample.force, SIMD3(0.980665, 0, 9.80665)))
        // Once the phone sends its own orientation, this is used, with the rate.
        send("/phone/quaternion", [0, 0, 0, 1])
        send("/phone/gyro", [0, 0, 0.25])
        send("/phone/quaternion", [0, 0, 0, 1])
        #expect(output.readings.count == 4 && output.readings[1].motion == .discontinuity)
        if case .orientation(_, let rate)? = output.readings.last?.motion { #expect(near(rate, SIMD3(0, 0, 0.25))) }
        #expect(output.faults.isEmpty)
    }

    /// The raw sensors of a phone are used if its orientation is refused, or if no more orientations arrive.
    @Test func aPhonesSensorsAreHeardWithoutUsableOrientations() {
        var decoder = OSCDecoder()
        func send(_ address: String, _ numbers: [Float]) -> DecoderOutput {
            var output = DecoderOutput()
            decoder.decode(OSCMessage(address, numbers.map { .float($0) }).encoded(), into: &output)
            return output
        }
        func isMeasured(_ output: DecoderOutput) -> Bool {
            if case .inertial? = output.readings.last?.motion { true } else { false }
        }
        let refused = send("/phone/quaternion", [0, 0, 0, 0])
        #expect(refused.readings.isEmpty && refused.faults == [.notUnit])
        _ = send("/phone/gravity", [0, 0, -1])
        let first = send("/phone/gyro", [0, 0, 0.5])
        #expect(first.readings.count == 1 && isMeasured(first))
        // If no more orientations arrive, they are given up after the number of rates that `MotionChoice` waits for.
        #expect(send("/phone/quaternion", [0, 0, 0, 1]).readings.count == 2)
        for _ in 0..<MotionChoice.patience {
            _ = send("/phone/gravity", [0, 0, -1])
            #expect(send("/phone/gyro", [0, 0, 0.5]).readings.isEmpty)
        }
        _ = send("/phone/gravity", [0, 0, -1])
        let last = send("/phone/gyro", [0, 0, 0.5])
        #expect(last.readings.first?.motion == .discontinuity && isMeasured(last))
    }

    @Test func whatCannotBeUsedIsCountedByCause() {
        var decoder = OSCDecoder()
        var output = DecoderOutput()
        func send(_ address: String, _ arguments: [OSCArgument]) {
            decoder.decode(OSCMessage(address, arguments).encoded(), into: &output)
        }
        send("/ypr", [.float(.nan), .float(0), .float(0)])
        send("/ypr", [.float(1e30), .float(0), .float(0)])
        send("/yaw", [.float(1e30)])
        send("/quaternion", [.float(0.5), .float(0), .float(0), .float(0)])
        send("/quaternion", [.float(1.2), .float(0), .float(0), .float(0)])
        send("/ypr", [.float(1), .float(0)])
        send("/ypr", [.string("30"), .float(0), .float(0)])
        send("/volume", [.float(1)])
        send("/imu", [.float(1000), .float(0), .float(0), .float(0), .float(0), .float(0)])
        decoder.decode([1, 2, 3], into: &output)
        #expect(output.readings.isEmpty)
        #expect(
            output.faults
                == [
                    .notFinite, .implausible, .implausible, .notUnit, .notUnit, .wrongArguments, .wrongArguments,
                    .unknownAddress, .implausible, .malformed,
                ])
    }

    @Test func opentrackDatagramsMustBeWhole() {
        for count in [0, 1, 47, 65, 96] {
            var decoder = OpentrackDecoder()
            var output = DecoderOutput()
            decoder.decode(Array((Golden.opentrack + Golden.opentrack)[..<count]), into: &output)
            #expect(output.readings.isEmpty && output.faults == [.malformed])
        }
        for (angle, fault) in [
            (Double.nan, TrackerHealth.Fault.notFinite), (.infinity, .notFinite), (1e6, .implausible),
        ] {
            var decoder = OpentrackDecoder()
            var output = DecoderOutput()
            decoder.decode(OpentrackDatagram(angles: SIMD3(angle, 0, 0)).bytes, into: &output)
            #expect(output.readings.isEmpty && output.faults == [fault])
        }
    }
}
