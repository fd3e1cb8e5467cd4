import AbsentPlaces
import ArgumentParser
import Desktop
import Foundation
import SoundFixtures
import Soundstage
import Stages
import Testing

@testable import proscenium

/// `proscenium desktop rule` as a user runs it, and the session's words that follow from the rules.
@Suite struct DesktopRuleTests {
    /// Runs the command with a folder for the program's state, without programs of PipeWire.
    private func rule(_ words: String..., in folder: Scratch) throws -> Run {
        try Run(["desktop", "rule"] + words, environment: ["XDG_STATE_HOME": folder.path, "PATH": "/nowhere"])
    }

    @Test func `Rules are set, shown, forgotten and cleared`() throws {
        let folder = try Scratch()
        #expect(try rule(in: folder).output == "default: that of the sink\n")
        #expect(folder.contents == [])
        #expect(try rule("Firefox", "upmix", in: folder).output == "Firefox: upmix\ndefault: that of the sink\n")
        let own = try rule("ZOOM VoiceEngine", "own", "--place", "-60", "--level", "-3dB", in: folder)
        #expect(own.status == 0, "\(own.complaints)")
        #expect(try rule("--role", "Music", "upmix", in: folder).status == 0)
        #expect(try rule("--default", "plain", in: folder).status == 0)
        let lines = [
            "Firefox: upmix", "ZOOM VoiceEngine: own (input 'zoomvoiceeng'), place -60°, level -3 dB",
            "role Music: upmix", "default: plain", "",
        ]
        #expect(try rule(in: folder).output == lines.joined(separator: "\n"))
        #expect(try rule("--json", in: folder).output.contains("\"application\" : \"Firefox\""))
        #expect(try rule("firefox", "forget", in: folder).status == 0)
        #expect(try rule("--role", "Music", "forget", in: folder).status == 0)
        #expect(try rule(in: folder).output.hasPrefix("ZOOM"))
        #expect(try rule("--clear", in: folder).output == "no rules\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("proscenium")) == [])
    }

    /// The rules have own ranges, so that the error of a faulty rule names the rule or its place in the file.
    @Test func `The places and levels of rules are those of an input`() throws {
        let place = try #require(Parameter.named("place")), level = try #require(Parameter.named("level"))
        #expect(place.numbers.first?.range == StreamRules.places)
        #expect(level.numbers.first?.range == StreamRules.levels)
    }

    @Test(arguments: [
        ["Firefox"], ["Firefox", "loud"], ["Firefox", "forget"], ["a", "b", "past"], ["--role", "Music", "own"],
        ["--default", "--role", "Music", "past"], ["Firefox", "past", "--place", "30"], ["--place", "30"],
        ["Firefox", "own", "--place", "400"], ["Firefox", "own", "--level", "nan"], ["--clear", "Firefox"],
        ["--default", "past", "--level", "3"],
    ])
    func `What is no rule is wrong usage`(_ words: [String]) throws {
        let folder = try Scratch()
        let run = try Run(
            ["desktop", "rule"] + words, environment: ["XDG_STATE_HOME": folder.path, "PATH": "/nowhere"])
        #expect(run.status == 2 && run.output == "", "\(run.complaints)")
        #expect(folder.contents == [])
    }

