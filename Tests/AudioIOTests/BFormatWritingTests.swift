import CSndFile
import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// B-format files of this program, read by libsndfile itself.
@Suite struct BFormatWritingTests {
    private func write(_ path: String, channels: Int, encoding: SampleEncoding, isBFormat: Bool = true) throws {
        let block = PlanarBlock(channels: channels, frames: 1001)
        fillWithNoise(block)
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio, encoding: encoding, isBFormat: isBFormat)
        try writer.write(block, frames: 1001)
        try writer.finish()
    }

    @Test(arguments: [4, 9, 16], [SampleEncoding.pcm16, .pcm24, .pcm32, .float32, .float64])
    func `libsndfile and this program take the header for B-format`(_ channels: Int, _ encoding: SampleEncoding) throws
    {
        let scratch = try Scratch()
        try write(scratch("field.amb"), channels: channels, encoding: encoding)
        var info = SF_INFO()
        let file = try #require(sf_open(scratch("field.amb"), Int32(SFM_READ), &info))
        defer { sf_close(file) }
        #expect(sf_command(file, Int32(SFC_WAVEX_GET_AMBISONIC), nil, 0) == Int32(SF_AMBISONIC_B_FORMAT))
        #expect(info.channels == Int32(channels) && info.frames == 1001)
        #expect(info.format & Int32(SF_FORMAT_TYPEMASK) == Int32(SF_FORMAT_WAVEX))
        let reader = try SoundFileReader(path: scratch("field.amb"))
        #expect(reader.isBFormat && reader.channelPositions == nil)
        let head = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch("field.amb"))).prefix(4))
        #expect(head == Array("RIFF".utf8))
    }

    @Test func `Other sound is refused, and leaves nothing`() throws {
        let scratch = try Scratch()
        for (channels, isBFormat) in [(4, false), (5, true), (25, true), (2, true)] {
            #expect(throws: SoundFileError.self) {
                try write(scratch("x.amb"), channels: channels, encoding: .float32, isBFormat: isBFormat)
            }
        }
        #expect(scratch.contents.isEmpty)
    }
}
