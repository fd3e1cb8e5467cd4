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
        ("process film.wav out.wav --to 5.1 --upmix identity", 1), ("render film.wav out.wav --upmix identity", 2),
        ("render song.wav out.wav --mix cinematic", 2), ("process song.wav song.wav", 2),
        ("process song.wav out.wav --from 3", 1), ("process fim.wav out.wav", 1), ("loudness sonk.wav", 1),
        ("process song.wav out.wav --layout 5.1", 1), ("info fil.wav", 1),
    ]) func `A refusal ends with a line that works`(_ typed: String, _ status: Int32) throws {
        let folder = try Scratch()
        try write(folder("film.wav"), positions: [1, 2, 4, 8, 0x200, 0x400])
        try write(folder("song.wav"), positions: [1, 2])
        let words = typed.split(separator: " ").map(String.init)
        let run = try Run(words, in: folder.path)
        #expect(run.status == status, "\(run.complaints)")
        let line = try #require(run.complaints.last?.components(separatedBy: "; this works: proscenium ").last)
        let again = try Run(
            ["-c", "\"$1\" \(line) > out.bin", "bash", Run.program.path], in: folder.path,
            program: URL(fileURLWithPath: "/bin/bash"))
        #expect(again.status == 0, "\(line): \(again.complaints)")
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
