import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

@Suite struct SoundFileMetadataTests {
    private let rate = SampleRate.studio

    private var metadata: SoundFileMetadata {
        var metadata = SoundFileMetadata()
        metadata.texts = [.title: "Überfahrt", .artist: "Quartett", .date: "2026", .comment: "take 3", .album: "Rides"]
        metadata.markers = [.init(frame: 100, name: "verse"), .init(frame: 480), .init(frame: 900, name: "end")]
        return metadata
    }

    private func write(_ path: String, _ metadata: SoundFileMetadata, channels: Int = 2, frames: Int = 1001) throws {
        let block = PlanarBlock(channels: channels, frames: frames)
        fillWithNoise(block)
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: rate, encoding: path.hasSuffix("8.wav") ? .pcm8 : nil,
            metadata: metadata)
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    @Test(arguments: ["a.wav", "8.wav", "a.rf64", "a.bw64", "a.caf", "a.aiff", "a.flac", "a.w64"])
    func whatAFormatHoldsIsReadAgainAndTheRestIsNamed(_ name: String) throws {
        let scratch = try Scratch()
        let format = try #require(SoundFileFormat(path: name))
        try write(scratch(name), metadata)
        let reader = try SoundFileReader(path: scratch(name))
        #expect(reader.frameCount == 1001 && reader.length.missingFrames == 0)
        let lost = metadata.losses(in: format)
        for (text, value) in metadata.texts {
            #expect(reader.metadata.texts[text] == (lost.contains("\(text)") ? nil : value), "\(text)")
        }
        #expect(reader.metadata.markers == (lost.contains("3 markers") ? [] : metadata.markers))
        let block = PlanarBlock(channels: 2, frames: 1001)
        #expect(try reader.read(into: block, frames: 1001) == 1001)
    }

