import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// Refused files and outputs: the line at the end of the error works.
@Suite struct RefusedFileTests {
    private func write(_ path: String, positions: [UInt32]) throws {
        let block = PlanarBlock(channels: positions.count, frames: 4800)
        let writer = try SoundFileWriter(
            path: path, channels: positions.count, sampleRate: .studio, channelPositions: positions)
        try writer.write(block, frames: 4800)
        try writer.finish()
    }

    @Test(arguments: [
        ("process film.wav out.mp3 --to 5.1", 2), ("process film.wav out.flac --to 7.1.4", 2),
        ("process film.wav - --format opus --to 7.1.4", 2), ("process song.wav out.ogg --bits 16", 2),
        ("process song.wav out.flac --bits 32f", 2), ("process song.wav out.opus --rate 44100", 2),
        ("process song.wav out.mp3 --rate 96000", 2), ("process film.wav out.amb --to 7.1", 2),
        ("process film.wav out.amb", 2), ("process film.wav out.amb --to ambi4", 2), ("render film.wav out.amb", 2),
        ("process film.wav out.amb --to ambi1 --to-ambisonics sn3d", 2), ("upmix song.wav out.amb", 2),
        ("process film.wav - --format amb", 2), ("process silent.wav out.wav --loudness-target -23", 1),
        ("process two.amb out.wav", 1), ("render ten.amb out.wav", 1),
        ("process film.wav out.wav --to 5.1 --upmix identity", 1), ("render film.wav out.wav --upmix identity", 2),
        ("render song.wav out.wav --mix cinematic", 2), ("process song.wav song.wav", 2),
        ("process song.wav out.wav --from 3", 1), ("process fim.wav out.wav", 1), ("loudness sonk.wav", 1),
        ("process song.wav out.wav --layout 5.1", 1), ("info fil.wav", 1),
    ]) func `A refusal ends with a line that works`(_ typed: String, _ status: Int32) throws {
        let folder = try Scratch()
        try write(folder("film.wav"), positions: [1, 2, 4, 8, 0x200, 0x400])
        try write(folder("song.wav"), positions: [1, 2])
        try write(folder("silent.wav"), positions: [1, 2])
        for (name, channels) in [("two.amb", 2), ("ten.amb", 10)] {
            try HeaderOnly.bFormat(channels: channels, frames: 4800).write(to: URL(fileURLWithPath: folder(name)))
        }
        let words = typed.split(separator: " ").map(String.init)
        let run = try Run(words, in: folder.path)
        #expect(run.status == status, "\(run.complaints)")
        let line = try #require(run.complaints.last?.components(separatedBy: "; this works: proscenium ").last)
        let again = try Run(
            ["-c", "\"$1\" \(line) > out.bin", "bash", Run.program.path], in: folder.path,
            program: URL(fileURLWithPath: "/bin/bash"))
        #expect(again.status == 0, "\(line): \(again.complaints)")
    }

    @Test func `An empty file is told from one without frames, with what to do`() throws {
        let folder = try Scratch()
        try Data().write(to: URL(fileURLWithPath: folder("no bytes.wav")))
        try HeaderOnly.bFormat(channels: 4, frames: 0).write(to: URL(fileURLWithPath: folder("no frames.wav")))
        for (name, cause) in [
            ("no bytes.wav", "is empty (0 bytes): "), ("no frames.wav", "has no sound in it: 0 frames; "),
        ] {
            for words in [
                ["render", name, "out.wav"], ["info", name], ["loudness", name], ["upmix", name, "out.wav"],
            ] {
                let run = try Run(words, in: folder.path)
                let told = run.complaints.last ?? ""
                #expect(run.status == 1 && told.contains("\(name) \(cause)"), "\(run.complaints)")
                #expect(told.hasSuffix("then check it: proscenium info '\(name)'"), "\(told)")
            }
        }
    }

    @Test(arguments: [(3, "ambi1"), (5, "ambi3"), (6, "ambi3"), (7, "ambi3"), (8, "ambi3"), (11, "ambi3")])
    func `B-format without height or of mixed order ends with the line that fills it up`(
        _ channels: Int, _ layout: String
    ) throws {
        let folder = try Scratch()
        try HeaderOnly.bFormat(channels: channels, frames: 4800).write(to: URL(fileURLWithPath: folder("in.amb")))
        let run = try Run(["render", "in.amb", "out.wav"], in: folder.path)
        let line = try #require(run.complaints.last?.components(separatedBy: "Fill it up with silence: ").last)
        #expect(run.status == 1 && line.hasPrefix("ffmpeg -i in.amb -af "), "\(run.complaints)")
        #expect(line.hasSuffix("proscenium render in.whole.wav in.ears.wav --layout \(layout) --ambisonics fuma"))
        let bash = URL(fileURLWithPath: "/bin/bash")
        let fill = try Run(["-c", String(line.prefix { $0 != "&" })], in: folder.path, program: bash)
        #expect(fill.status == 0, "\(fill.complaints)")
        // The value of each channel is its number in the file, in 16ths.
        let places =
            ["WXY", "WXYUV", "WXYZUV", "WXYUVPQ", "WXYZUVPQ", "WXYZRSTUVPQ"].first { $0.count == channels } ?? ""
        let filled = try WholeSound.read(folder("in.whole.wav")).map { $0[100] }
        for (letter, found) in zip("WXYZRSTUVKLMNOPQ", filled) {
            let place = places.firstIndex(of: letter).map { places.distance(from: places.startIndex, to: $0) + 1 } ?? 0
            #expect(found == Float(place) / 16)
        }
    }

    @Test func `An absent folder is named with the line that makes it`() throws {
        let folder = try Scratch()
        try write(folder("song.wav"), positions: [1, 2])
        let run = try Run(["process", "song.wav", "a b/c/out.wav"], in: folder.path)
        #expect(run.status == 1)
        #expect(run.complaints.last?.hasSuffix("make it first: mkdir -p 'a b/c'") == true, "\(run.complaints)")
        let whole = try Run(["render", folder.path, folder("x.wav")])
        #expect(whole.complaints.last?.hasSuffix("proscenium info \(folder.path)/*") == true, "\(whole.complaints)")
    }
}

/// WAVE files written byte by byte.
private enum HeaderOnly {
    /// Returns B-format in 32-bit floating point at 48 kHz; each channel has the value of its number, from 1, in 16ths.
    static func bFormat(channels: Int, frames: Int) -> Data {
        func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let guid: [UInt8] = [3, 0, 0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]
        let numbers = [
            (0xFFFE, 2), (channels, 2), (48_000, 4), (48_000 * 4 * channels, 4), (4 * channels, 2), (32, 2), (22, 2),
            (32, 2), (0, 4),
        ]
        let format = numbers.flatMap { number($0.0, $0.1) } + guid
        let frame = (1...channels).flatMap { number(Int((Float($0) / 16).bitPattern)) }
        let sound = (0..<frames).flatMap { _ in frame }
        let body =
            Array("WAVEfmt ".utf8) + number(format.count) + format + Array("data".utf8) + number(sound.count) + sound
        return Data(Array("RIFF".utf8) + number(body.count) + body)
    }
}
