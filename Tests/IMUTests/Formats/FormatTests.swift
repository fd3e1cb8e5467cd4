import Geometry
import SeededRandom
import Testing

@testable import IMU

/// Properties of all formats.
@Suite struct FormatTests {
    @Test(arguments: GoldenFormat.all)
    func goldenBytesMeanWhatTheirSendersMean(_ golden: GoldenFormat) {
        var decoder = golden.decoder()
        let output = DecoderOutput.of([golden.bytes], &decoder)
        #expect(output.faults.isEmpty)
        #expect(output.readings.count == golden.meanings.count)
        for (reading, meaning) in zip(output.readings, golden.meanings) {
            #expect(reading.means(meaning), "\(reading)")
        }
        let last = output.readings.last
        if let stamp = golden.stamp { #expect(abs((last?.stamp?.seconds ?? -1) - stamp) < 1e-6) }
        #expect(last?.sequence?.number == golden.sequence)
        if let rate = golden.rate, case .orientation(_, let found) = last?.motion {
            #expect(near(found, rate, within: 1e-3))
        }
    }

    @Test(arguments: GoldenFormat.all.filter(\.mayBeSplit))
    func everySplitGivesTheSame(_ golden: GoldenFormat) {
        var whole = golden.decoder()
        let bytes = golden.bytes + golden.bytes
        let expected = DecoderOutput.of([bytes], &whole)
        for cut in 0...bytes.count {
            var decoder = golden.decoder()
            #expect(DecoderOutput.of([Array(bytes[..<cut]), Array(bytes[cut...])], &decoder) == expected)
        }
        var single = golden.decoder()
        #expect(DecoderOutput.of(bytes.map { [$0] }, &single) == expected)
    }

    @Test(arguments: GoldenFormat.all)
    func aFlippedBitIsDroppedOrYieldsASoundReading(_ golden: GoldenFormat) {
        for index in golden.bytes.indices {
            for bit in 0..<8 {
                var bytes = golden.bytes
                bytes[index] ^= 1 << UInt8(bit)
                var decoder = golden.decoder()
                let output = DecoderOutput.of([bytes], &decoder)
                for reading in output.readings { #expect(reading.isSound, "byte \(index), bit \(bit)") }
                if golden.hasChecksum {
                    // From a message of several frames, the whole frames may still be read, with the same meaning.
                    #expect(output.readings.count <= golden.meanings.count)
                    #expect(
                        output.readings.allSatisfy { reading in golden.meanings.contains { reading.means($0) } },
                        "byte \(index), bit \(bit)")
                }
            }
        }
    }

    @Test(arguments: GoldenFormat.all.filter { $0.framing == .stream && $0.before.isEmpty })
    func aStreamIsFoundAgainAfterGarbage(_ golden: GoldenFormat) {
        var random = SplitMix(state: 3)
        for _ in 0..<50 {
            var decoder = golden.decoder()
            var output = DecoderOutput()
            let garbage = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // A message that seems to begin in the garbage may swallow the first message or, if it is long, the first
            // few.
            let repeats = 3 + 300 / golden.bytes.count
            for piece in [garbage] + Array(repeating: golden.bytes, count: repeats) {
                decoder.decode(piece, into: &output)
            }
            // Xsens may take garbage for the head of a message of up to eight kilobytes.
            if golden.format.hasPrefix("xsens"), output.readings.isEmpty { continue }
            let tail = output.readings.suffix(golden.meanings.count)
            #expect(tail.count == golden.meanings.count)
            for (reading, meaning) in zip(tail, golden.meanings) { #expect(reading.means(meaning)) }
        }
    }

    @Test func everyRowOfTheTableIsWhole() {
        #expect(Set(TrackerFormat.all.map(\.name)).count == TrackerFormat.all.count)
        for format in TrackerFormat.all {
            #expect(!format.transports.isEmpty && !format.title.isEmpty && !format.remark.isEmpty)
            #expect(
                format.name.utf8.allSatisfy { $0 == 0x2d || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) })
            #expect(TrackerFormat.named(format.name)?.name == format.name)
            let covered = GoldenFormat.all.contains { $0.format == format.name || "\($0.format)-fused" == format.name }
            #expect(covered || format.name == "auto", "\(format.name) has golden bytes")
        }
        #expect(TrackerFormat.named("none of these") == nil)
        #expect(TrackerFormat.named("razor")?.baud == 57_600 && TrackerFormat.named("razor")?.port == nil)
        #expect(TrackerFormat.named("opentrack")?.port == 4242)
    }
}
