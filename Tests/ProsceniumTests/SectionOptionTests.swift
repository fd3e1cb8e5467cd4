import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `--from`, `--until` and `--duration` as a user types them.
@Suite struct SectionOptionTests {
    /// Writes two seconds of sound, in which the value of each sample shows its frame.
    private func write(_ path: String) throws {
        let block = PlanarBlock(channels: 2, frames: 96_000)
        for i in 0..<96_000 {
            block[0][i] = Float(i) / 96_000
            block[1][i] = -block[0][i]
        }
        let writer = try SoundFileWriter(path: path, channels: 2, sampleRate: .studio)
        try writer.write(block, frames: 96_000)
        try writer.finish()
    }

    @Test(arguments: [
        (["--from", "0:01.5"], 72_000, 24_000), (["--from=00:00:01", "--until", "1.25"], 48_000, 12_000),
        (["--from", "250ms", "--duration", "0:00.5"], 12_000, 24_000), (["--duration=1s"], 0, 48_000),
        (["--until", "0:2"], 0, 96_000),
    ])
    func timesAreWrittenAsForFFmpeg(_ options: [String], _ first: Int, _ count: Int) throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let run = try Run(["process", folder("in.wav"), folder("out.wav"), "--to", "stereo"] + options)
        #expect(run.status == 0, "\(run.complaints)")
        let sound = try WholeSound.read(folder("out.wav"))
        #expect(sound[0].count == count && sound[0].first == Float(first) / 96_000)
    }

    @Test func everyOfflineCommandTakesThem() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let section = ["--from", "0.5", "--duration", "0.25"]
        for command in [
            ["render", folder("in.wav"), folder("ears.wav"), "--hrtf", "generated"],
            ["process", folder("in.wav"), folder("mono.wav"), "--to", "mono"],
            ["upmix", folder("in.wav"), folder("stage.wav")], ["bake", folder("in.wav"), folder("master.wav")],
        ] {
            let run = try Run(command + section)
            #expect(run.status == 0, "\(run.complaints)")
            #expect(try WholeSound.read(command[2])[0].count == 12_000)
        }
        let loudness = try Run(["loudness", folder("in.wav"), "--json"] + section)
        #expect(loudness.output.contains("\"frames\" : 12000"))
    }

    @Test(arguments: [
        (["--from", "-1"], "--from -1 is negative", 2), (["--until=-0:01"], "--until -0:01 is negative", 2),
        (["--from", "2", "--until", "1"], "--until 1 comes before its beginning, --from 2", 2),
        (["--from", "x"], "not 'x'", 2), (["--from", "1:75"], "not '1:75'", 2), (["--from", "nan"], "not 'nan'", 2),
        (["--duration", "0"], "--duration 0 leaves nothing", 2),
        (["--until", "1", "--duration", "1"], "--until and --duration exclude each other", 2),
        (["--from", "3"], "--from lies at 3.0 s, and", 1),
        (["--until", "1:00:00"], "--until lies at 3600.0 s, and", 1),
        (["--from", "1", "--duration", "1.5"], "the end of --duration lies at 2.5 s, and", 1),
    ])
    func timesThatCannotBeAreRefused(_ options: [String], _ reason: String, _ status: Int32) throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let run = try Run(["process", folder("in.wav"), folder("out.wav"), "--to", "stereo"] + options)
        #expect(run.status == status)
        #expect(run.complaints.first?.contains(reason) == true, "\(run.complaints)")
        #expect(folder.contents == ["in.wav"])
    }

    @Test func theLineOfferedForALongDurationWorks() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let words = ["process", folder("in.wav"), folder("out.wav"), "--to", "stereo", "--from", "1"]
        let run = try Run(words + ["--duration", "1.5"])
        let line = "; this works: proscenium " + words.joined(separator: " ")
        #expect(run.status == 1 && run.complaints.first?.hasSuffix(line) == true, "\(run.complaints)")
        #expect(try Run(words).status == 0)
    }

    @Test func theLoudnessOfASectionIsNotKept() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let run = try Run("loudness", "--save", folder("in.wav"), "--from", "1")
        #expect(run.status == 2 && run.complaints[0].contains("--save keeps the figures of the whole file"))
        #expect(folder.contents == ["in.wav"])
    }

    /// A field is measured in the convention that the user states, as `process` reads it.
    @Test func aFurseMalhamFieldIsMeasuredAsOne() throws {
        let folder = try Scratch()
        let block = PlanarBlock(channels: 4, frames: 96_000)
        for channel in 0..<4 {
            for (i, sample) in WhiteNoise.samples(96_000, seed: UInt64(20 + channel)).enumerated() {
                block[channel][i] = channel == 0 ? sample : 0.2 * sample
            }
        }
        let writer = try SoundFileWriter(path: folder("field.wav"), channels: 4, sampleRate: .studio)
        try writer.write(block, frames: 96_000)
        try writer.finish()
        let said = ["--layout", "ambi1", "--ambisonics", "fuma"]
        let made = try Run(["process", folder("field.wav"), folder("ambix.wav"), "--to", "ambi1"] + said)
        #expect(made.status == 0, "\(made.complaints)")
        func integrated(_ words: [String]) throws -> Double {
            let run = try Run(["loudness", "--json"] + words)
            let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]]
            let loudness = try #require(list?.first?["loudness"] as? [String: Any], "\(run.complaints)")
            return try #require(loudness["integrated"] as? Double)
        }
        let found = try integrated([folder("field.wav")] + said)
        let plain = try integrated([folder("ambix.wav"), "--layout", "ambi1"])
        #expect(abs(found - plain) < 0.02)
    }
}
