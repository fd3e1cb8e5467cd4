import Foundation
import Geometry
import SeededRandom
import Testing

@testable import IMU

@Suite struct AirPodsDecoderTests {
    private static let framings = [TrackerFormat.Framing.messages, .stream]

    private func decode(_ packets: [[UInt8]], _ framing: TrackerFormat.Framing = .messages) -> DecoderOutput {
        var decoder: any TrackerDecoder = AirPodsDecoder(framing: framing)
        return DecoderOutput.of(packets, &decoder)
    }

    /// Returns a packet with a random pose and rate of the head.
    private static func packet(_ count: UInt64, _ random: inout SplitMix) -> AirPodsPacket {
        func number(_ limit: Double) -> Double { .random(in: -limit...limit, using: &random) }
        var packet = AirPodsPacket()
        packet.count = count
        packet.microseconds = 40_094 * count
        packet.head = Quaternion(yaw: number(.pi), pitch: number(1), roll: number(1))
        packet.rate = SIMD3(number(9), number(9), number(9))
        return packet
    }

    /// The count has one to five bytes, which shifts all fields after it. Both arrangements contain the same report.
    @Test(arguments: framings, [false, true])
    func theHeadsPoseAndRateAreReadBack(_ framing: TrackerFormat.Framing, isOlder: Bool) throws {
        var random = SplitMix(state: 4)
        for count: UInt64 in [1, 127, 128, 300, 16_383, 16_384, 2_097_152, 4_294_967_296] {
            for length in [56, 58] {
                var packet = Self.packet(count, &random)
                packet.isOlder = isOlder
                packet.reportLength = length
                let output = decode([packet.bytes], framing)
                #expect(output.faults.isEmpty && output.readings.count == 1)
                let reading = try #require(output.readings.first)
                guard case .orientation(let rotation, let rate) = reading.motion else {
                    Issue.record("not an orientation")
                    continue
                }
                // The scalar part follows from three rounded numbers. The error is up to 0.7° if this part is almost
                // zero.
                #expect(rotation.angle(to: Rotation(packet.head)) < 0.7 * .pi / 180)
                #expect(near(rate, packet.rate, within: 1.0 / 512))
                #expect(reading.sequence == SenderSequence(count))
                #expect(abs((reading.stamp?.seconds ?? -1) - Double(packet.microseconds) / 1e6) < 1e-6)
            }
        }
    }

    /// The rate of a turn is the derivative of its orientations, in the same axes.
    @Test func theRateFitsTheTurnOfTheOrientations() {
        let turn = SIMD3(0.8, -1.1, 1.9)
        var poses: [Quaternion] = []
        for step in 0..<50 {
            var packet = AirPodsPacket()
            packet.count = UInt64(step)
            packet.head =
                Quaternion(yaw: 0.3, pitch: 0.2, roll: -0.1) * Quaternion(rotationVector: turn * 0.002 * Double(step))
            packet.rate = turn
            for case .orientation(let rotation, let rate) in decode([packet.bytes]).readings.map(\.motion) {
                #expect(near(rate, turn, within: 1.0 / 512))
                poses.append(rotation.quaternion)
            }
        }
        #expect(poses.count == 50)
        let whole = Rotation<Body, World>(poses[0].conjugate * poses[49])
        #expect(whole.angle(to: Rotation(Quaternion(rotationVector: turn * 0.098))) < 0.02 * .pi / 180)
    }

    /// After the start the vector of the attitude is zero for some packets: these packets keep their places in time.
    @Test(arguments: framings)
    func anAttitudeNotYetDeterminedIsRefused(_ framing: TrackerFormat.Framing) {
        var early = AirPodsPacket()
        early.vector = SIMD3(0, 0, 0)
        var upright = early
        upright.gravity = SIMD3(0, 0, -1)
        var other = AirPodsPacket()
        other.gravity = SIMD3(0, -1, 0)
        var weightless = AirPodsPacket()
        weightless.gravity = SIMD3(0, 0, 0)
        for packet in [early, upright, other, weightless] {
            let output = decode([packet.bytes], framing)
            #expect(output.readings.isEmpty && output.faults == [.implausible])
            #expect(output.refusals.first?.sequence == SenderSequence(300))
        }
        // In a fast shake, the gravity that the bud reports deviates by up to 25° from the attitude.
        var shaken = AirPodsPacket()
        shaken.gravity = SIMD3(0, 0.9, 0.42)
        #expect(decode([shaken.bytes], framing).readings.count == 1)
    }