    @Test(arguments: ["a.wav", "8.wav", "a.rf64", "a.bw64", "a.aiff"], [1, 2])
    func `The header has the file's size, also with markers behind the sound`(name: String, channels: Int) throws {
        let scratch = try Scratch()
        try write(scratch(name), metadata, channels: channels)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch(name))))
        let four = Array(bytes[4..<8])
        let size =
            switch String(decoding: bytes[0..<4], as: UTF8.self) {
            case "RIFF": four.reversed().reduce(0) { $0 << 8 | Int($1) }
            case "FORM": four.reduce(0) { $0 << 8 | Int($1) }
            // The size is the first number of the chunk ds64, which follows the form's name.
            default: bytes[20..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
        #expect(size == bytes.count - 8)
    }

    @Test func aBW64FileSaysSoAndReadsAsAnyOther() throws {
        let scratch = try Scratch()
        try write(scratch("a.bw64"), SoundFileMetadata(), channels: 6)
        let head = try Data(contentsOf: URL(fileURLWithPath: scratch("a.bw64"))).prefix(4)
        #expect(head == Data("BW64".utf8))
        let read = PlanarBlock(channels: 6, frames: 1001)
        let wanted = PlanarBlock(channels: 6, frames: 1001)
        fillWithNoise(wanted)
        #expect(try SoundFileReader(path: scratch("a.bw64")).read(into: read, frames: 1001) == 1001)
        for channel in 0..<6 { for i in 0..<1001 { #expect(read[channel][i] == wanted[channel][i]) } }
    }

    @Test func aBroadcastExtensionIsKeptAndItsLoudnessForgottenForOtherSound() throws {
        let scratch = try Scratch()
        // EBU Tech 3285: 602 bytes precede the coding history; the version (2) is at byte 346, the loudness value (−23
        // LUFS) at 412.
        var extensionChunk = [UInt8](repeating: 0, count: 602)
        for (i, byte) in "Take 3 of the crossing".utf8.enumerated() { extensionChunk[i] = byte }
        (extensionChunk[338], extensionChunk[346]) = (0x10, 2)
        // The unique material identifier (UMID), 64 bytes at 348.
        for i in 0..<32 { extensionChunk[348 + i] = UInt8(i + 1) }
        let loudness = Int16(-2300).littleEndian
        withUnsafeBytes(of: loudness) { (extensionChunk[412], extensionChunk[413]) = ($0[0], $0[1]) }
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let format: [UInt8] = [1, 0, 1, 0] + little(48_000) + little(96_000) + [2, 0, 16, 0]
        let body =
            Array("WAVEfmt ".utf8) + little(16) + format + Array("bext".utf8) + little(602) + extensionChunk
            + Array("data".utf8) + little(20) + [UInt8](repeating: 1, count: 20)
        let bytes = Array("RIFF".utf8) + little(body.count) + body
        try Data(bytes).write(to: URL(fileURLWithPath: scratch("in.wav")))

        let reader = try SoundFileReader(path: scratch("in.wav"))
        #expect(reader.metadata.broadcast != nil)
        let identifier = Data((0..<64).map { $0 < 32 ? UInt8($0 + 1) : 0 })
        try write(scratch("same.wav"), reader.metadata)
        try write(scratch("other.rf64"), reader.metadata.forOtherSound)
        for (name, wanted) in [("same.wav", Int16(-2300)), ("other.rf64", 0x7FFF)] {
            let kept = try #require(FileChunks(descriptor: try descriptor(scratch(name)))?["bext"])
            let content = try Data(contentsOf: URL(fileURLWithPath: scratch(name)))
            #expect(content[kept.offset..<(kept.offset + 22)] == Data("Take 3 of the crossing".utf8))
            #expect(content[kept.offset + 338] == 0x10, "time reference")
            let found = content[(kept.offset + 348)..<(kept.offset + 412)]
            // SMPTE ST 330: the UMID has its label, length 0x13, instance 0 and a unique number.
            #expect((found == identifier) == (name == "same.wav"))
            if name != "same.wav" {
                #expect(found.prefix(4) == Data([0x06, 0x0A, 0x2B, 0x34]) && found[found.startIndex + 12] == 0x13)
                #expect(found.dropFirst(16).prefix(16).contains { $0 != 0 } && found.suffix(32).allSatisfy { $0 == 0 })
            }
            let low = Int16(content[kept.offset + 412])
            #expect(low | Int16(bitPattern: UInt16(content[kept.offset + 413]) << 8) == wanted, "\(name)")
        }
    }

    /// The pad byte that follows a chunk of odd size, before and behind the sound, in files of any length.
    @Test(arguments: ["RIFF", "RF64", "BW64"])
    func chunksOfOddSizeAreSteppedOverAndNamed(_ form: String) throws {
        let scratch = try Scratch()
        func little(_ number: Int, _ bytes: Int = 4) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
        }
        let sound = (0..<40).flatMap { little($0 * 100, 2) }
        let format: [UInt8] = [1, 0, 1, 0] + little(48_000) + little(96_000) + [2, 0, 16, 0]
        let rest =
            chunk("iXML", Array("<BWFXML/>".utf8)) + chunk("fmt ", format) + chunk("cart", [1, 2, 3])
            + chunk("data", sound) + chunk("iXML", [65])
        let sizes =
            form == "RIFF" ? [] : chunk("ds64", little(rest.count + 40, 8) + little(80, 8) + little(40, 8) + little(0))
        let body = Array("WAVE".utf8) + sizes + rest
        let length = form == "RIFF" ? little(body.count) : [0xFF, 0xFF, 0xFF, 0xFF]
        try Data(Array(form.utf8) + length + body).write(to: URL(fileURLWithPath: scratch("odd.wav")))
        let reader = try SoundFileReader(path: scratch("odd.wav"))
        #expect(reader.frameCount == 40 && reader.metadata.otherChunks == ["iXML", "cart"])
        let block = PlanarBlock(channels: 1, frames: 40)
        #expect(try reader.read(into: block, frames: 40) == 40)
        for i in 0..<40 { #expect(block[0][i] == Float(i * 100) / 32_768) }
    }

    /// Returns a descriptor that stays open to the end of the test.
    private func descriptor(_ path: String) throws -> Int32 {
        let found = open(path, O_RDONLY)
        try #require(found >= 0)
        return found
    }

    @Test(arguments: ["a.wav", "a.rf64", "a.bw64", "a.aiff", "a.caf"])
    func aFileThatWasCutOffSaysHowMuchIsMissing(_ name: String) throws {
        let scratch = try Scratch()
        try write(scratch(name), SoundFileMetadata(), channels: 2, frames: 1000)
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch(name)))
        // 8 bytes a frame: 250.5 frames are missing.
        try whole.dropLast(2004).write(to: URL(fileURLWithPath: scratch(name)))
        let reader = try SoundFileReader(path: scratch(name))
        #expect(reader.frameCount + reader.length.missingFrames == 1000)
        #expect((250...252).contains(reader.length.missingFrames), "\(reader.length.missingFrames)")
        let block = PlanarBlock(channels: 2, frames: 1000)
        #expect(try reader.read(into: block, frames: 1000) == reader.frameCount)
    }

    @Test(arguments: [
        [UInt32](arrayLiteral: 1, 2, 4, 8, 0x200, 0x400), [1, 2, 4, 8, 0x10, 0x20],
        [1, 2, 4, 8, 0x10, 0x20, 0x200, 0x400, 0x1000, 0x4000, 0x8000, 0x20000],
        [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x200, 0x400, 0x1000, 0x4000, 0x8000, 0x20000, 0x40000, 0x80000],
        [1, 4, 2, 0x200, 0x400, 8],
    ])
    func aCAFFileKeepsThePositionsOfItsChannelsInAnyOrder(_ positions: [UInt32]) throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: positions.count, frames: 100)
        let writer = try SoundFileWriter(
            path: scratch("a.caf"), channels: positions.count, sampleRate: rate, channelPositions: positions)
        try writer.write(block, frames: 100)
        try writer.finish()
        let reader = try SoundFileReader(path: scratch("a.caf"))
        #expect(reader.header.channelPositions == positions && reader.frameCount == 100)
    }

    @Test(arguments: [
        ("a.wav", SampleEncoding.pcm8, Float(1) / 127), ("a.caf", .pcm8, 1 / 127), ("a.wav", .float64, 0),
    ])
    func eightAndSixtyFourBitsAreReadAndWritten(name: String, encoding: SampleEncoding, tolerance: Float) throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 500)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: scratch(name), channels: 2, sampleRate: rate, encoding: encoding)
        try writer.write(block, frames: 500)
        try writer.finish()
        let read = PlanarBlock(channels: 2, frames: 500)
        #expect(try SoundFileReader(path: scratch(name)).read(into: read, frames: 500) == 500)
        for i in 0..<500 { #expect(abs(read[0][i] - block[0][i]) <= tolerance) }
    }
}
