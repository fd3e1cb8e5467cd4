import Foundation
import Session
import Signal
import SoundFixtures
import Takes
import Testing

@testable import AudioIO
@testable import proscenium

/// Commands whose output would overwrite a file.
@Suite struct OverwriteTests {
    private static let generated = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../HRTF/generated.sofa").path

    /// A command in a folder with a song `in.wav` and tables, and the file it writes last.
    struct Case: Sendable, CustomTestStringConvertible {
        let words: [String]
        let output: String
        var testDescription: String { words.joined(separator: " ") }

        init(_ words: String, _ output: String) {
            self.words = words.split(separator: " ").map { $0 == "SET" ? OverwriteTests.generated : String($0) }
            self.output = output
        }
    }

    /// Commands that end by themselves.
    static let quick = [
        Case("process in.wav out.wav --to mono", "out.wav"),
        Case("upmix in.wav out.wav", "out.wav"),
        Case("bake in.wav out.wav", "out.wav"), Case("bake in.wav out.wav", "out.wav.json"),
        Case("bake five.wav out.wav", "out.stereo.wav"), Case("bake five.wav out.wav", "out.stereo.wav.json"),
        Case("bake five.wav out.wav --stereo two.wav", "two.wav"),
        Case("process field.wav out.wav --to ambi1 --mix studio --stems .", "ambience.wav"),
        Case("render in.wav out.wav --hrtf SET --no-tail", "out.wav"),
        Case("loudness in.wav --svg out.svg", "out.svg"),
        Case("sofa info SET --svg out.svg", "out.svg"), Case("sofa plot SET --svg out.svg", "out.svg"),
        Case("sofa convert SET out.sofa", "out.sofa"),
        Case("hrtf sample SET --directions front.csv --output out.f32", "out.f32"),
        Case("headphones info eq.txt --svg out.svg", "out.svg"),
        Case("demo follow out.csv --head osc:9000 --head-packets packets.csv --seconds 1", "out.csv"),
        Case("capture held.wav --from field.wav --steady world", "held.wav"),
    ]

    /// Commands that run for long, or lack a resource: the existing file is reported before anything else.
    static let long = [
        Case("hrtf generate out.sofa", "out.sofa"), Case("room info studio --hrtf SET --svg out.svg", "out.svg"),
        Case("track --head osc:0 --plot out.svg --seconds 5", "out.svg"),
        Case("run --record ears.wav", "ears.wav"), Case("run --record-poses poses.csv", "poses.csv"),
        Case("run --record-motion motion.ndjson", "motion.ndjson"),
        Case("preview in.wav --record ears.wav", "ears.wav"), Case("capture take.wav", "take-safety.wav"),
        Case("capture take.wav", "take.wav.orientation.csv"), Case("capture take.wav", "take.wav.markers.txt"),
        Case("hrtf compare SET kemar --sheet sheet.json", "sheet.json"),
        Case("hrtf compare SET kemar --render .", "sheet.json"), Case("demo bus --output ride", "ride/scene.wav"),
    ]

