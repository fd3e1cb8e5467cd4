import SeededRandom
import Testing

@testable import OSC

func bytes(_ hex: String) -> [UInt8] { hex.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 } }

@Suite struct OSCPacketTests {
    /// Made by python-osc 1.10.2.
    @Test func aYPRMessageHasTheseBytes() throws {
        let golden = bytes(
            "2f 79 70 72 00 00 00 00 2c 66 66 66 00 00 00 00 41 f0 00 00 c0 a0 00 00 40 20 00 00")
        let message = OSCMessage("/ypr", [.float(30), .float(-5), .float(2.5)])
        #expect(try OSCPacket(decoding: golden) == .message(message))
        #expect(message.encoded() == golden)
        #expect(message.numbers == [30, -5, 2.5])
    }

    /// Made by python-osc 1.10.2.
    @Test func aSceneRotatorMessageHasTheseBytes() throws {
        let golden = bytes(
            """
            2f 53 63 65 6e 65 52 6f 74 61 74 6f 72 2f 71 75 61 74 65 72 6e 69 6f 6e 73 00 00 00 2c 66 66 66 66 00 00 00 \
            3f 35 04 f3 00 00 00 00 00 00 00 00 3f 35 04 f3
            """)
        let half = Float(0.5).squareRoot()
        let message = OSCMessage("/SceneRotator/quaternions", [.float(half), .float(0), .float(0), .float(half)])
        #expect(try OSCPacket(decoding: golden) == .message(message))
        #expect(message.encoded() == golden)
    }

    @Test func everyTypeSurvivesTheRoundTrip() throws {
        let message = OSCMessage(
            "/all",
            [
                .int32(-7), .float(1.5), .string("ear"), .string("stage"), .blob([1, 2, 3, 4, 5]), .blob([]),
                .double(-.pi), .int64(.min), .timeTag(OSCTimeTag(bits: 0x0123_4567_89ab_cdef)), .boolean(true),
                .boolean(false), .null,
            ])
        let packet = OSCPacket.bundle(
            .immediately, [.message(message), .bundle(.immediately, []), .message(OSCMessage("/empty"))])
        #expect(try OSCPacket(decoding: packet.encoded()) == packet)
        #expect(packet.messages.map(\.address) == ["/all", "/empty"])
        #expect(packet.encoded().count % 4 == 0)
    }

    @Test func everyTruncationIsRefused() {
        let message = OSCMessage("/ypr", [.float(30), .string("abc"), .blob([1, 2, 3])])
        let whole = OSCPacket.bundle(.immediately, [.message(message)]).encoded()
        for count in 0..<whole.count {
            // A bundle cut after its time tag is an empty bundle, which is legal.
            if count == 16 { continue }
            #expect(throws: OSCError.self) { try OSCPacket(decoding: Array(whole[..<count])) }
        }
        // An address alone is a message without arguments.
        for count in 0..<message.encoded().count where count != 8 {
            #expect(throws: OSCError.self) { try OSCPacket(decoding: Array(message.encoded()[..<count])) }
        }
    }

    @Test func eachFaultHasItsName() {
        func fault(_ hex: String) -> OSCError? {
            do {
                _ = try OSCPacket(decoding: bytes(hex))
                return nil
            } catch { return error }
        }
        #expect(fault("") == .empty)
        #expect(fault("2f 61 00") == .unaligned(count: 3))
        #expect(fault("61 62 63 00 2c 00 00 00") == .badAddress(offset: 0))
        #expect(fault("2f 61 20 00 2c 00 00 00") == .badAddress(offset: 0))
        #expect(fault("2f 61 00 00") == nil)
        #expect(fault("2f 61 00 00 41 f0 00 00") == .missingTypeTags(offset: 4))
        #expect(fault("2f 61 00 01 2c 00 00 00") == .dirtyPadding(offset: 0))
        #expect(fault("2f 61 00 00 2c 51 00 00") == .unknownTypeTag(0x51))
        #expect(fault("2f 61 00 00 2c 69 00 00") == .truncated(offset: 8))
        #expect(fault("2f 61 00 00 2c 62 00 00 7f ff ff ff") == .badBlobSize(0x7fff_ffff, offset: 8))
        #expect(fault("2f 61 00 00 2c 62 00 00 ff ff ff ff") == .badBlobSize(-1, offset: 8))
        #expect(fault("2f 61 00 00 2c 00 00 00 00 00 00 00") == .trailingBytes(offset: 8))
        #expect(fault("2f 61 62 63") == .unterminatedString(offset: 0))
        #expect(fault("2f ff 00 00 2c 00 00 00") == .notText(offset: 0))
        #expect(
            fault("23 62 75 6e 64 6c 65 00 00 00 00 00 00 00 00 01 00 00 00 40")
                == .badElementSize(64, offset: 16))
    }

    @Test func bundlesNestEightDeepAndNoDeeper() throws {
        var packet = OSCPacket.message(OSCMessage("/deep"))
        for _ in 0..<OSCPacket.greatestDepth { packet = .bundle(.immediately, [packet]) }
        #expect(try OSCPacket(decoding: packet.encoded()) == packet)
        let deeper = OSCPacket.bundle(.immediately, [packet])
        #expect(throws: OSCError.nestedTooDeep) { try OSCPacket(decoding: deeper.encoded()) }
    }

    @Test func garbageIsRefusedOrReadButNeverCrashes() throws {
        var random = SplitMix(state: 1)
        let seeds: [[UInt8]] = [
            OSCMessage("/ypr", [.float(30), .float(-5), .float(2.5)]).encoded(),
            OSCPacket.bundle(
                .immediately, [.message(OSCMessage("/a", [.string("b"), .blob([1, 2, 3]), .double(1)]))]
            ).encoded(),
        ]
        var accepted = 0
        for round in 0..<40_000 {
            var candidate: [UInt8]
            if round % 4 == 0 {
                let count = Int.random(in: 0...64, using: &random)
                candidate = (0..<count).map { _ in .random(in: 0...255, using: &random) }
            } else {
                candidate = seeds[round % 2]
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<candidate.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: candidate[place] = .random(in: 0...255, using: &random)
                    case 1: candidate[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    default: candidate.removeLast(min(4, candidate.count - 1))
                    }
                }
            }
            guard let packet = try? OSCPacket(decoding: candidate) else { continue }
            accepted += 1
            // A packet that was read and written again is read as the same packet. Arrays, symbols and missing type
            // tags are written in another form.
            let again = try? OSCPacket(decoding: packet.encoded())
            #expect(again?.encoded() == packet.encoded())
        }
        #expect(accepted > 1000)
    }
}
