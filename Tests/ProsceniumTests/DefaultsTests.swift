import AbsentPlaces
import ArgumentParser
import Control
import Foundation
import Racks
import Soundstage
import Stages
import Testing

@testable import proscenium

@Suite struct DefaultsTests {
    private func session(_ json: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        return folder
    }

    /// Returns the values that files set for the options of a command line.
    private func values(_ typed: [String], config path: String = ConfigFile.path) throws -> [String: [String]] {
        try Defaults.recipe(for: typed, config: path, asks: false) { _ in }.values
    }

    @Test func aSessionsOptionsComeBeforeTheUsersOwnWhichWin() throws {
        let folder = try session(#"{"layout": "5.1", "gain": -3, "slice": 128}"#)
        let words = ["run", "--session", folder, "--gain", "2"]
        let set = try values(words)
        #expect(set["layout"] == ["5.1"] && set["slice"] == ["128"] && set["gain"] == nil)
        let command = try #require(try Defaults.parse(words) as? RunCommand)
        let stage = try command.stage.settings()
        #expect(command.stage.layout == "5.1")
        #expect((stage.gain, stage.slice) == (2, 128))
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A session leaves choices that are the default out of its folder; the config file must not change them.
    @Test func theStageOfASavedSessionIsNotThatOfTheConfigFile() throws {
        func saved(_ version: String, _ typed: String...) throws -> [String: [String]] {
            let folder = try session("{\(version), \"options\": {\"gain\": \"-3\"}}")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let config = folder + "/config"
            try Data("layout = 5.1\nroom = studio\nname = film\n[run]\ngain = 2\nlimiter = off\n".utf8).write(
                to: URL(fileURLWithPath: config))
            return try values(["run", "--session", folder] + typed, config: config)
        }
        #expect(try saved(#""version": 2, "step": 1"#) == ["gain": ["-3"], "name": ["film"]])
        #expect(try saved(#""version": 2, "step": 1"#, "--layout", "7.1")["layout"] == nil)
        // Folders of the first versions held only choices that were typed.
        #expect(try saved(#""version": 2"#)["layout"] == ["5.1"])
    }

    /// The parser takes the last one; a session manager adds its own behind the typed words.
    @Test func ofTwoSessionsTheLastCounts() throws {
        let (one, other) = (try session(#"{"layout": "5.1"}"#), try session(#"{"slice": 128}"#))
        defer { for folder in [one, other] { try? FileManager.default.removeItem(atPath: folder) } }
        for words in [
            ["--session", one, "--session", other], ["--session=\(one)", "--session=\(other)"],
            ["--session", one, "--session=\(other)", "--", "--session", one],
        ] {
            #expect(try values(["run"] + words, config: AbsentPlace.path()) == ["slice": ["128"]], "\(words)")
        }
    }

    @Test func aFormerNameGivesWayToThePresentOne() throws {
        let folder = try session(#"{"options": {"centre": 0.3, "upmix-centre": 0.7, "width": 0.2}, "version": 2}"#)
        let words = ["run", "--session", folder, "--upmix-width", "1"]
        #expect(try values(words, config: AbsentPlace.path()) == ["upmix-centre": ["0.7"]])
        let command = try #require(try Defaults.parse(words, config: AbsentPlace.path()) as? RunCommand)
        let amounts = try command.stage.settings().programmes.upmix.amounts
        #expect(amounts.centre == 0.7 && amounts.width == 1)
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The folder of each session with plugins contains a folder `plugins`, which a client may have as its name.
    @Test func aNameInASessionIsNoFileOfItsFolder() throws {
        let folder = try session(#"{"name": "plugins"}"#)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/plugins", withIntermediateDirectories: true)
        #expect(try values(["run", "--session", folder])["name"] == ["plugins"])
    }

    @Test func pathsInASessionAreRelativeToItsFolder() throws {
        let folder = try session(#"{"poses": "poses.csv", "hrtf": "kemar"}"#)
        try Data("t,w,x,y,z\n0,1,0,0,0\n".utf8).write(to: URL(fileURLWithPath: folder + "/poses.csv"))
        let set = try values(["render", "a.wav", "b.wav", "--session=\(folder)"])
        #expect(set["poses"] == ["\(folder)/poses.csv"] && set["hrtf"] == ["kemar"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func whatOnlyTheOtherCommandKnowsIsPassedOver() throws {
        let folder = try session(#"{"head": "osc:9000"}"#)
        #expect(try values(["render", "--session", folder])["head"] == nil)
        #expect(try values(["run", "--session", folder])["head"] == ["osc:9000"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(arguments: [#"{"loudness": 3}"#, #"["layout"]"#, #"{"layout": ["5.1"]}"#, "not JSON"])
    func aSessionThatCannotBeMeantIsRefused(_ json: String) throws {
        let folder = try session(json)
        let error = #expect(throws: (any Error).self) { try values(["run", "--session", folder]) }
        #expect(error.map { Failure($0).message.contains("session.json") } == true)
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A session of another version may have unknown keys and values; one written by hand may have typing errors.
    @Test func whatASessionSaysBeyondThisVersionIsToldAndLeft() throws {
        let text = #""sparkle": 1, "slice": "blue", "gain": {"x": 1}, "layout": "5.1", "limiter": "thick""#
        let folder = try session("{\"version\": 2, \"options\": {\(text)}, \"state\": {\"sparkle\": 1}}")
        var told: [String] = []
        let command = try #require(try Defaults.parse(["run", "--session", folder]) { told.append($0) } as? RunCommand)
        #expect(command.stage.layout == "5.1")
        for word in ["'sparkle'", "slice", "'gain'", "limiter", "state/sparkle"] {
            #expect(told.contains { $0.contains(word) }, "\(word): \(told)")
        }
        let byHand = try session("{\(text)}")
        #expect(throws: Failure.self) { try Defaults.parse(["run", "--session", byHand]) }
        for folder in [folder, byHand] { try FileManager.default.removeItem(atPath: folder) }
    }

    @Test func aSessionManagerStartsItByItsNameAlone() {
        #expect(TypedWords.completed([], ["NSM_URL": "osc.udp://localhost:1/"]) == ["run"])
        for environment in [[:], ["NSM_URL": ""]] { #expect(TypedWords.completed([], environment).isEmpty) }
        #expect(TypedWords.completed(["doctor"], ["NSM_URL": "osc.udp://localhost:1/"]) == ["doctor"])
    }

    @Test func aMissingSessionIsSaid() {
        let missing = ["render", "a.wav", "b.wav", "--session", AbsentPlace.path()]
        #expect(throws: Failure.self) { try values(missing) }
    }

    @Test func aSessionMayHoldSeveralInputsInAList() throws {
        let folder = try session(#"{"input": ["talk=mono", "radio=stereo"], "slice": 128}"#)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func inputs(_ typed: String...) throws -> [String] {
            let parsed = try Defaults.parse(["run", "--session", folder] + typed, config: AbsentPlace.path())
            return try #require(parsed as? RunCommand).more.input
        }
        #expect(try inputs() == ["talk=mono", "radio=stereo"])
        #expect(try inputs("--input", "bell=mono") == ["bell=mono"])
    }

    @Test func savedChainsComeBeforeThePluginsOfTheConfigFile() throws {
        let folder = try session(#"{"options": {}, "version": 2}"#)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let config = folder + "/config"
        try Data("[run]\nplugin = main=urn:x/amp,name=amp,gain=2\n".utf8).write(to: URL(fileURLWithPath: config))
        func chains(_ typed: String...) throws -> [PluginRequest] {
            let words = ["run", "--session", folder] + typed
            let parsed = try Defaults.parse(words, config: config, asks: false) { _ in }
            let command = try #require(parsed as? RunCommand)
            return try command.stage.plugins.chains(in: folder, typed: TypedOptions(words))
        }
        func save(_ plugins: String) throws {
            try FileManager.default.createDirectory(atPath: folder + "/plugins", withIntermediateDirectories: true)
            try Data("{\"plugins\": [\(plugins)], \"version\": 1}".utf8).write(
                to: URL(fileURLWithPath: folder + "/plugins/chains.json"))
        }
        // Without saved chains the config file counts.
        #expect(try chains().map(\.controls.count) == [1])
        try save(#"{"name": "amp", "place": "main", "identifier": "urn:x/amp", "isBypassed": true}"#)
        let saved = try chains()
        #expect(saved.map(\.name) == ["amp"] && saved.allSatisfy { $0.controls.isEmpty && $0.isBypassed })
        #expect(try chains("--plugin", "main=urn:x/amp,name=amp,gain=3").map(\.controls.count) == [1])
        #expect(try chains("--plugin=main=urn:x/delay,name=delay").map(\.name) == ["amp", "delay"])
        // A plugin that was removed stays removed.
        try save("")
        #expect(try chains().isEmpty)
    }
}

/// The user's config file.
@Suite struct DefaultsConfigTests {
    /// Writes a config file with this text, and returns its path.
    private func config(_ text: String) throws -> String { try config(bytes: Data(text.utf8)) }

    private func config(bytes: Data) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID())").path
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    private func values(_ typed: [String], _ text: String) throws -> [String: [String]] {
        let path = try config(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try Defaults.recipe(for: typed, config: path, asks: false) { _ in }.values
    }

    /// Returns the complaint about a config file; nil without one.
    private func complaint(_ typed: [String], _ path: String) -> String? {
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            _ = try Defaults.parse(typed, config: path)
            return nil
        } catch let failure as Failure {
            return failure.fault == .input ? failure.message : "another fault: \(failure.message)"
        } catch {
            return "no failure of the file: \(error)"
        }
    }

    @Test(
        arguments: [
            (["recentre"], 9151), (["level", "-6"], 9151), (["seek", "--", "-5"], 9151),
            (["--port", "9152", "recentre", "full"], 9152), (["--port=9152", "status", "--json"], 9152),
            (["quit", "--port", "9152"], 9152), (["--to", "film", "quit"], nil),
        ] as [([String], Int?)])
    func thePortOfCtlIsThatOfTheFileUnlessASessionIsTyped(_ words: [String], _ port: Int?) throws {
        let path = try config("port = 9151\n")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = try Defaults.parse(["ctl"] + words, config: path)
        let children = Mirror(reflecting: command).children
        let group = children.lazy.compactMap { $0.value as? OptionGroup<ControlPort> }.first
        #expect(try #require(group).wrappedValue.port?.port == port)
    }

    @Test func thePortOfCtlMayBeTypedFirstWithoutAConfig() throws {
        let words = ["ctl", "--port", "9151", "recentre"]
        #expect(Defaults.ordered(words) == ["ctl", "recentre", "--port", "9151"])
        #expect(
            Defaults.ordered(["ctl", "--to=film", "seek", "--", "-5"]) == ["ctl", "seek", "--to=film", "--", "-5"])
        _ = try Defaults.parse(words, config: AbsentPlace.path())
    }

    @Test func aSectionWinsOverTheGeneralLines() throws {
        let text = "gain = -3\nslice = 128\n[run]\ngain = -6\n[render]\ngain = -9\n"
        #expect(try values(["run"], text) == ["gain": ["-6"], "slice": ["128"]])
        #expect(try values(["render", "a", "b"], text) == ["gain": ["-9"], "slice": ["128"]])
    }

    @Test func whatMayBeGivenSeveralTimesMayStandSeveralTimes() throws {
        let text = "input = talk=mono\ninput = radio=stereo\n"
        #expect(try values(["run"], text) == ["input": ["talk=mono", "radio=stereo"]])
        #expect(try values(["run"], text + "[run]\ninput = bell=mono\n") == ["input": ["bell=mono"]])
        #expect(try values(["run", "--input=bell=mono"], text).isEmpty)
    }

    @Test func aRemarkBeginsBehindWhiteSpaceAlone() throws {
        let text = "# mine\r\nname = stage#2 # the second\r\n\t# and\r\nslice = 128\r\n"
        #expect(try values(["run"], text) == ["name": ["stage#2"], "slice": ["128"]])
    }

    @Test func aFileThatIsNoTextIsSaid() throws {
        let path = try config(bytes: Data([0x67, 0xFF, 0xFE, 0x00]))
        #expect(complaint(["run"], path)?.hasPrefix("\(path) cannot be read") == true)
        // A folder cannot be read as a file either.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(complaint(["run"], folder)?.hasPrefix("\(folder) cannot be read") == true)
    }

    @Test(arguments: [
        ("slice = 128\ngain = loud\n", [String](), 2), ("gain = loud\nslice = 100\n", [String](), 1),
        ("slice = 128\nposes = a.csv\n", ["--motion", "b.ndjson"], 2),
    ]) func aDefaultThatCannotBeMeantIsBlamedOnItsLine(_ text: String, _ typed: [String], _ line: Int) throws {
        let path = try config(text)
        let said = try #require(complaint(["run"] + typed, path))
        #expect(said.hasPrefix("\(path), line \(line): "), "\(said)")
    }

    @Test func whatIsTypedWrongIsBlamedOnNoFile() throws {
        let path = try config("slice = 128\n")
        #expect(complaint(["run", "--gain", "loud"], path)?.hasPrefix("no failure of the file") == true)
    }

    @Test(arguments: ["--help", "-h"]) func helpIsHadInSpiteOfTheFile(_ help: String) throws {
        #expect(try values(["run", help], "nonsense\n").isEmpty)
        #expect(throws: Failure.self) { try values(["run"], "nonsense\n") }
    }
}