    private func furnished() throws -> Scratch {
        let folder = try Scratch()
        for (name, channels, order) in [("in.wav", 2, nil), ("five.wav", 6, nil), ("field.wav", 4, 1 as Int?)] {
            let block = PlanarBlock(channels: channels, frames: 4800)
            for channel in 0..<channels {
                for i in 0..<4800 { block[channel][i] = 0.1 * Float((i * 7919) % 199 - 99) / 99 }
            }
            let writer = try SoundFileWriter(
                path: folder(name), channels: channels, sampleRate: .studio,
                channelPositions: channels == 6 ? [1, 2, 4, 8, 0x10, 0x20] : nil, fieldOrder: order)
            try writer.write(block, frames: 4800)
            try writer.finish()
        }
        for (name, text) in [
            ("front.csv", "index,az_deg,el_deg,r_m\n0,0,0,1.4\n"),
            ("eq.txt", "Preamp: -3 dB\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB Q 1\n"),
            ("packets.csv", "0,00\n"), ("field.wav.orientation.csv", "t,w,x,y,z\n0,1,0,0,0\n"),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder(name)))
        }
        return folder
    }

    private func lay(_ name: String, in folder: Scratch) throws {
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: folder(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("former".utf8).write(to: URL(fileURLWithPath: folder(name)))
    }

    private func isFormer(_ path: String) throws -> Bool {
        try Data(contentsOf: URL(fileURLWithPath: path)) == Data("former".utf8)
    }

    @Test(arguments: quick + long)
    func `A command that finds a file of its output's name leaves it and says what to say`(
        one: Case
    ) throws {
        let folder = try furnished()
        try lay(one.output, in: folder)
        let before = folder.contents
        let run = try Run(one.words, in: folder.path)
        #expect(run.status == 2, "\(run.complaints)")
        let said = run.complaints.joined(separator: " ")
        #expect(said.contains("--overwrite") && said.contains(one.output), "\(said)")
        #expect(try isFormer(folder(one.output)) && folder.contents == before)
    }

    @Test(arguments: quick) func `With --overwrite or -y it is replaced, unasked`(one: Case) throws {
        for word in ["--overwrite", "-y"] {
            let folder = try furnished()
            try lay(one.output, in: folder)
            let run = try Run(one.words + [word], in: folder.path)
            #expect(run.status == 0, "\(run.complaints)")
            #expect(try !isFormer(folder(one.output)))
            #expect(
                folder.contents.allSatisfy { !$0.hasSuffix(".part") && !$0.hasSuffix(".former") }, "\(folder.contents)")
        }
    }

    @Test(arguments: [("y\n", true), ("YES\n", true), ("n\n", false), ("\n", false), ("yet\n", false)])
    func `On a terminal the user is asked, and a file is replaced where the answer is yes`(
        answer: String, isReplaced: Bool
    ) throws {
        let folder = try furnished()
        try lay("out.wav", in: folder)
        let fingers = PseudoTerminal()
        let keyboard = open(fingers.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(keyboard >= 0)
        fingers.say(answer)
        let run = try Run(
            ["process", "in.wav", "out.wav", "--to", "mono"], in: folder.path,
            keyboard: FileHandle(fileDescriptor: keyboard, closeOnDealloc: true))
        #expect(run.complaints.first?.hasPrefix("out.wav exists already. Replace it? [y/N]") == true)
        #expect(run.status == (isReplaced ? 0 : 2), "\(run.complaints)")
        #expect(try isFormer(folder("out.wav")) != isReplaced)
    }

    @Test func `What follows the answer is left to the next reader of the keyboard`() throws {
        let folder = try furnished()
        let fingers = PseudoTerminal()
        let keyboard = open(fingers.path, O_RDWR | O_NOCTTY)
        defer { close(keyboard) }
        for name in ["a", "b", "c", "d"] { try lay(name, in: folder) }
        var shown: [String] = []
        fingers.say("y\nmarker\n")
        let question = ReplacementQuestion(question: Question(keyboard: keyboard) { shown.append($0) })
        let agreed = try question.settle(["a", "b", "c", "d", "e"].map { folder($0) })
        #expect(agreed.covers(folder("d")) && !agreed.covers(folder("e")))
        #expect(shown.count == 1 && shown[0].contains("and 1 more exist already"))
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(keyboard, &bytes, 16) == 7)
        // No file exists at these paths: no question is asked.
        #expect(try question.settle([folder("e"), "/dev/null"]) == .nothing && shown.count == 1)
    }

    @Test func `An output that is an input or another output is refused whatever is said`() throws {
        let folder = try furnished()
        for words in [
            ["process", "in.wav", "in.wav", "--to", "mono", "-y"], ["loudness", "in.wav", "--svg", "in.wav", "-y"],
            ["sofa", "plot", Self.generated, "--svg", "x.svg", "--png", "x.svg", "-y"],
            ["headphones", "info", "eq.txt", "--svg", "eq.txt", "-y"],
            ["hrtf", "sample", Self.generated, "--directions", "front.csv", "--output", "front.csv", "-y"],
        ] {
            let (before, run) = (folder.contents, try Run(words, in: folder.path))
            #expect(run.status == 2 && folder.contents == before, "\(words): \(run.complaints)")
        }
        #expect(
            try Run(["process", "in.wav", "/dev/null", "--to", "mono", "--format", "wav"], in: folder.path).status == 0)
    }

    @Test func `A session's folder agrees to no loss, the user's config file may`() throws {
        let folder = try Scratch()
        try Data(#"{"overwrite": true}"#.utf8).write(to: URL(fileURLWithPath: folder("session.json")))
        try Data("overwrite = on\n".utf8).write(to: URL(fileURLWithPath: folder("config")))
        var told: [String] = []
        let words = ["run", "--session", folder.path]
        let kept = try #require(
            try Defaults.parse(words, config: folder("none")) { told.append($0) } as? RunCommand)
        #expect(!kept.former.overwrite && told.contains { $0.contains("'overwrite'") })
        let own = try #require(try Defaults.parse(["run"], config: folder("config")) as? RunCommand)
        #expect(own.former.overwrite)
    }
}
