import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// Headers with wrong lengths: for any number, the file is read to its end or refused with an error in words.
@Suite("Sound files whose headers lie") struct HostileSoundFileTests {
    private let rate = SampleRate.studio
    private static let numbers: [UInt64] = [
        1 << 63 - 1, 1 << 63 - 2, 1 << 63, .max, .max - 1, 1 << 62 + 1, 0xFFFF_FFFF, 1 << 32, 801, 799, 1, 0,
    ]

    /// Returns the bytes of a stereo file of 100 frames in a format.
    private func sound(_ name: String, _ scratch: Scratch, encoding: SampleEncoding? = nil) throws -> [UInt8] {
        let block = PlanarBlock(channels: 2, frames: 100)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: scratch(name), channels: 2, sampleRate: rate, encoding: encoding)
        try writer.write(block, frames: 100)
        try writer.finish()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch(name))))
    }

    /// Reads a file to its end. Returns the count of frames; nil where the file is refused with an error.
    private func readAll(_ path: String) -> Int? {
        do {
            let reader = try SoundFileReader(path: path)
            #expect(reader.frameCount <= SoundFileReader.mostFrames && reader.length.missingFrames >= 0)
            let block = PlanarBlock(channels: reader.channelCount, frames: 4096)
            var done = 0
            while done < 1 << 20 {
                let count = try reader.read(into: block, frames: 4096)
                if count == 0 { return done }
                done += count
            }
            Issue.record("\(path) goes on for ever")
        } catch {
            #expect(error.description.contains(path))
        }
        return nil
    }

    @Test("an RF64 or BW64 is read to its end whatever its ds64 says", arguments: ["a.rf64", "a.bw64"], numbers)
    func longSizes(_ name: String, _ number: UInt64) throws {
        let scratch = try Scratch()
        let original = try sound(name, scratch)
        let place = try #require(original.indices.first { original[$0...].starts(with: Array("ds64".utf8)) }) + 8
        // Size fields of the RIFF form, of the data chunk, and of the frame count.
        for field in 0..<3 {
            var bytes = original
            bytes.replaceSubrange(
                (place + 8 * field)..<(place + 8 * field + 8),
                with: withUnsafeBytes(of: number.littleEndian) { Array($0) })
            let data = bytes.indices.first { bytes[$0...].starts(with: Array("data".utf8)) } ?? 0
            bytes.replaceSubrange((data + 4)..<(data + 8), with: [255, 255, 255, 255])
            try Data(bytes).write(to: URL(fileURLWithPath: scratch(name)))
            let frames = readAll(scratch(name))
            if field != 1 { #expect(frames == 100) }
            if field == 1 { #expect(number > 1000 ? frames == nil || frames == 100 : (frames ?? 0) <= 100) }
        }
    }

    @Test("a chunk of any size ends the walk, and nothing else", arguments: numbers)
    func chunks(_ number: UInt64) throws {
        let scratch = try Scratch()
        for name in ["a.wav", "a.caf", "a.aiff", "a.w64"] {
            let original = try sound(name, scratch)
            let isLong = name == "a.caf" || name == "a.w64"
            for place in stride(from: 8, to: min(original.count - 8, 160), by: 2) {
                var bytes = original
                let big = name == "a.caf" || name == "a.aiff"
                let short = UInt32(truncatingIfNeeded: number)
                let field: [UInt8]
                if isLong {
                    field = withUnsafeBytes(of: big ? number.bigEndian : number.littleEndian) { Array($0) }
                } else {
                    field = withUnsafeBytes(of: big ? short.bigEndian : short.littleEndian) { Array($0) }
                }
                bytes.replaceSubrange(place..<(place + field.count), with: field)
                try Data(bytes).write(to: URL(fileURLWithPath: scratch(name)))
                if let frames = readAll(scratch(name)) { #expect(frames < 2000, "\(name), byte \(place)") }
            }
        }
    }

    @Test("a FLAC that claims 2³⁶ frames is cut off, not waited for")
    func claimedFrames() throws {
        let scratch = try Scratch()
        var bytes = try sound("a.flac", scratch)
        // STREAMINFO's 36 bits of total samples: the low four bits of byte 21 of the file, and the four bytes after it.
        bytes[21] |= 0x0F
        bytes.replaceSubrange(22..<26, with: [255, 255, 255, 255])
        try Data(bytes).write(to: URL(fileURLWithPath: scratch("a.flac")))
        #expect(readAll(scratch("a.flac")) == nil)
    }

    @Test(
        "playing begins within the file or not at all, whatever the number",
        arguments: [1e19, 1e300, .infinity, 0.0021])
    func behindTheEnd(_ seconds: Double) throws {
        let scratch = try Scratch()
        _ = try sound("a.wav", scratch)
        let error = #expect(throws: SoundFileError.self) {
            _ = try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: rate, seconds: seconds)
        }
        #expect(error?.description.contains("is 0.002 s long") == true)
    }

    @Test("a jump is held within the file, whatever the number", arguments: [1e19, -1e300, .nan, .infinity])
    func wildJumps(_ seconds: Double) throws {
        let scratch = try Scratch()
        _ = try sound("a.wav", scratch)
        let reader = try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: rate)
        reader.jump(toFile: 0, seconds: seconds)
        #expect((0...100).contains(reader.position.frame))
        reader.stop()
    }
}
