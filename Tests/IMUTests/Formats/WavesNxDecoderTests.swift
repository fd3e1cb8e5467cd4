import Geometry
import SeededRandom
import Testing

@testable import IMU

@Suite struct WavesNxDecoderTests {
    private func packet(_ x: Int16, _ y: Int16, _ z: Int16, _ w: Int16, _ rest: [UInt8] = [0, 3]) -> [UInt8] {
        [x, y, z, w].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] } + rest
    }

    private func decode(_ packets: [[UInt8]]) -> DecoderOutput {
        var decoder: any TrackerDecoder = WavesNxDecoder()
        return DecoderOutput.of(packets, &decoder)
    }

    /// opennx takes (q0, q2, −q3, −q1) of the sent numbers as the head's quaternion, with yaw to the right, pitch up
    /// and roll to the left positive about x front, y left, z up. This is the conjugate of the quaternion here. Its
    /// tracker is worn upside down.
    @Test func bothAccountsAgreeButForTheMounting() throws {
        let mounting = try #require(Mounting("0/180/0")).rotation
        var random = SplitMix(state: 8)
        for _ in 0..<200 {
            let sent = Quaternion(
                yaw: .random(in: -3...3, using: &random), pitch: .random(in: -1.5...1.5, using: &random),
                roll: .random(in: -3...3, using: &random))
            let q = [sent.x, sent.y, sent.z, sent.w].map { Int16(($0 * 16_384).rounded()) }
            let output = decode([packet(q[0], q[1], q[2], q[3])])
            guard case .orientation(let ours, nil) = output.readings.first?.motion else {
                Issue.record("no orientation")
                continue
            }
            let n = q.map { Double($0) / 16_384 }
            let theirs = try #require(
                Rotation<Body, World>(measured: Quaternion(w: n[0], x: n[2], y: -n[3], z: -n[1]).conjugate))
            let worn = Rotation<Body, World>(ours.quaternion * mounting.quaternion.conjugate)
            #expect(worn.angle(to: theirs) < 0.02 * .pi / 180)
        }
    }

    /// Without a connection the characteristic holds w = 1 of 16384.
    @Test func whatIsNoUnitQuaternionIsRefused() {
        let output = decode([
            packet(0, 0, 0, 1, [0xff, 0xff]), packet(0, 0, 0, 16_100), packet(0, 0, 0, 16_600), [],
            Array(packet(0, 0, 0, 16_384).dropLast()), packet(0, 0, 0, 16_384) + [0],
        ])
        #expect(output.readings.isEmpty)
        #expect(output.faults == [.notUnit, .notUnit, .notUnit, .malformed, .malformed, .malformed])
        // The second model has other bytes after the quaternion.
        #expect(decode([packet(0, 0, 0, 16_383, [7, 9])]).readings.count == 1)
    }

    @Test func noiseOfItsLengthIsNotTakenForIt() {
        var random = SplitMix(state: 30)
        var decoder = AutomaticDecoder(framing: .messages)
        var output = DecoderOutput()
        for _ in 0..<20_000 {
            decoder.decode((0..<10).map { _ in .random(in: 0...255, using: &random) }, into: &output)
        }
        #expect(decoder.recognised == nil && output.readings.isEmpty)
    }

    @Test func noOtherFormatIsTakenForIt() {
        for golden in GoldenFormat.all where golden.format != "waves-nx" {
            #expect(decode([golden.before, golden.bytes]).readings.isEmpty, "\(golden)")
        }
    }
}
