import AbsentPlaces
import ArgumentParser
import Desktop
import Foundation
import Gate
import SoundFixtures
import Testing

@testable import proscenium

/// Records of `desktop on` as the options of the session that plays the sinks.
@Suite struct DesktopRecordTests {
    /// Returns the bytes of a record in the corpus.
    private static func bytes(_ name: String) throws -> Data {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../DesktopTests/Corpus")
        return try Data(contentsOf: URL(fileURLWithPath: DesktopRecord.path(in: corpus.appending(path: name).path)))
    }

    /// Returns a folder of the program's state with a record of the corpus.
    private static func folder(with name: String) throws -> Scratch {
        let folder = try Scratch()
        try bytes(name).write(to: URL(fileURLWithPath: DesktopRecord.path(in: folder.path)))
        return folder
    }

    /// Reads a record of the corpus, all of whose options this version knows.
    private static func saved(_ name: String) throws -> DesktopRecord {
        let folder = try Self.folder(with: name)
        let record = try DesktopRecord.saved(in: folder.path) { Issue.record("\($0)") }
        return try #require(record)
    }

    /// Returns the service's command line in a record of a first version.
    private static func formerWords(_ name: String) throws -> [String] {
        struct Stored: Decodable { let words: [String] }
        return try JSONValue.decode(Stored.self, from: bytes(name), within: .session).words
    }

    /// Returns the values of the session of a record, with a config file of this text.
    private static func values(_ record: DesktopRecord, config: String = "") throws -> [String: [String]] {
        let folder = try Scratch()
        try Data(config.utf8).write(to: URL(fileURLWithPath: folder("config")))
        return try Defaults.recipe(
            for: DesktopRecipe.words, config: folder("config"), asks: false, desktop: DesktopRecipe(record)
        ) { Issue.record("\($0)") }.values
    }

    @Test(arguments: ["record-1", "record-1-place", "record-1-rules"])
    func `A record of a first version has the recipe of its command line`(_ name: String) throws {
        let words = try Self.formerWords(name)
        let record = try Self.saved(name)
        var expected = TypedOptions(words).texts
        expected["desktop"] = nil
        #expect(try Self.values(record) == expected)
        // The unit of that version still plays the same: its words are typed options, which override the record's.
        let config = AbsentPlace.path()
        let parsed = try Defaults.parse(words, config: config, asks: false, desktop: DesktopRecipe(record)) {
            Issue.record("\($0)")
        }
        let command = try #require(parsed as? RunCommand)
        #expect(command.desktop.desktop && command.quiet && command.place.name == DesktopRecord.session)
        #expect(command.stage.layout == record.layout && command.more.input == record.inputs)
    }

    @Test func `The user's options of an earlier version become options by name`() throws {
        #expect(try Self.saved("record-1").options == ["head": ["osc:9000"]])
        #expect(try Self.saved("record-1-place").options == ["layout": ["stereo"]])
        #expect(try Self.saved("record-1-rules").options == ["layout": ["5.1"], "gain": ["-6"]])
        #expect(try Self.saved("record-2").options == ["gain": ["-6"]])
        let line = try Self.saved("record-1-place").line
        #expect(line == "proscenium desktop on --output alsa_output.pci.analog-stereo --layout stereo")
    }

    @Test func `A typed option comes before the config file, and that before a default of an earlier version`() throws {
        let values = try Self.values(Self.saved("record-1-rules"), config: "gain = -1\nlimiter = off\nslice = 128\n")
        #expect(values["gain"] == ["-6"] && values["limiter"] == ["off"] && values["slice"] == ["128"])
    }

    @Test func `A record of an earlier version is renewed once`() throws {
        let folder = try Self.folder(with: "record-1-rules")
        let path = DesktopRecord.path(in: folder.path)
        let former = try Data(contentsOf: URL(fileURLWithPath: path))
        let record = try DesktopRecord.saved(in: folder.path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == former)
        #expect(try DesktopRecord.saved(in: folder.path, renews: true) == record)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains("\"words\"") && !text.contains("\"typed\"") && text.contains("\"options\""))
        #expect(try DesktopRecord.saved(in: folder.path, renews: true) == record)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `An option that this version does not know is named`() throws {
        let folder = try Self.folder(with: "record-2")
        let path = DesktopRecord.path(in: folder.path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(text.replacing("\"--gain=-6\"", with: "\"--gain=-6\", \"--louder\", \"3\"").utf8).write(
            to: URL(fileURLWithPath: path))
        var told: [String] = []
        let record = try DesktopRecord.saved(in: folder.path) { told.append($0) }
        #expect(record?.options == ["gain": ["-6"]])
        #expect(told.count == 1 && told[0].hasPrefix("\(path): this version has no option '--louder'"), "\(told)")
    }

    @Test func `An option of a record that cannot be used is reported, and the session plays without it`() throws {
        let record = DesktopRecord(
            layout: "7.1", output: DesktopOutput(name: "a", description: "A"),
            options: ["louder": ["3"], "gain": ["loud"], "head": ["osc:9000"]], service: .process)
        let config = AbsentPlace.path()
        var told: [String] = []
        let recipe = DesktopRecipe(record)
        let parsed = try Defaults.parse(DesktopRecipe.words, config: config, asks: false, desktop: recipe) {
            told.append($0)
        }
        let command = try #require(parsed as? RunCommand)
        #expect(command.tracking.head == "osc:9000")
        let place = "session: the record of 'desktop on': "
        #expect(told.count == 2 && told.allSatisfy { $0.hasPrefix(place) }, "\(told)")
        #expect(told.first?.hasPrefix(place + "there is no option 'louder'") == true)
    }

    @Test func `Plugins, doors and a token are options of a record too`() throws {
        let words = [
            "--default", "--output", "phones", "--plugin", "main=urn:x/amp", "--plugin=ears=urn:x/eq", "--plugins",
            "chains", "--token=word", "--panel", "8150", "--on-route-loss", "reconnect", "--allow-write", "a",
            "--allow-write", "b",
        ]
        let options = [
            "plugin": ["main=urn:x/amp", "ears=urn:x/eq"], "plugins": ["chains"], "token": ["word"],
            "panel": ["8150"], "on-route-loss": ["reconnect"], "allow-write": ["a", "b"],
        ]
        #expect(DesktopRecipe.options(words).texts == options)
        let record = DesktopRecord(
            layout: "7.1", output: DesktopOutput(name: "a", description: "A"), options: options, service: .process)
        let values = try Self.values(record)
        for (name, texts) in options { #expect(values[name] == texts) }
    }

    /// A record's line has a value for each option (`DesktopRecord.line`).
    @Test func `No saved option of 'desktop on' is a flag, and each is an option of 'run'`() {
        let all = KnownOption.all(of: DesktopOnCommand.self).filter { !["output", "is-default"].contains($0.name) }
        let run = KnownOption.table(of: DesktopRecipe.command)
        #expect(!all.isEmpty)
        for option in all { #expect(!option.isFlag && run[option.name] == option) }
    }
}
