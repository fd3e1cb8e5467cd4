import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// FLAC, Vorbis, Opus and MP3 as outputs; ffmpeg's programs judge the channels.
@Suite struct CompressedOutputTests {
    private static let frames = 96_000

    /// Writes a layout's channels, each with a tone of its own frequency: 300 Hz, 400 Hz …
    private func write(_ path: String, positions: [UInt32]) throws {
        let block = PlanarBlock(channels: positions.count, frames: Self.frames)
        for channel in positions.indices {
            // The LFE of a lossy format may be limited to low frequencies.
            let hertz = positions[channel] == 8 ? 60.0 : Double(300 + 100 * channel)
            for i in 0..<Self.frames {
                block[channel][i] = Float(0.25 * sin(2 * .pi * hertz * Double(i) / 48_000))
            }
        }
        let writer = try SoundFileWriter(
            path: path, channels: positions.count, sampleRate: .studio,
            channelPositions: positions.count > 1 ? positions : nil)
        try writer.write(block, frames: Self.frames)
        try writer.finish()
    }

    /// Returns the power of a sound at a frequency.
    private func power(_ sound: [Float], at hertz: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for i in 24_000..<72_000 {
            real += Double(sound[i]) * cos(2 * .pi * hertz * Double(i) / 48_000)
            imaginary += Double(sound[i]) * sin(2 * .pi * hertz * Double(i) / 48_000)
        }
        return (real * real + imaginary * imaginary).squareRoot() / 24_000
    }

    private static let ffmpeg = ["/usr/bin/ffmpeg", "/usr/bin/ffprobe"].allSatisfy(
        FileManager.default.isExecutableFile(atPath:))

    @Test(
        .enabled(if: Self.ffmpeg, "ffmpeg and ffprobe judge the files"),
        arguments: ["flac", "ogg", "opus", "mp3"],
        [
            ("mono", [4], "mono"), ("stereo", [1, 2], "stereo"), ("5.0", [1, 2, 4, 0x200, 0x400], "5.0"),
            ("5.1", [1, 2, 4, 8, 0x200, 0x400], "5.1"),
            ("7.1", [1, 2, 4, 8, 0x10, 0x20, 0x200, 0x400], "7.1"),
        ] as [(String, [UInt32], String)])
    func `Every channel is where ffmpeg finds it`(_ format: String, _ layout: (String, [UInt32], String)) throws {
        let folder = try Scratch()
        let (name, positions, judged) = layout
        try write(folder("in.wav"), positions: positions)
        let run = try Run("process", folder("in.wav"), folder("out." + format), "--to", name)
        guard format != "mp3" || positions.count <= 2 else {
            #expect(run.status == 2 && run.complaints[0].contains("MP3 holds mono and stereo"), "\(run.complaints)")
            return
        }
        #expect(run.status == 0, "\(run.complaints)")
        let probe = try Run(
            [
                "-v", "error", "-show_entries", "stream=codec_name,channels,channel_layout", "-of", "csv=p=0",
                folder("out." + format),
            ], program: URL(fileURLWithPath: "/usr/bin/ffprobe")
        ).output
        #expect(probe.contains(",\(positions.count),\(judged)"), "\(probe)")
        // ffmpeg decodes to the channel order of WAVE, which is also that of the input file.
        let decode = try Run(
            ["-v", "error", "-i", folder("out." + format), "-c:a", "pcm_f32le", folder("back.wav")],
            program: URL(fileURLWithPath: "/usr/bin/ffmpeg"))
        #expect(decode.status == 0, "\(decode.complaints)")
        let back = try WholeSound.read(folder("back.wav"))
        try #require(back.count == positions.count && abs(back[0].count - Self.frames) < 3000)
        for channel in positions.indices {
            let hertz = positions[channel] == 8 ? 60.0 : Double(300 + 100 * channel)
            for other in back.indices {
                let found = power(back[other], at: hertz)
                #expect(other == channel ? abs(found - 0.25) < 0.06 : found < 0.03, "\(channel) in \(other): \(found)")
            }
        }
        // When the file is read again, it has the same layout.
        let info = try Run("info", folder("out." + format))
        #expect(info.output.contains("layout: \(name)"), "\(info.output)")
    }

    @Test func `What a format cannot hold is refused with what it can`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: [1, 2])
        for (words, reason) in [
            (["--to", "stereo", "--bits", "16", "out.ogg"], "leave out --bits"),
            (["--to", "stereo", "--rate", "44100", "out.opus"], "say --rate 48000"),
            (["--to", "stereo", "--rate", "96000", "out.mp3"], "say --rate 44100"),
            (["--to", "7.1.4", "out.ogg"], "Vorbis holds mono, stereo"),
            (["--to", "ambi1", "out.opus"], "Opus holds mono"),
        ] {
            let run = try Run(["process", "in.wav"] + words, in: folder.path)
            #expect(run.status == 2 && run.complaints.first?.contains(reason) == true, "\(run.complaints)")
        }
        #expect(folder.contents == ["in.wav"])
    }

    @Test func `No recording is compressed with losses`() throws {
        let folder = try Scratch()
        #expect(throws: SoundFileError.self) {
            try SoundFileWriter(path: folder("take.ogg"), channels: 2, sampleRate: .studio, asTake: true)
        }
        #expect(folder.contents.isEmpty)
    }
}
