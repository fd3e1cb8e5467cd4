import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `--to-folder`: several programmes in one call.
@Suite struct SeveralFilesTests {
    private func write(_ path: String, seed: UInt64) throws {
        let block = PlanarBlock(channels: 2, frames: 24_000)
        for channel in 0..<2 {
            for (i, sample) in WhiteNoise.samples(24_000, seed: seed + UInt64(channel)).enumerated() {
                block[channel][i] = sample
            }
        }
        let writer = try SoundFileWriter(path: path, channels: 2, sampleRate: .studio, channelPositions: [1, 2])
        try writer.write(block, frames: 24_000)
        try writer.finish()
    }

    @Test(arguments: [
        ["render", "--hrtf", "generated"], ["process", "--to", "mono"], ["upmix"], ["bake"],
    ])
    func `Each output is that of a call of its own`(_ words: [String]) throws {
        let folder = try Scratch()
        let names = ["a", "b", "c", "d", "e"]
        for (index, name) in names.enumerated() { try write(folder(name + ".wav"), seed: UInt64(100 * index + 1)) }
        let run = try Run(words + ["--to-folder", "out/"] + names.map { $0 + ".wav" }, in: folder.path)
        #expect(run.status == 0, "\(run.complaints)")
        for name in names {
            let one = try Run(words + [name + ".wav", "one-\(name).wav"], in: folder.path)
            #expect(one.status == 0)
            #expect(try WholeSound.read(folder("out/\(name).wav")) == WholeSound.read(folder("one-\(name).wav")))
        }
    }

    @Test func `A stereo programme makes no fold-down that another programme's file could be`() throws {
        let folder = try Scratch()
        for (index, name) in ["film.wav", "film.stereo.wav"].enumerated() {
            try write(folder(name), seed: UInt64(100 * index + 1))
        }
        let run = try Run(["bake", "--to-folder", "out", "film.wav", "film.stereo.wav"], in: folder.path)
        #expect(run.status == 0, "\(run.complaints)")
        let made = try FileManager.default.contentsOfDirectory(atPath: folder("out")).sorted()
        #expect(made == ["film.stereo.wav", "film.stereo.wav.json", "film.wav", "film.wav.json"])
        // A file where the fold-down of another programme would be is not asked about.
        try write(folder("song.wav"), seed: 7)
        try write(folder("out/song.stereo.wav"), seed: 9)
        let again = try Run(["bake", "--to-folder", "out", "song.wav"], in: folder.path)
        #expect(again.status == 0, "\(again.complaints)")
    }

    @Test func `A bad file is named, the rest is made, and the status says it`() throws {
        let folder = try Scratch()
        try write(folder("a.wav"), seed: 1)
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: folder("bad.wav")))
        try write(folder("c.wav"), seed: 5)
        let words = ["process", "--to", "mono", "--to-folder", "out", "a.wav", "bad.wav", "c.wav", "--json"]
        let run = try Run(words, in: folder.path)
        #expect(run.status == 1)
        #expect(run.complaints.contains { $0.hasPrefix("proscenium: bad.wav is not a sound file") })
        #expect(run.complaints.last == "1 of 3 files were not made")
        #expect(FileManager.default.fileExists(atPath: folder("out/a.wav")))
        #expect(FileManager.default.fileExists(atPath: folder("out/c.wav")))
        let reports = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
        #expect(reports?.map { $0["input"] as? String } == ["a.wav", "c.wav"])
        // The files exist now: none is replaced without a question, and no work begins.
        let again = try Run(words, in: folder.path)
        #expect(again.status == 2 && again.complaints.first?.contains("out/a.wav") == true, "\(again.complaints)")
    }

    @Test(arguments: [
        (["process", "--to", "mono", "a.wav"], "a.wav has no output"),
        (
            ["process", "--to", "mono", "a.wav", "b.wav", "c.wav"],
            "3 files are named; without --to-folder there are two"
        ),
        (["process", "--to", "mono", "--to-folder", "out", "a.wav", "x/a.flac"], "would both become out/a.wav"),
        (
            ["bake", "--to-folder", "out", "film.wav", "film.stereo.wav", "-y"],
            "would both become out/film.stereo.wav"
        ),
        (["process", "--to", "mono", "--to-folder", "out", "-"], "standard input has no name"),
        (["bake", "--stereo", "s.wav", "--to-folder", "out", "a.wav"], "--stereo names one file"),
    ])
    func `Names that do not fit are refused`(_ words: [String], _ reason: String) throws {
        let folder = try Scratch()
        let run = try Run(words, in: folder.path)
        #expect(run.status == 2 && run.complaints.first?.contains(reason) == true, "\(run.complaints)")
        #expect(folder.contents.isEmpty)
    }
}