    @Test func aVectorLongerThanOneIsNotUnit() {
        var packet = AirPodsPacket()
        packet.vector = SIMD3(0.8, 0.6, 0.1)
        let output = decode([packet.bytes])
        #expect(output.readings.isEmpty && output.faults == [.notUnit] && output.refusals.count == 1)
    }

    /// Packets about the battery, ear detection, the list of sensors, and other sensors are not faults.
    @Test func otherPacketsOfTheConnectionArePassedOver() {
        var pulse = AirPodsPacket()
        pulse.sensor = 16
        var older = pulse
        older.isOlder = true
        let announcement = AirPodsPacket.packet([8, 9, 0x10, 3, 0x62, 2, 8, 0x10, 0x62, 2, 8, 0x0d])
        let battery: [UInt8] = [4, 0, 4, 0, 4, 0, 1, 4, 1, 0x64, 2, 1]
        let output = decode([battery, [4, 0, 4, 0, 6, 0, 1, 1], announcement, pulse.bytes, older.bytes])
        #expect(output == DecoderOutput())
        #expect(decode([announcement + pulse.bytes + older.bytes], .stream) == DecoderOutput())
        // In a stream the length of other packets is unknown: they count as bytes between two packets.
        let mixed = decode([battery + AirPodsPacket().bytes], .stream)
        #expect(mixed.readings.count == 1 && mixed.faults == [.outOfSync])
    }

    @Test func damagedPacketsAreCounted() {
        let whole = AirPodsPacket().bytes
        var short = AirPodsPacket()
        short.reportLength = 55
        var wrongLength = whole
        wrongLength[10] = 0xff
        var field = whole
        field[18] = 0x7f
        let endless = AirPodsPacket.packet([8] + [UInt8](repeating: 0xff, count: 40))
        let tooWide = AirPodsPacket.packet([8] + [UInt8](repeating: 0xff, count: 9) + [2, 0x10, 1])
        let fixed = AirPodsPacket.packet([0x0d, 1, 2, 3, 4])
        for packet in [
            [], Array(whole.dropLast()), whole + [0], short.bytes, wrongLength, field, endless, tooWide, fixed,
        ] {
            let output = decode([packet])
            #expect(output.readings.isEmpty && output.faults == [.malformed], "\(packet)")
        }
        // A length that no packet has does not hold up the stream.
        wrongLength[11] = 0x7f
        let output = decode([wrongLength, whole, whole], .stream)
        #expect(output.readings.count == 2 && output.faults.contains(.malformed))
        // Nor does a packet that is cut short, although the next packet is lost with it.
        #expect(decode([Array(whole.dropLast(9)), whole, whole, whole], .stream).readings.count >= 2)
    }

    /// No other decoder returns a reading for packets of AirPods, nor does this one for packets of other formats.
    @Test(arguments: framings)
    func noOtherFormatIsTakenForItNorTheReverse(_ framing: TrackerFormat.Framing) {
        var random = SplitMix(state: 12)
        let packets = (0..<400).map { count -> [UInt8] in
            var packet = Self.packet(UInt64(count), &random)
            packet.isOlder = count.isMultiple(of: 2)
            return packet.bytes
        }
        for format in TrackerFormat.all where !["airpods", "auto"].contains(format.name) {
            var decoder = format.makeDecoder(framing)
            #expect(DecoderOutput.of(packets, &decoder).readings.isEmpty, "\(format.name)")
        }
        for golden in GoldenFormat.all where golden.format != "airpods" {
            let stream = Array(repeating: golden.before + golden.bytes, count: 30)
            #expect(decode(stream, framing).readings.isEmpty, "\(golden)")
        }
        var automatic = AutomaticDecoder(framing: framing)
        var output = DecoderOutput()
        for packet in packets.prefix(20) { automatic.decode(packet, into: &output) }
        #expect(automatic.recognised == "airpods" && output.readings.count == 13)
    }
}