    @Test func `A damaged file is named with the fault, and can be cleared`() throws {
        let folder = try Scratch()
        try FileManager.default.createDirectory(atPath: folder("proscenium"), withIntermediateDirectories: true)
        let path = folder("proscenium/desktop-rules.json")
        try Data(#"{"version": 1, "default": 7}"#.utf8).write(to: URL(fileURLWithPath: path))
        let run = try rule("Firefox", "past", in: folder)
        #expect(run.status == 1)
        #expect(run.complaints.first?.contains("\(path): default must be one of") == true, "\(run.complaints)")
        #expect(try rule("--clear", in: folder).status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Returns the further inputs of the session for a layout.
    private func inputs(_ layout: String, typed: [String] = [], _ rules: StreamRules) throws -> [String] {
        let config = AbsentPlace.path()
        let recipe = try DesktopRecipe(typed: DesktopRecipe.options(typed), layout: layout, rules, config: config)
        let parsed = try Defaults.parse(DesktopRecipe.words, config: config, asks: false, desktop: recipe) { _ in }
        let command = try #require(parsed as? RunCommand)
        #expect(command.more.input == recipe.inputs)
        return recipe.inputs
    }

    @Test func `Typed options come before the config file, and that before the desktop's defaults`() throws {
        let folder = try Scratch()
        func values(_ typed: String..., config: String) throws -> [String: [String]] {
            let path = folder("config")
            try Data(config.utf8).write(to: URL(fileURLWithPath: path))
            let recipe = try DesktopRecipe(typed: DesktopRecipe.options(typed), StreamRules(), config: path)
            let parsed = try Defaults.parse(DesktopRecipe.words, config: path, asks: false, desktop: recipe) { _ in }
            let command = try #require(parsed as? RunCommand)
            #expect(command.quiet && command.place.name == DesktopRecord.session)
            let all = try Defaults.recipe(
                for: DesktopRecipe.words, config: path, asks: false, desktop: recipe
            ) { _ in }.values
            #expect(all["name"] == [DesktopRecord.session] && all["input"] == recipe.inputs)
            return all.filter { !["name", "quiet", "input"].contains($0.key) }
        }
        #expect(try values(config: "") == ["layout": ["7.1"], "limiter": ["lookahead"], "gain": ["-3"]])
        // The options that the sinks need take precedence over the config file. The others come from the config
        // file, or else from the desktop's defaults.
        let config = "name = film\nslice = 128\nlayout = 5.1\n[run]\nlayout = stereo\ngain = -6\ninput = bell=mono\n"
        let stereo = ["layout": ["stereo"], "limiter": ["lookahead"], "gain": ["-6"], "slice": ["128"]]
        #expect(try values(config: config) == stereo.merging(["upmix": ["identity"]]) { $1 })
        #expect(try values(config: config + "upmix = off\n") == stereo.merging(["upmix": ["off"]]) { $1 })
        let typed = try values(
            "--default", "--layout", "5.1", "--output", "phones", "--gain=-1", "--gain", "2", config: config)
        #expect(typed == ["layout": ["5.1"], "limiter": ["lookahead"], "gain": ["2"], "slice": ["128"]])
    }

    @Test func `The session has an input for each way that the rules need`() throws {
        let past = "past=stereo,role=direct,level=3"
        var rules = StreamRules()
        #expect(try inputs("7.1", rules) == [past])
        try rules.set(application: "Firefox", to: .upmix)
        #expect(try inputs("7.1", rules) == [past, "upmix=stereo,upmix=identity"])
        // The main input upmixes by itself, unless that is off.
        #expect(try inputs("stereo", rules) == [past])
        #expect(try inputs("stereo", typed: ["--upmix", "off"], rules) == [past, "upmix=stereo,upmix=identity"])
        #expect(try inputs("stereo", typed: ["--upmix=off"], rules) == [past, "upmix=stereo,upmix=identity"])
        try rules.set(role: "Game", to: .plain)
        #expect(try inputs("stereo", rules) == [past, "plain=stereo"])
        try rules.set(application: "Zoom", to: .own, place: 60, level: -6)
        #expect(try inputs("7.1", rules).last == "zoom=stereo,place=60,level=-6")
        // The session reads them.
        let settings = try inputs("7.1", rules).map { try InputSettings(parsing: $0) }
        #expect(settings.map(\.name) == ["past", "upmix", "zoom"])
        #expect(settings[0].role == .direct && settings[1].upmix == .identity)
        #expect(settings[2].changes.map(\.parameter.id) == ["place", "level"])
    }
}
