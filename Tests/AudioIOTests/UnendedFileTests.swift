import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// Sound files whose header has no length, or has the length in the wrong field.
@Suite("Files of unsaid length") struct UnendedFileTests {
    /// Count of stereo frames of 16 bits; the samples count up.
    private static let frames = 1000
    /// Returns the sound, and the first byte of a frame that the recorder was writing.
    private static func sound(big: Bool = false) -> [UInt8] {
        (0..<(2 * frames)).flatMap { number(8 * $0, 2, big: big) } + [1]
    }

    private static func number(_ value: Int, _ count: Int = 4, big: Bool = false) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return big ? little.reversed() : little
    }

    private static func format(big: Bool = false) -> [UInt8] {
        [(1, 2), (2, 2), (48_000, 4), (192_000, 4), (4, 2), (16, 2)].flatMap { number($0.0, $0.1, big: big) }
    }

    /// Returns a RIFF file with the given sizes.
    private static func riff(_ whole: Int, data: Int, big: Bool = false) -> [UInt8] {
        Array((big ? "RIFX" : "RIFF").utf8) + number(whole, big: big) + Array("WAVEfmt ".utf8) + number(16, big: big)
            + format(big: big) + Array("data".utf8) + number(data, big: big) + sound(big: big)
    }

    /// Returns an RF64 or BW64 file with the given sizes.
    private static func long(_ name: String, whole: Int, sound size: Int, data: Int) -> [UInt8] {
        let sizes = number(whole, 8) + number(size, 8) + number(size / 4, 8) + number(0)
        return Array(name.utf8) + number(-1) + Array("WAVEds64".utf8) + number(28) + sizes + Array("fmt ".utf8)
            + number(16) + format() + Array("data".utf8) + number(data) + sound()
    }

    private static var aiff: [UInt8] {
        let rate: [UInt8] = [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
        return Array("FORM".utf8) + number(0) + Array("AIFFCOMM".utf8) + number(18, big: true)
            + number(2, 2, big: true) + number(0) + number(16, 2, big: true) + rate + Array("SSND".utf8) + number(0)
            + number(0, 8) + sound(big: true)
    }

    private static func caf(data: Int) -> [UInt8] {
        let rate = withUnsafeBytes(of: 48_000.0.bitPattern.bigEndian) { Array($0) }
        let numbers = [0, 4, 1, 2, 16].flatMap { number($0, big: true) }
        return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + number(32, 8, big: true) + rate
            + Array("lpcm".utf8) + numbers + Array("data".utf8) + number(data, 8) + number(0) + sound(big: true)
    }

    private func expect(_ bytes: [UInt8], isUnended: Bool, _ name: String) throws {
        let scratch = try Scratch()
        let path = scratch("take.wav")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let reader: SoundFileReader
        do { reader = try SoundFileReader(path: path) } catch {
            Issue.record("\(name): \(error)")
            return
        }
        #expect(reader.frameCount == Self.frames && reader.channelCount == 2, "\(name): \(reader.frameCount) frames")
        #expect(reader.length.missingFrames == 0 && reader.length.isUnended == isUnended, "\(name)")
        let remark = reader.lengthRemark
        #expect((remark?.contains("the header declares no length") == true) == isUnended, "\(name)")
        #expect(isUnended || remark == nil, "\(name): \(remark ?? "")")
        #expect(reader.metadata.otherChunks.isEmpty, "\(name)")
        let heard = try WholeSound.read(path)
        for frame in [0, 1, Self.frames - 1] {
            #expect(heard[1][frame] == Float(8 * (2 * frame + 1)) / 32_768, "\(name), frame \(frame)")
        }
        // A take that was cut off is not whole.
        #expect((CutOffTake.whole(path) == nil) == isUnended, "\(name)")
    }

    @Test("a file without a length is read to its end, and this is said") func cutOff() throws {
        try expect(Self.riff(0, data: 0), isUnended: true, "sizes 0")
        try expect(Self.riff(36, data: 0), isUnended: true, "the header's own size")
        try expect(Self.riff(-1, data: 0), isUnended: true, "no size of the whole")
        try expect(Self.riff(0, data: 0, big: true), isUnended: true, "RIFX")
        // sox, with frames of four and six bytes, and arecord.
        for size in [0x7FFF_F000, 0x7FFF_EFFC, 0x7FFF_FF00] {
            try expect(Self.riff(size + 36, data: size), isUnended: true, "placeholder \(size)")
        }
        for name in ["RF64", "BW64"] {
            try expect(Self.long(name, whole: 0, sound: 0, data: -1), isUnended: true, name)
            try expect(Self.long(name, whole: 72, sound: 0, data: 0), isUnended: true, name)
        }
        // −1 is the format's value for "up to the end of the file", which libsndfile refuses.
        try expect(Self.caf(data: -1), isUnended: false, "CAF, −1")
        try expect(Self.caf(data: 0), isUnended: true, "CAF")
        try expect(Self.aiff, isUnended: true, "AIFF")
    }

    @Test("a WAV beyond 4 GB without a length is read to its end, and this is said") func beyondFourGigabytes() throws {
        let scratch = try Scratch()
        let path = scratch("take.wav")
        try Data(Self.riff(0, data: 0)).write(to: URL(fileURLWithPath: path))
        try #require(truncate(path, 5 << 30) == 0)
        let reader = try SoundFileReader(path: path)
        #expect(reader.length.isUnended && reader.length.missingFrames == 0)
        #expect(abs(reader.frameCount - 5 << 28) < 100)
        let remark = reader.lengthRemark ?? ""
        #expect(remark.contains("file is read to its end, 27962."), "\(remark)")
    }

    @Test("the size in ds64 counts, whatever the chunk of sound says", arguments: ["RF64", "BW64"])
    func longSizes(_ name: String) throws {
        let size = 4 * Self.frames
        for data in [0x00FF_FFFF, 0, 1, size, -1] {
            try expect(Self.long(name, whole: size + 72, sound: size, data: data), isUnended: false, "\(name), \(data)")
        }
        // Where ds64 has no size, the size of the data chunk counts.
        try expect(Self.long(name, whole: 0, sound: 0, data: size), isUnended: false, "\(name), no long size")
    }

    @Test("a file without sound stays one, whatever chunks follow") func empty() throws {
        let scratch = try Scratch()
        let list = Array("LIST".utf8) + Self.number(4) + Array("INFO".utf8)
        let riff = Array("RIFF".utf8) + Self.number(36 + list.count) + Array("WAVEfmt ".utf8) + Self.number(16)
        let bytes = riff + Self.format() + Array("data".utf8) + Self.number(0) + list
        try Data(bytes).write(to: URL(fileURLWithPath: scratch("a.wav")))
        #expect(throws: SoundFileError.empty(path: scratch("a.wav"))) { try SoundFileReader(path: scratch("a.wav")) }
    }
}
