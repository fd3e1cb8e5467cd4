import ArgumentParser
import Desk
import Foundation
import SavedSessions
import SoundFixtures
import Stages
import Surfaces
import Testing

@testable import Session
@testable import proscenium

/// Keys and commands of `run` and `ctl` beside the options of the table.
struct RunDoorsTests {
    @Test func everyKeyDoesSomethingOfItsOwn() {
        let keys = SessionTerminal.keys
        let values: [String: ParameterValue] = [
            "monitor-level": .numbers([-3]), "loudspeaker/FL/mute": .word("off"), "fold-down": .word("mono"),
        ]
        for key in keys {
            guard case .failure(let remark) = SessionTerminal.commands(key.meaning, values, .init()) else { continue }
            #expect(remark.words.contains("is chosen"), "\(key.keys)")
        }
        #expect(Set(keys.flatMap(\.keys)).count == keys.map(\.keys.count).reduce(0, +))
        #expect(RunCommand.helpMessage(columns: 4000).contains(SessionTerminal.sentence))
    }

    @Test func keysGoByWhatIsInForceAndWhatIsChosen() throws {
        let values: [String: ParameterValue] = [
            "monitor-level": .numbers([-3]), "fold-down": .word("mono"), "loudspeaker/FL/mute": .word("off"),
            "loudspeaker/SR/mute": .word("off"),
        ]
        let chosen = SessionTerminal.Choice()
        func pressed(_ key: Character) throws -> SessionCommand {
            let found = try #require(SessionTerminal.keys.first { $0.keys.contains(key) })
            return try #require(SessionTerminal.commands(found.meaning, values, chosen).get().first)
        }
        func set(_ name: String, _ word: String, of input: String? = nil) throws -> SessionCommand {
            .set(try ParameterChange(name, [word], input: input))
        }
        #expect(try pressed("+") == set("monitor-level", "-2"))
        #expect(try pressed("-") == set("monitor-level", "-4"))
        #expect(try pressed("F") == set("fold-down", "none"))
        // Values that are no fold-down of the stage are skipped.
        let fold = try #require(SessionTerminal.keys.first { $0.keys.contains("F") })
        let next = try SessionTerminal.commands(fold.meaning, ["fold-down": .word("none")], chosen).get()
        #expect(try next == ["7.1", "5.1", "stereo", "mono"].map { try set("fold-down", $0) })
        // Groups come before loudspeakers, and the first follows the last.
        #expect(try pressed("U") == set("loudspeaker-mute", "toggle", of: "front"))
        #expect(throws: SessionTerminal.Remark.self) { try pressed("[") }
        #expect(try pressed("S") == set("loudspeaker-solo", "toggle", of: "SR"))
        #expect(throws: SessionTerminal.Remark.self) { try pressed("]") }
        #expect(try pressed("V") == set("loudspeaker-polarity", "toggle", of: "front"))
    }

    @Test func watchingHasRoomForAllThatMattersInEightyColumns() throws {
        let tracker = try JSONDecoder().decode(
            TrackerReport.self,
            from: Data(
                """
                {"tracker":"osc:9000","id":"osc","connection":"open","fresh":true,"ageSeconds":0.0123,"rateHertz":100,\
                "received":7,"dropped":{},"complaints":[]}
                """.utf8))
        var status = SessionStatus()
        (status.mode, status.yaw, status.pitch, status.roll) = ("relative", -123.4, -12.3, 10.5)
        (status.head, status.gainReduction, status.load, status.xruns) = (tracker, -1, 0.12, 3)
        (status.inputPeaks, status.outputPeaks) = (Array(repeating: -10, count: 12), [-12.3, -101])
        let line = WatchCommand.line(status).text(columns: 80)
        for part in ["y -123.4 p -12.3 r +10.5°", "Hz", "ms", "L ", "R ", "load", "xruns"] {
            #expect(line.contains(part), "\(line)")
        }
    }

    @Test func whatIsTypedIsKnownByAddress() {
        func typed(_ words: String...) -> TypedAddresses { TypedAddresses(of: TypedOptions(["run"] + words).kept) }
        let addresses: TypedAddresses = [
            "input/main/level", "yaw-pull", "room", "input/talk/level", "input/reverb/mute",
        ]
        #expect(
            typed(
                "--level", "-3", "--yaw-pull=2", "--room", "studio", "--input", "talk=mono,role=direct,level=-6",
                "--input", "b=stereo", "--effect", "reverb=5.1,main=-12,mute=on", "--head", "osc:9000", "--fresh")
                == addresses)
        #expect(typed() == [])
        // The mode of the command line applies to all inputs; '--mono' is no parameter of the monitor section.
        let mode = typed("--mode", "fixed")
        #expect(mode.contains("input/main/mode") && mode.contains("input/talk/mode") && !mode.contains("mode"))
        #expect(typed("--mono", "wide") == [])
        #expect(
            typed("--centre", "0.5", "--width=1", "--ambience", "0")
                == ["input/main/upmix-centre", "input/main/upmix-width", "input/main/upmix-ambience"])
    }

    @Test func loudspeakersAreCompleted() {
        func completions(_ words: String...) -> [String] {
            ControlCommand.Set.completions(["proscenium", "ctl"] + words, at: words.count + 1)
        }
        #expect(
            completions("loudspeaker", "").starts(with: ["FL", "FR"]) || completions("loudspeaker", "").contains("TFL"))
        #expect(Set(completions("loudspeaker", "")).count == completions("loudspeaker", "").count)
        #expect(Set(completions("loudspeaker", "FL", "")) == ["mute", "solo", "polarity", "test-noise"])
        #expect(completions("loudspeaker", "FL", "mute", "o") == ["on", "off", "toggle"])
        #expect(completions("l").contains("loudspeaker") && completions("mode", "") == ["off", "fixed", "tracked"])
    }

    @Test func aSurfaceLearnsWhileTheSessionPlays() async throws {
        let (scratch, desk) = (try Scratch(), SessionDesk())
        let surface = try OpenSurface(SurfaceMap(), path: scratch("map.json"), learn: [], desk: desk)
        defer { surface.close() }
        func ask(_ command: SessionCommand.Surface) -> String? { surface.perform(command) }
        #expect(ask(.cancel)?.contains("no address waits") == true)
        #expect(ask(.learn("sideways"))?.contains("not an address") == true)
        #expect(ask(.learn("loudspeaker/FL/mute")) == nil && ask(.learn("input/main/level")) == nil)
        #expect(surface.learning == "loudspeaker/FL/mute")
        surface.receive([0x90, 36, 100])
        #expect(surface.learning == "input/main/level")
        let map = try SurfaceMap(text: String(contentsOfFile: scratch("map.json"), encoding: .utf8))
        #expect(map.bindings.map(\.address) == ["loudspeaker/FL/mute"])
        #expect(ask(.cancel) == nil && surface.learning == nil)
        surface.receive([0xE0, 0, 64])
        let after = try SurfaceMap(text: String(contentsOfFile: scratch("map.json"), encoding: .utf8))
        #expect(after.bindings.count == 1)

        let fixed = try OpenSurface(SurfaceMap(), path: nil, learn: [], desk: SessionDesk())
        #expect(fixed.perform(.learn("level"))?.contains("no map to write") == true)
        fixed.close()
    }
}
