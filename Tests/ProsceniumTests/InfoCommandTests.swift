import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `proscenium info`, and refusals that end with a line that works.
@Suite struct InfoCommandTests {
    private func write(_ path: String, channels: Int, positions: [UInt32]? = nil) throws {
        let block = PlanarBlock(channels: channels, frames: 48_000)
        for channel in 0..<channels {
            for (i, sample) in WhiteNoise.samples(48_000, seed: UInt64(channel + 3)).enumerated() {
                block[channel][i] = sample
            }
        }
        var metadata = SoundFileMetadata()
        metadata.texts = [.title: "Crossing"]
        metadata.markers = [.init(frame: 24_000, name: "verse")]
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio, channelPositions: positions, metadata: metadata)
        try writer.write(block, frames: 48_000)
        try writer.finish()
    }

    /// Runs a line that the program printed, as a shell does.
    private func follow(_ line: Substring, in folder: Scratch) throws -> Run {
        #expect(line.hasPrefix("proscenium "))
        return try Run(
            ["-c", "cd \"$1\" && exec " + Run.program.path + line.dropFirst("proscenium".count), "sh", folder.path],
            program: URL(fileURLWithPath: "/bin/sh"))
    }

    private func info(_ path: String) throws -> [String: Any] {
        let run = try Run("info", "--json", path)
        #expect(run.status == 0, "\(run.complaints)")
        let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
        return try #require(list?.first)
    }

    @Test func aFileIsDescribedByLayoutLengthTextsAndFigures() throws {
        let folder = try Scratch()
        try write(folder("film one.wav"), channels: 6, positions: [1, 2, 4, 8, 0x200, 0x400])
        #expect(try Run("loudness", "--save", folder("film one.wav")).status == 0)
        let found = try info(folder("film one.wav"))
        #expect(found["layout"] as? String == "5.1" && found["layoutSource"] as? String == "its channel positions")
        #expect(found["frames"] as? Int == 48_000 && found["seconds"] as? Double == 1)
        #expect(
            (found["channels"] as? [[String: Any]])?.map { $0["symbol"] as? String } == [
                "FL", "FR", "FC", "LFE", "SL", "SR",
            ])
        #expect((found["texts"] as? [String: String]) == ["title": "Crossing"])
        #expect((found["sidecar"] as? [String: Any])?["loudness"] is Double)
        let text = try Run("info", folder("film one.wav")).output
        #expect(text.contains("layout: 5.1, by its channel positions") && text.contains("markers: 0.500 s verse"))
        #expect(text.contains(" LUFS") && text.contains("title: Crossing"))
    }

    @Test(
        arguments: [(1, nil), (2, [1, 2]), (6, [1, 2, 4, 8, 0x200, 0x400]), (8, nil), (4, nil), (9, nil)]
            as [(Int, [UInt32]?)])
    func everyLineWorks(_ channels: Int, _ positions: [UInt32]?) throws {
        let folder = try Scratch()
        try write(folder("it's one.wav"), channels: channels, positions: positions)
        let found = try info(folder("it's one.wav"))
        let uses = try #require(found["uses"] as? [[String: Any]])
        #expect(uses.count >= 4)
        for use in uses {
            let line = try #require(use["line"] as? String)
            // Without a server `preview` cannot play.
            guard use["command"] as? String != "preview" else { continue }
            let run = try follow(Substring(line + (line.contains(" loudness ") ? "" : " --overwrite")), in: folder)
            #expect(run.status == 0, "\(line): \(run.complaints)")
        }
    }

    @Test func aRefusedFileGetsALineThatWorks() throws {
        let folder = try Scratch()
        try write(folder("bed.wav"), channels: 8)
        try write(folder("six.wav"), channels: 6, positions: [1, 2, 4, 8, 0x200, 0x400])
        for words in [
            ["render", "bed.wav", "ears.wav", "--hrtf", "generated"],
            ["process", "bed.wav", "out.wav", "--to", "stereo"],
            ["bake", "bed.wav", "master.wav"], ["loudness", "bed.wav"],
            ["loudness", "--layout", "7.1.4", "six.wav"],
            ["process", "six.wav", "o.wav", "--layout=5.0", "--to", "mono"],
            ["process", "six.wav", "p.wav", "--to", "stereo", "--steady", "world"],
        ] {
            let refused = try Run(words, in: folder.path)
            #expect(refused.status != 0)
            let complaint = try #require(refused.complaints.last)
            let place = try #require(complaint.range(of: "; this works: "), "\(complaint)")
            let run = try follow(complaint[place.upperBound...], in: folder)
            #expect(run.status == 0, "\(complaint): \(run.complaints)")
        }
    }

    @Test func aFaultyFileIsNamedAndTheOthersAreDescribed() throws {
        let folder = try Scratch()
        try write(folder("a.wav"), channels: 2)
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: folder("b.wav")))
        let run = try Run("info", folder("b.wav"), folder("a.wav"))
        #expect(run.status == 1 && run.output.contains("layout: stereo"))
        #expect(run.complaints.first?.contains("b.wav is not a sound file") == true)
        #expect(run.complaints.first?.contains("ffmpeg -i ") == true)
    }
}
