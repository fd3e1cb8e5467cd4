import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// Fills a block with reproducible noise, `[channel][frame]`, within ±0.5.
func fillWithNoise(_ block: borrowing PlanarBlock, seed: UInt64 = 1) {
    var state = seed
    for channel in 0..<block.channelCount {
        for i in 0..<block.frameCapacity {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            block[channel][i] = Float(Int32(truncatingIfNeeded: state >> 33)) / Float(Int32.max) - 0.5
        }
    }
}

@Suite struct SoundFileTests {
    private let rate = SampleRate.studio

    @Test(arguments: [
        ("a.wav", SampleEncoding?.none, Float(0)), ("a.wav", .float64, 0), ("a.wav", .pcm24, 1.3e-7),
        ("a.wav", .pcm16, 3.2e-5), ("a.w64", nil, 0), ("a.caf", nil, 0), ("a.aiff", nil, 0), ("a.flac", nil, 1.3e-7),
        ("noextension", nil, 0), ("A.WAV", nil, 0),
    ])
    func whatIsWrittenIsReadAgain(name: String, encoding: SampleEncoding?, tolerance: Float) throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 6, frames: 10_007)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: scratch(name), channels: 6, sampleRate: rate, encoding: encoding)
        try writer.write(block, frames: 5000)
        try writer.write(block, from: 5000, frames: 5007)
        #expect(!FileManager.default.fileExists(atPath: scratch(name)), "only a complete file has the name")
        try writer.finish()
        #expect(scratch.contents == [name])

        let reader = try SoundFileReader(path: scratch(name))
        #expect(reader.frameCount == 10_007 && reader.channelCount == 6 && reader.sampleRate == rate)
        let read = PlanarBlock(channels: 6, frames: 10_007)
        #expect(try reader.read(into: read, frames: 1) == 1)
        #expect(try reader.read(into: read, at: 1, frames: 10_006) == 10_006)
        #expect(try reader.read(into: read, frames: 10) == 0)
        var worst: Float = 0
        for channel in 0..<6 { for i in 0..<10_007 { worst = max(worst, abs(read[channel][i] - block[channel][i])) } }
        #expect(worst <= tolerance)
    }

    @Test func equalSoundMakesEqualFiles() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 1000)
        fillWithNoise(block)
        let kinds = ["wav", "rf64", "bw64", "w64", "caf", "aiff"]
        for name in ["1", "2"] {
            for kind in kinds {
                let writer = try SoundFileWriter(path: scratch("\(name).\(kind)"), channels: 2, sampleRate: rate)
                try writer.write(block, frames: 1000)
                try writer.finish()
            }
            // Some chunks store the time in whole seconds.
            usleep(1_100_000)
        }
        var files: [Data] = []
        for kind in kinds {
            files = try ["1", "2"].map { try Data(contentsOf: URL(fileURLWithPath: scratch("\($0).\(kind)"))) }
            #expect(files[0] == files[1], "\(kind)")
        }
        files = [try Data(contentsOf: URL(fileURLWithPath: scratch("1.wav")))]
        #expect(files[0].prefix(4) == Data("RIFF".utf8), "a small file is a plain WAV")
    }

    @Test func rf64IsReadAsAnyOther() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 100)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: scratch("long.rf64"), channels: 2, sampleRate: rate)
        try writer.write(block, frames: 100)
        try writer.finish()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch("long.rf64")))
        #expect(bytes.prefix(4) == Data("RF64".utf8))
        let reader = try SoundFileReader(path: scratch("long.rf64"))
        let read = PlanarBlock(channels: 2, frames: 100)
        #expect(try reader.read(into: read, frames: 100) == 100)
        #expect(read[1][99] == block[1][99])
    }

    /// Writes over 4 GB; `make soak` enables it.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] != nil, "four gigabytes belong to the long form")
    )
    func beyondFourGigabytesAWavBecomesRF64() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 64, frames: 1 << 16)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: scratch("long.wav"), channels: 64, sampleRate: rate)
        for _ in 0..<260 { try writer.write(block, frames: 1 << 16) }
        try writer.finish()
        let handle = try #require(FileHandle(forReadingAtPath: scratch("long.wav")))
        #expect(try handle.read(upToCount: 4) == Data("RF64".utf8))
        let reader = try SoundFileReader(path: scratch("long.wav"))
        #expect(reader.frameCount == 260 << 16)
        try reader.seek(to: (260 << 16) - 1)
        let read = PlanarBlock(channels: 64, frames: 1)
        #expect(try reader.read(into: read, frames: 1) == 1)
        #expect(read[63][0] == block[63][(1 << 16) - 1])
    }

    @Test func wholeNumbersClipInsteadOfWrapping() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 1, frames: 2)
        (block[0][0], block[0][1]) = (3, -3)
        let writer = try SoundFileWriter(path: scratch("x.wav"), channels: 1, sampleRate: rate, encoding: .pcm16)
        try writer.write(block, frames: 2)
        try writer.finish()
        let read = PlanarBlock(channels: 1, frames: 2)
        _ = try SoundFileReader(path: scratch("x.wav")).read(into: read, frames: 2)
        #expect(read[0][0] > 0.999 && read[0][1] == -1)
    }

    @Test func channelMasksAreReadAndWritten() throws {
        let scratch = try Scratch()
        let positions: [UInt32] = [1, 2, 4, 8, 0x200, 0x400, 0x1000, 0x4000]
        for name in ["m.wav", "m.caf"] {
            let writer = try SoundFileWriter(
                path: scratch(name), channels: 8, sampleRate: rate, channelPositions: positions)
            try writer.write(PlanarBlock(channels: 8, frames: 4), frames: 4)
            try writer.finish()
        }
        #expect(try SoundFileReader(path: scratch("m.wav")).header.channelPositions == positions)
        // All 16 channels of 9.1.6; two of their mask bits are unknown to libsndfile.
        let mask: UInt32 = 0xC0000 | 0x2F6FF & ~0x100 & ~0x2000 & ~0x10000
        try wave(channels: 16, mask: mask).write(to: URL(fileURLWithPath: scratch("916.wav")))
        let found = try #require(try SoundFileReader(path: scratch("916.wav")).header.channelPositions)
        #expect(found.count == 16 && found == found.sorted() && found.last == 0x80000)
        try wave(channels: 6, mask: 0).write(to: URL(fileURLWithPath: scratch("none.wav")))
        #expect(try SoundFileReader(path: scratch("none.wav")).header.channelPositions == nil)
    }

    @Test func codecsWithAnOrderOfTheirOwnSaySo() throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("s.flac"), channels: 6, sampleRate: rate)
        try writer.write(PlanarBlock(channels: 6, frames: 100), frames: 100)
        try writer.finish()
        #expect(try SoundFileReader(path: scratch("s.flac")).header.channelPositions == [1, 2, 4, 8, 0x10, 0x20])
    }

    /// Returns a WAVE_FORMAT_EXTENSIBLE file of 10 frames of silence, 32-bit float.
    private func wave(channels: UInt16, mask: UInt32, promisedFrames: UInt32 = 10) -> Data {
        func little<T: FixedWidthInteger>(_ value: T) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
        let frameBytes = UInt32(channels) * 4
        let subformat: [UInt8] = [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        var format = little(UInt16(0xFFFE)) + little(channels) + little(UInt32(48_000))
        format += little(48_000 * frameBytes) + little(UInt16(frameBytes)) + little(UInt16(32))
        format += little(UInt16(22)) + little(UInt16(32)) + little(mask) + Data(subformat)
        var body = Data("WAVEfmt ".utf8) + little(UInt32(format.count)) + format
        body += Data("data".utf8) + little(promisedFrames * frameBytes) + Data(count: Int(10 * frameBytes))
        return Data("RIFF".utf8) + little(UInt32(body.count)) + body
    }
}
