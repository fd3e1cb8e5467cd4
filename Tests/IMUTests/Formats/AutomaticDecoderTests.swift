import Geometry
import SeededRandom
import Testing

@testable import IMU

@Suite struct AutomaticDecoderTests {
    /// Returns the formats whose golden messages, repeated, form a stream.
    private static func streams(_ framing: TrackerFormat.Framing) -> [GoldenFormat] {
        GoldenFormat.all.filter { golden in
            guard let format = TrackerFormat.named(golden.format), !format.isVariant else { return false }
            guard (framing == .stream ? format.baud : format.port) != nil else { return false }
            return !golden.meanings.contains { if case .recentre = $0 { true } else { false } }
        }
    }

    @Test(arguments: streams(.stream))
    func aSerialFormatIsRecognised(_ golden: GoldenFormat) {
        var random = SplitMix(state: 9)
        var decoder = AutomaticDecoder(framing: .stream)
        var output = DecoderOutput()
        let stream = golden.before + Array(repeating: golden.bytes, count: 30).flatMap { $0 }
        var rest = stream[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...min(50, rest.count), using: &random)
            decoder.decode(Array(rest.prefix(count)), into: &output)
            rest = rest.dropFirst(count)
        }
        #expect(decoder.recognised == golden.format)
        // A name that was received before the format was recognised is kept.
        if golden.before.starts(with: Array("device,test".utf8)) { #expect(output.identity == "test") }
        #expect(output.readings.count >= 20 * golden.meanings.count)
        for (index, reading) in output.readings.reversed().enumerated() {
            let meanings = golden.meanings
            #expect(reading.means(meanings[meanings.count - 1 - index % meanings.count]))
        }
    }

    @Test(arguments: streams(.messages))
    func aDatagramFormatIsRecognised(_ golden: GoldenFormat) {
        var decoder = AutomaticDecoder(framing: .messages)
        var output = DecoderOutput()
        if !golden.before.isEmpty { decoder.decode(golden.before, into: &output) }
        for _ in 0..<30 { decoder.decode(golden.bytes, into: &output) }
        #expect(decoder.recognised == golden.format)
        #expect(output.readings.count >= 20 * golden.meanings.count)
    }

    @Test func noiseIsNeverTakenForAFormat() {
        for framing in [TrackerFormat.Framing.stream, .messages] {
            var random = SplitMix(state: 21)
            var decoder = AutomaticDecoder(framing: framing)
            var output = DecoderOutput()
            for _ in 0..<1500 {
                let count = framing == .stream ? 64 : [48, 50, 28, 33, 64].randomElement(using: &random) ?? 64
                decoder.decode((0..<count).map { _ in .random(in: 0...255, using: &random) }, into: &output)
            }
            #expect(decoder.recognised == nil && output.readings.isEmpty)
            #expect(output.faults.contains(.unrecognised) && output.faults.allSatisfy { $0 == .unrecognised })
        }
    }

    /// Another tracker is plugged in: the end of the old format is reported, and the new format is recognised.
    @Test func aChangeOfTrackersIsSaidAndFollowed() {
        let first = GoldenFormat.all.first { $0.format == "nvsonic" }
        let second = GoldenFormat.all.first { $0.format == "bno08x-rvc" }
        var decoder = AutomaticDecoder(framing: .stream)
        var output = DecoderOutput()
        for _ in 0..<20 { decoder.decode(first?.bytes ?? [], into: &output) }
        #expect(decoder.recognised == "nvsonic")
        output = DecoderOutput()
        var names: [String?] = []
        for _ in 0..<600 {
            decoder.decode(second?.bytes ?? [], into: &output)
            if names.last != .some(decoder.recognised) { names.append(decoder.recognised) }
        }
        #expect(names == ["nvsonic", nil, "bno08x-rvc"])
        #expect(output.faults.filter { $0 == .unrecognised }.count == 1)
    }

    /// A Razor in text mode answers a request and is then switched to binary. A phone's handshake is answered.
    @Test func protocolsThatWantAnswersGetThem() {
        var serial = AutomaticDecoder(framing: .stream)
        #expect(serial.opening.contains(Array("#s00".utf8)))
        var output = DecoderOutput()
        serial.decode(Array("#YPR=1.0,2.0,3.0\r\n#SYNCH00\r\n".utf8), into: &output)
        #expect(output.replies == [Array("#ob#o1#oe0#s01".utf8)])
        let frame = GoldenFormat.all.first { $0.format == "razor" && $0.name == "binary" }?.bytes ?? []
        serial.decode(Array("#SYNCH01\r\n".utf8) + Array(repeating: frame, count: 20).flatMap { $0 }, into: &output)
        #expect(serial.recognised == "razor" && output.readings.last?.means(.angles(-30, 5, -3)) == true)
        var network = AutomaticDecoder(framing: .messages)
        #expect(network.opening.isEmpty)
        output = DecoderOutput()
        network.decode([0, 0, 0, 3] + [UInt8](repeating: 0, count: 8), into: &output)
        #expect(output.replies == [SlimeVRDecoder.handshakeAnswer])
    }
}
