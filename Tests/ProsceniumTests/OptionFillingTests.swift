import ArgumentParser
import AudioIO
import Foundation
import Gate
import Racks
import SoundFixtures
import Soundstage
import Stages
import Testing

@testable import proscenium

/// Values of files in the options of a parsed command.
@Suite struct OptionFillingTests {
    /// Parses a command line together with a config file of this text.
    private func parsed(_ words: [String], _ text: String) throws -> any ParsableCommand {
        let folder = try Scratch()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder("config")))
        return try Defaults.parse(words, config: folder("config"), asks: false) { _ in }
    }

    private func run(_ words: String..., text: String) throws -> RunCommand {
        try #require(try parsed(["run"] + words, text) as? RunCommand)
    }

    @Test func `Options of every kind take values of a file`() throws {
        let text = """
            name = film
            layout = 5.1
            start = ctl
            stereo-rendition = yes
            quiet = off
            input = talk=mono
            input = radio=stereo
            gain = -3
            centre = 0.3
            plugin = main=urn:x/amp,name=amp
            """
        let command = try run(text: text)
        #expect(command.place.name == "film" && command.stage.layout == "5.1" && command.stream.start == .onRequest)
        #expect(command.renditions.stereoRendition && !command.quiet)
        #expect(command.more.input == ["talk=mono", "radio=stereo"])
        #expect(command.stage.plugins.plugin.map(\.name) == ["amp"])
        let stage = try command.stage.settings()
        #expect(stage.gain == -3 && stage.programmes.upmix.amounts.centre == 0.3)
    }

    @Test func `A typed option wins even if its value is the default`() throws {
        let text = "name = film\nhead = osc:9000\nstart = ctl\nlevel = -6\n"
        let command = try run("--name", "proscenium", "--head=none", "--start", "now", "--level", "0", text: text)
        #expect(command.place.name == "proscenium" && command.tracking.head == "none")
        #expect(command.stream.start == .firstCycle)
        #expect(command.stage.programmes.input.changes["level"] == .numbers([0]))
    }

    @Test func `A session manager's options override typed ones and those of files`() throws {
        let folder = try Scratch()
        try Data("name = film\ngain = -3\n".utf8).write(to: URL(fileURLWithPath: folder("config")))
        let own = ["session": folder("-saved"), "name": "stage.n1"]
        for words in [["run"], ["run", "--name", "mine", "--session", "elsewhere"]] {
            let parsed = try Defaults.parse(words, own: own, config: folder("config"), asks: false) { _ in }
            let command = try #require(parsed as? RunCommand)
            #expect(command.place.name == "stage.n1" && command.kept.session == folder("-saved"))
            #expect(try command.stage.settings().gain == -3)
        }
        let bare = try Defaults.parse(["run"], own: own, config: folder("none"), asks: false) { _ in }
        #expect((bare as? RunCommand)?.place.name == "stage.n1")
    }

    /// Each of these command lines lacks an option, or has one too many, without the file.
    @Test(arguments: [
        (["run", "--learn", "level"], "surface = map.json\n"),
        (["track"], "head = osc:9000\n"),
        (["info", "a.raw", "--input-channels", "2"], "input-rate = 48000\n"),
        (["process", "a.wav", "b.wav", "--to-ambisonics", "n3d"], "to = ambi1\n"),
    ]) func `Options are checked when those of the file are in place`(_ words: [String], _ text: String) throws {
        _ = try parsed(words, text)
        // The complaint about what is typed has the command's usage, whatever else the file has.
        for other in ["", "json = off\nname = film\nwidth = 0.5\n"] {
            let error = try #require(throws: (any Error).self) { try parsed(words, other) }
            #expect(!(error is Failure) && Proscenium.exitCode(for: error) == .validationFailure)
            #expect(Proscenium.fullMessage(for: error).contains("Usage: proscenium \(words[0])"))
        }
    }

    @Test(arguments: [
        (["run"], "start", "soon"), (["run"], "on-route-loss", "later"), (["run"], "plugin", "nonsense"),
        (["run"], "gain", "loud"), (["render", "a", "b"], "block", "x"),
        (["render", "a", "b"], "bits", "7"), (["render", "a", "b"], "upmix", "upwards"),
        (["render", "a", "b"], "yaw", "left"), (["process", "a", "b"], "loudness-target", "x"),
        (["watch"], "port", "nowhere"), (["ctl", "quit"], "port", "nowhere"),
    ]) func `A refused value is told as a typed one, with its place`(
        _ words: [String], _ option: String, _ text: String
    ) throws {
        let error = try #require(throws: (any Error).self) {
            try Proscenium.parseAsRoot(words + ["--\(option)=\(text)"])
        }
        let failure = try #require(throws: Failure.self) { try parsed(words, "# mine\n\(option) = \(text)\n") }
        // The parser's sentence also has the name of the value: `'--gain <dB>'`.
        let sentence = Proscenium.message(for: error).replacing(#/ <[^>]*>'/#, with: "'")
        #expect(failure.message.hasSuffix("/config, line 2: \(sentence)"), "\(failure.message)")
        #expect(failure.fault == .input)
    }

    @Test func `Typed options are found with their texts`() {
        let typed = TypedOptions([
            "run", "--name=film", "--quiet", "--session", "old", "--input", "a=mono", "--input=b=stereo", "--centre",
            "1", "--session=new", "--gain", "-3dB", "--", "--layout", "5.1",
        ])
        #expect(typed.names == ["name", "quiet", "session", "input", "upmix-centre", "gain"])
        #expect(typed.text(of: "session") == "new" && typed.text(of: "layout") == nil)
        #expect(typed.contains("centre") && !typed.contains("upmix-centre"))
        #expect(
            typed.kept == [
                "name": .text("film"), "input": .list([.text("a=mono"), .text("b=stereo")]),
                "upmix-centre": .text("1"), "gain": .text("-3dB"),
            ])
        #expect(typed.unknown.isEmpty)
    }

    @Test func `Typed options are the same after they were saved as texts`() {
        let typed = TypedOptions([
            "run", "--gain=-3", "--centre", "0.5", "--plugin", "main=urn:x/amp", "--token", "word", "--gain", "-6",
            "--plugin=ears=urn:x/eq", "--louder", "2", "--softer=1",
        ])
        let texts = [
            "gain": ["-6"], "upmix-centre": ["0.5"], "plugin": ["main=urn:x/amp", "ears=urn:x/eq"], "token": ["word"],
        ]
        #expect(typed.texts == texts && typed.unknown == ["--louder", "--softer"])
        let again = TypedOptions(of: "run", saved: texts)
        #expect(again.texts == texts && again.kept == typed.kept && again.names == typed.names)
        #expect(typed.kept == ["gain": .text("-6"), "upmix-centre": .text("0.5")])
        // Of an option that is not repeatable, the last text counts.
        #expect(TypedOptions(of: "run", saved: ["gain": ["1", "2"]]).texts == ["gain": ["2"]])
    }
}
