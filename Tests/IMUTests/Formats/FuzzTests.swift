import Foundation
import Geometry
import SeededRandom
import Testing

@testable import IMU

/// Random and mutated streams into every decoder: nothing may trap, nothing unsound may come out, nothing may pile up.
///
/// Some seconds in ordinary runs; ten minutes under PROSCENIUM_SOAK=1, with a seed of its own in each round.
@Suite struct FuzzTests {
    @Test func everyDecoderStandsAnyBytes() {
        let isSoak = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1"
        let start = ContinuousClock.now
        var rounds = 0
        var readings = 0
        var bytes = 0
        repeat {
            for format in TrackerFormat.all {
                for framing in [TrackerFormat.Framing.stream, .messages] {
                    var random = SplitMix(state: UInt64(rounds) << 8 | UInt64(framing == .stream ? 1 : 2))
                    var fuzz = Fuzz(format: format, framing: framing)
                    fuzz.run(messages: 60, &random)
                    readings += fuzz.readings
                    bytes += fuzz.bytes
                }
            }
            rounds += 1
        } while isSoak ? ContinuousClock.now - start < .seconds(600) : rounds < 3
        #expect(readings > 100)
        if isSoak {
            print("fuzz: \(rounds) rounds over every decoder, \(bytes) bytes, \(readings) readings, all sound")
        }
    }
}

/// One decoder under attack.
private struct Fuzz {
    private var decoder: any TrackerDecoder
    private let format: TrackerFormat
    private let seeds: [[UInt8]]
    var readings = 0
    var bytes = 0

    init(format: TrackerFormat, framing: TrackerFormat.Framing) {
        self.format = format
        decoder = format.makeDecoder(framing)
        let base = format.name.replacingOccurrences(of: "-fused", with: "")
        let own = GoldenFormat.all.filter { $0.format == base || format.name == "auto" }
        // The material also contains one message of another format.
        seeds = own.flatMap { [$0.before, $0.bytes] }.filter { !$0.isEmpty } + [GoldenFormat.all[0].bytes]
    }

    mutating func run(messages: Int, _ random: inout SplitMix) {
        for _ in 0..<messages {
            var piece: [UInt8] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) { piece += mutated(&random) }
            // Cut anywhere, or not at all.
            let cut = Int.random(in: 0...piece.count, using: &random)
            for part in Bool.random(using: &random) ? [piece] : [Array(piece[..<cut]), Array(piece[cut...])] {
                var output = DecoderOutput()
                decoder.decode(part, into: &output)
                bytes += part.count
                readings += output.readings.count
                #expect(output.readings.allSatisfy { $0.isSound }, "\(format.name)")
                #expect(output.readings.count <= part.count + 16 && output.faults.count <= 16 * (part.count + 16))
                #expect(output.replies.reduce(0) { $0 + $1.count } <= 80 * (part.count + 16))
            }
        }
        // The automatic decoder contains a decoder of each format.
        let limit = format.name == "auto" ? 64_000 : 16_000
        #expect(Self.retained(decoder) < limit, "\(format.name) keeps \(Self.retained(decoder)) bytes")
    }

    private func mutated(_ random: inout SplitMix) -> [UInt8] {
        var piece = seeds[Int.random(in: 0..<seeds.count, using: &random)]
        switch Int.random(in: 0..<9, using: &random) {
        case 0: break
        case 1:  // Bits.
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                piece[Int.random(in: 0..<piece.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case 2:  // Special bytes.
            let notable: [UInt8] = [
                0, 0xff, 0x7f, 0x80, 0x0a, 0x0d, 0xaa, 0x55, 0xfa, 0xdb, 0xf0, 0xf7, 0x7b, 0x2c, 0x2a,
            ]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                piece[Int.random(in: 0..<piece.count, using: &random)] =
                    notable[Int.random(in: 0..<notable.count, using: &random)]
            }
        case 3: piece.removeLast(Int.random(in: 0..<piece.count, using: &random))
        case 4: piece.removeFirst(Int.random(in: 0..<piece.count, using: &random))
        case 5: piece = (0..<Int.random(in: 0...400, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        case 6:  // NaN, infinity, the greatest and the least numbers, little- and big-endian.
            let numbers: [[UInt8]] = [
                [0, 0, 0xc0, 0x7f], [0, 0, 0x80, 0x7f], [0xff, 0xff, 0x7f, 0x7f], [1, 0, 0, 0], [0, 0, 0, 0x80],
            ]
            let number = numbers[Int.random(in: 0..<numbers.count, using: &random)]
            let place = Int.random(in: 0..<max(1, piece.count - 4), using: &random)
            let end = min(piece.count, place + 4)
            piece.replaceSubrange(place..<end, with: Bool.random(using: &random) ? number : number.reversed())
        case 7:  // Numbers in text.
            let texts = [
                "nan", "inf", "-1e999", "1e308", "0x1p3", "--1", "", "9999999999999999999999", "1e-400", "{", "]",
            ]
            let text = Array(texts[Int.random(in: 0..<texts.count, using: &random)].utf8)
            let place = Int.random(in: 0...piece.count, using: &random)
            piece.replaceSubrange(place..<min(piece.count, place + 3), with: text)
        default:  // One byte, repeated.
            let byte = piece[Int.random(in: 0..<piece.count, using: &random)]
            piece += [UInt8](repeating: byte, count: Int.random(in: 0...3000, using: &random))
        }
        return piece
    }

    /// Returns the number of bytes in all byte arrays of a value.
    static func retained(_ value: Any) -> Int {
        if let bytes = value as? [UInt8] { return bytes.count }
        return Mirror(reflecting: value).children.reduce(0) { $0 + retained($1.value) }
    }
}
