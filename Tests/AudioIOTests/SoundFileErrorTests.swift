import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

@Suite struct SoundFileErrorTests {
    private let rate = SampleRate.studio

    private func reading(_ path: String) -> SoundFileError? {
        do {
            _ = try SoundFileReader(path: path)
            return nil
        } catch { return error }
    }

    private func writing(_ path: String, channels: Int = 2, _ encoding: SampleEncoding? = nil) -> SoundFileError? {
        do {
            _ = try SoundFileWriter(path: path, channels: channels, sampleRate: rate, encoding: encoding)
            return nil
        } catch { return error }
    }

    @Test func whatCannotBeReadIsSaidInPlainWords() throws {
        let scratch = try Scratch()
        #expect(reading(scratch("no.wav")) == .missing(path: scratch("no.wav")))
        #expect(reading(scratch.path) == .notAFile(path: scratch.path))
        #expect(reading("/dev/zero") == .notAFile(path: "/dev/zero"))
        try Data().write(to: URL(fileURLWithPath: scratch("empty.wav")))
        #expect(reading(scratch("empty.wav")) == .noBytes(path: scratch("empty.wav")))
        try Data("<html><body>404</body></html>".utf8).write(to: URL(fileURLWithPath: scratch("page.wav")))
        guard case .notSound = reading(scratch("page.wav")) else {
            Issue.record("a web page was taken for sound")
            return
        }
        let writer = try SoundFileWriter(path: scratch("zero.wav"), channels: 2, sampleRate: rate)
        try writer.finish()
        #expect(reading(scratch("zero.wav")) == .empty(path: scratch("zero.wav")))
    }

    /// First bytes of files as ffmpeg 5.1 and Dolby's encoders write them.
    @Test(
        arguments: [
            ("E-AC-3", [0x0B, 0x77, 0x02, 0xFF, 0x3F, 0x86, 0xFF, 0xFF]),
            ("AC-3", [0x0B, 0x77, 0x8A, 0x5A, 0x1C, 0x40, 0xE1, 0xDC]),
            ("TrueHD", [0x13, 0xF8, 0x84, 0xCC, 0xF8, 0x72, 0x6F, 0xBA]),
            ("DTS", [0x7F, 0xFE, 0x80, 0x01, 0xFC, 0x3C, 0x7F, 0xF0]),
            ("MP4", [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70]),
            ("Matroska or WebM", [0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0]),
            ("WavPack", [0x77, 0x76, 0x70, 0x6B, 0x24, 0x10, 0, 0]),
            ("DSF", [0x44, 0x53, 0x44, 0x20, 0x1C, 0, 0, 0]), ("DSDIFF", [0x46, 0x52, 0x4D, 0x38, 0, 0, 0, 0]),
            ("Windows Media (ASF)", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
            ("True Audio", [0x54, 0x54, 0x41, 0x31, 1, 0, 2, 0]),
            ("Monkey's Audio", [0x4D, 0x41, 0x43, 0x20, 0x96, 0x0F, 0, 0]),
            ("AAC (ADTS)", [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC, 0x21]),
        ] as [(String, [UInt8])])
    func whatOnlyFFmpegReadsIsPointedThere(_ name: String, _ head: [UInt8]) throws {
        let scratch = try Scratch()
        try Data(head + [UInt8](repeating: 0, count: 4096)).write(to: URL(fileURLWithPath: scratch("it's film.x")))
        let error = try #require(reading(scratch("it's film.x")))
        #expect(error == .foreign(path: scratch("it's film.x"), format: name))
        #expect("\(error)".contains("ffmpeg -i '\(scratch.path)/it'\\''s film.x' -c:a pcm_f32le"), "\(error)")
        #expect("\(error)".hasSuffix("/it'\\''s film.wav'"))
    }

    @Test func aDashIsNoTake() {
        #expect(throws: SoundFileError.standardStream) {
            try SoundFileWriter(path: "-", channels: 2, sampleRate: .studio, asTake: true)
        }
    }

    @Test func whatCannotBeWrittenIsSaidInPlainWords() throws {
        let scratch = try Scratch()
        #expect(writing(scratch("x.mp9")) == .unknownFormat(path: scratch("x.mp9"), known: SoundFileFormat.extensions))
        #expect(writing(scratch("no/x.wav")) == .noFolder(path: scratch("no/x.wav")))
        #expect(writing(scratch.path) == .notAFile(path: scratch.path))
        guard case .unsupportedEncoding = writing(scratch("x.flac"), .float32) else {
            Issue.record("FLAC has no floating point")
            return
        }
        guard case .unsupportedEncoding = writing(scratch("x.flac"), channels: 12) else {
            Issue.record("FLAC has at most 8 channels")
            return
        }
        // The error names the encoding or the channel count, whichever is unsupported.
        for encoding in [SampleEncoding.float32, .float64, .pcm32] {
            let words = writing(scratch("x.flac"), encoding)?.description ?? ""
            #expect(words.contains("it holds no samples of \(encoding.words); take --bits 8, 16, 24, or write .wav"))
            #expect(!words.contains("channels"), "\(words)")
        }
        #expect(writing(scratch("x.flac"), channels: 12)?.description.contains("not for 12 channels") == true)
        #expect(scratch.contents.isEmpty)
    }

    @Test func aDroppedWriterLeavesNothingAndKeepsTheOldFile() throws {
        let scratch = try Scratch()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch("x.wav")))
        do {
            let writer = try SoundFileWriter(path: scratch("x.wav"), channels: 2, sampleRate: rate, replaces: true)
            try writer.write(PlanarBlock(channels: 2, frames: 100), frames: 100)
            #expect(scratch.contents.count == 2)
        }
        #expect(scratch.contents == ["x.wav"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("x.wav"))) == Data("old".utf8))
    }

    @Test func aLinkIsFollowedNotReplaced() throws {
        let scratch = try Scratch()
        try Data("old".utf8).write(to: URL(fileURLWithPath: scratch("real.wav")))
        try FileManager.default.createSymbolicLink(
            atPath: scratch("link.wav"), withDestinationPath: scratch("real.wav"))
        let writer = try SoundFileWriter(path: scratch("link.wav"), channels: 1, sampleRate: rate, replaces: true)
        try writer.write(PlanarBlock(channels: 1, frames: 7), frames: 7)
        try writer.finish()
        #expect(try SoundFileReader(path: scratch("real.wav")).frameCount == 7)
        #expect(Set(scratch.contents) == ["real.wav", "link.wav"])
    }

    @Test func aFullDiskIsAnErrorAtTheBlockThatDoesNotFit() throws {
        // /dev/full answers every write with ENOSPC. It is a device, which must be neither renamed nor removed.
        let error = #expect(throws: SoundFileError.self) {
            let writer = try SoundFileWriter(path: "/dev/full", channels: 2, sampleRate: SampleRate.studio)
            let block = PlanarBlock(channels: 2, frames: 4096)
            for _ in 0..<64 { try writer.write(block, frames: 4096) }
            try writer.finish()
        }
        guard case .diskFull(_, _, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "No space left on device")
        #expect(FileManager.default.fileExists(atPath: "/dev/full"))
    }

    @Test func givingUpLeavesNothingAndEndsTheWriter() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 4096)
        let writer = try SoundFileWriter(path: scratch("big.wav"), channels: 2, sampleRate: rate)
        try writer.write(block, frames: 4096)
        writer.discard()
        #expect(scratch.contents.isEmpty)
        #expect(throws: SoundFileError.cancelled) { try writer.write(block, frames: 1) }
    }
}
