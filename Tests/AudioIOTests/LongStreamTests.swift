import Foundation
import Glibc
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// WAVE files of more than 4 GB, as programs write them into pipes, and conversion of rates.
@Suite struct LongStreamTests {
    /// Makes a sparse file of `bytes` of silence, whose last frame is 1 and −1; its size fields contain `said`.
    private func make(_ path: String, bytes: Int, said: UInt32) throws {
        func number(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        var head = Array("RIFF".utf8) + number(said) + Array("WAVEfmt ".utf8) + number(UInt32(16))
        head += number(UInt16(3)) + number(UInt16(2)) + number(UInt32(48_000)) + number(UInt32(384_000))
        head += number(UInt16(8)) + number(UInt16(32)) + Array("data".utf8) + number(said)
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        try #require(descriptor >= 0 && pwrite(descriptor, head, head.count, 0) == head.count)
        let last = number(Float(1).bitPattern) + number(Float(-1).bitPattern)
        try #require(pwrite(descriptor, last, 8, off_t(head.count + bytes - 8)) == 8)
    }

    /// An earlier version removed a render whose markers had no room below 4 GB.
    @Test(arguments: [false, true]) func markersWithoutRoomBelow4GBAreLeftOut(isTake: Bool) throws {
        let scratch = try Scratch()
        try make(scratch("full.wav"), bytes: 0xFFFF_FFC0, said: 0xFFFF_FFC0)
        let rest = HeaderRest(
            format: .wav, channelPositions: nil, channelCount: 2, markers: [SoundFileMarker(frame: 1, name: "one")],
            isTake: isTake)
        #expect(try !rest.write(to: scratch("full.wav")))
        let reader = try SoundFileReader(path: scratch("full.wav"))
        #expect(reader.frameCount == 0xFFFF_FFC0 / 8 && reader.length.missingFrames == 0)
    }

    @Test(arguments: [0xFFFF_FFFF, 0, 0x7FFF_FFFF] as [UInt32])
    func soundBeyond4GBIsReadToItsEnd(_ said: UInt32) throws {
        let scratch = try Scratch()
        let frames = 600_000_000
        try make(scratch("long.wav"), bytes: 8 * frames, said: said)
        let reader = try SoundFileReader(path: scratch("long.wav"))
        #expect(reader.frameCount == frames && reader.channelCount == 2 && reader.sampleRate == .studio)
        #expect(reader.length.missingFrames == 0)
        try reader.seek(to: frames - 2)
        let block = PlanarBlock(channels: 2, frames: 4)
        #expect(try reader.read(into: block, frames: 4) == 2)
        #expect(block[0][0] == 0 && block[0][1] == 1 && block[1][1] == -1)
    }

    /// sox and arecord state these sizes when they write to a pipe.
    @Test(arguments: [0x7FFF_F000, 0x7FFF_FF00, 0x7FFF_FFFF] as [UInt32])
    func `Sound of more than 2 GB behind a placeholder is read to its end`(_ said: UInt32) throws {
        let scratch = try Scratch()
        let frames = 375_000_000
        try make(scratch("long.wav"), bytes: 8 * frames, said: said)
        let reader = try SoundFileReader(path: scratch("long.wav"))
        #expect(reader.frameCount == frames && reader.length.missingFrames == 0 && reader.length.isUnended)
        try reader.seek(to: frames - 1)
        let block = PlanarBlock(channels: 2, frames: 2)
        #expect(try reader.read(into: block, frames: 2) == 1)
        #expect(block[0][0] == 1 && block[1][0] == -1)
    }

    @Test func `A placeholder that equals the size of the sound counts as its declared size`() throws {
        let scratch = try Scratch()
        try make(scratch("long.wav"), bytes: 0x7FFF_8000, said: 0x7FFF_8000)
        let reader = try SoundFileReader(path: scratch("long.wav"))
        #expect(reader.frameCount == 0x7FFF_8000 / 8 && reader.length.missingFrames == 0 && !reader.length.isUnended)
    }

    @Test(arguments: [(44_100.0, 48_000.0), (96_000.0, 44_100.0), (48_000.0, 192_000.0)])
    func aToneKeepsItsSamplesAtAnotherRate(_ from: Double, _ to: Double) throws {
        let scratch = try Scratch()
        let rate = try #require(SampleRate(hertz: from))
        let frames = Int(from)
        let block = PlanarBlock(channels: 2, frames: frames)
        func tone(_ i: Int, _ rate: Double) -> Double { 0.5 * sin(2 * .pi * 997 * Double(i) / rate) }
        for i in 0..<frames { (block[0][i], block[1][i]) = (Float(tone(i, from)), Float(-tone(i, from))) }
        let writer = try SoundFileWriter(
            path: scratch("in.wav"), channels: 2, sampleRate: rate,
            metadata: {
                var metadata = SoundFileMetadata()
                metadata.markers = [.init(frame: frames / 2, name: "half")]
                return metadata
            }())
        try writer.write(block, frames: frames)
        try writer.finish()
        let reader = try SoundFileReader(path: scratch("in.wav"))
        try reader.convert(to: try #require(SampleRate(hertz: to)))
        #expect(reader.frameCount == Int(to) && reader.metadata.markers.first?.frame == Int(to) / 2)
        let out = PlanarBlock(channels: 2, frames: Int(to))
        // Reading in pieces of odd lengths gives the same samples as reading at once.
        var done = 0
        while done < reader.frameCount {
            let count = try reader.read(into: out, at: done, frames: min(777, reader.frameCount - done))
            try #require(count > 0)
            done += count
        }
        var worst = 0.0
        for i in Int(to) / 10..<Int(to) * 9 / 10 { worst = max(worst, abs(Double(out[0][i]) - tone(i, to))) }
        #expect(20 * log10(worst / 0.5) < -120)
        #expect((0..<Int(to)).allSatisfy { out[0][$0] == -out[1][$0] })
        try reader.seek(to: 0)
        let again = PlanarBlock(channels: 2, frames: Int(to))
        #expect(try reader.read(into: again, frames: Int(to)) == Int(to))
        #expect((0..<Int(to)).allSatisfy { again[0][$0] == out[0][$0] })
    }

    @Test func samplesThatAreNoNumbersAreCountedBeforeAConversion() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 1, frames: 4800)
        for i in 0..<4800 { block[0][i] = i == 1000 ? .nan : 0.25 }
        let writer = try SoundFileWriter(path: scratch("in.wav"), channels: 1, sampleRate: .studio)
        try writer.write(block, frames: 4800)
        try writer.finish()
        let reader = try SoundFileReader(path: scratch("in.wav"))
        try reader.convert(to: .cd)
        let out = PlanarBlock(channels: 1, frames: 4410)
        #expect(try reader.read(into: out, frames: 4410) == 4410)
        #expect(reader.convertedRefusals == 1 && (0..<4410).allSatisfy { out[0][$0].isFinite })
    }
}
