import AudioIO
import AudioInMemory
import Desk
import Foundation
import SavedSessions
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// Values set while a session played, and the next session, which restores them.
@Suite(.timeLimit(.minutes(10))) struct LastValuesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var folder: String { scratch("last") }

    /// Begins a session that restores the last values, and its keeper.
    private func begin(
        fresh: Bool = false, typed: TypedAddresses = [], name: String = "proscenium",
        _ change: (inout LiveSettings) -> Void = { _ in }
    ) async throws -> (rig: LiveRig, keeper: LastValuesKeeper) {
        let rig = try await LiveRig { settings in
            settings.name = name
            settings.last = LastValuesRequest(folder: folder, isFresh: fresh, typed: typed)
            change(&settings)
        }
        let keeper = LastValuesKeeper(rig.live, at: rig.live.environment.desk) { rig.said.add($0) }
        await keeper.open()
        return (rig, keeper)
    }

    private func end(_ session: (rig: LiveRig, keeper: LastValuesKeeper)) async throws {
        await session.keeper.close()
        try await session.rig.live.end()
    }

    /// Performs commands in a session and ends it.
    private func leave(_ commands: [SessionCommand]) async throws {
        let session = try await begin()
        for command in commands { await session.rig.done(command) }
        try await end(session)
    }

    @Test func whatWasSetComesBackAndIsTold() async throws {
        let first = try await begin()
        #expect(first.rig.said.notes.isEmpty)
        for command in [
            try SessionCommand.set("monitor-level", "-12"), try .set("dim", "on"), try .set("level", "-3", of: "main"),
            try .set("calibrated-level", "85"), try .set("loudspeaker-mute", "on", of: "FL"),
        ] {
            await first.rig.done(command)
        }
        try await end(first)

        let again = try await begin()
        #expect(again.rig.state["monitor-level"] == .number(-12) && again.rig.state["dim"] == .word("on"))
        #expect(again.rig.state["input/main/level"] == .number(-3))
        #expect(again.rig.state["loudspeaker/FL/mute"] == .word("on"))
        #expect(again.rig.state["reference-level"] == .number(73))
        #expect(again.rig.said.notes.count == 1)
        let told = again.rig.said.notes.first ?? ""
        #expect(
            told.contains("monitor-level -12") && told.contains("loudspeaker/FL/mute on") && told.contains("--fresh"))
        #expect(await again.rig.refusal(of: .history(.undo)) == "there is nothing to undo")
        // A value that is set back to its default is not restored.
        for command in [try SessionCommand.set("dim", "off"), try .set("monitor-level", "0")] {
            await again.rig.done(command)
        }
        try await end(again)
        let third = try await begin()
        #expect(third.rig.state["dim"] == .word("off") && third.rig.state["input/main/level"] == .number(-3))
        #expect(third.rig.said.notes.first?.contains("dim") == false)
        try await end(third)
    }

    @Test func itIsInForceFromTheFirstFrame() async throws {
        try await leave([try .set("monitor-mute", "on")])
        let session = try await begin { $0.connectOut = "physical" }
        try #require(session.rig.server.connect("daw:out_1", to: "proscenium:in_FL"))
        let ears = session.rig.play(seconds: 0.1)
        #expect(ears[0].count > 4000 && ears.allSatisfy { $0.allSatisfy { $0 == 0 } })
        try await end(session)
    }

    @Test func aFreshSessionBeginsWithDefaults() async throws {
        try await leave([try .set("monitor-level", "-12")])
        let session = try await begin(fresh: true)
        #expect(session.rig.state["monitor-level"] == .number(0))
        #expect(session.rig.said.notes.contains { $0.contains("begins fresh") })
        try await end(session)
        // The earlier values are gone.
        let after = try await begin()
        #expect(after.rig.state["monitor-level"] == .number(0) && after.rig.said.notes.isEmpty)
        try await end(after)
    }

    @Test func aComparisonEndsAsItWouldHave() async throws {
        try await leave([try .set("mode", "fixed", of: "main"), try .set("compare", "bypass")])
        let session = try await begin()
        #expect(session.rig.state["compare"] == .word("bypass") && session.rig.state["input/main/mode"] == .word("off"))
        await session.rig.done(try .set("compare", "off"))
        #expect(session.rig.state["input/main/mode"] == .word("fixed"))
        try await end(session)
    }

    @Test func aModeThatIsTypedIsThatOfTheEndOfAComparison() async throws {
        try await leave([try .set("compare", "bypass")])
        let fixed = try ParameterChange("mode", ["fixed"])
        let session = try await begin(typed: ["input/main/mode"]) { $0.stage.take([fixed]) }
        #expect(session.rig.state["compare"] == .word("bypass"))
        await session.rig.done(try .set("compare", "off"))
        #expect(session.rig.state["input/main/mode"] == .word("fixed"))
        try await end(session)
    }

    @Test func whatIsSaidNowHolds() async throws {
        try await leave([try .set("level", "-3", of: "main"), try .set("mode", "fixed", of: "main")])
        // First an option equal to the default, then one with another value.
        let said = try await begin(typed: ["input/main/level"])
        #expect(said.rig.state["input/main/level"] == .number(0))
        #expect(said.rig.state["input/main/mode"] == .word("fixed"))
        #expect(said.rig.said.notes.contains { $0.contains("config file have changed: input/main/level -3") })
        try await end(said)
        let louder = try ParameterChange("level", ["-9"])
        let other = try await begin { $0.stage.take([louder]) }
        #expect(other.rig.state["input/main/level"] == .number(-9))
        #expect(other.rig.said.notes.contains { $0.contains("config file have changed: input/main/level -3") })
        try await end(other)
        // The option applies to its session only.
        let after = try await begin()
        #expect(after.rig.state["input/main/level"] == .number(-3))
        try await end(after)
    }

    @Test func clientsOfOtherNamesKeepApart() async throws {
        try await leave([try .set("monitor-level", "-12")])
        let other = try await begin(name: "a/b talk")
        #expect(other.rig.state["monitor-level"] == .number(0))
        await other.rig.done(try .set("monitor-level", "-30"))
        try await end(other)
        let kept = try LastValues(path: LastValues.path(of: "a/b talk", in: folder))
        #expect(kept.changes["monitor-level"]?.after == .number(-30))
        #expect(!LastValues.path(of: "../../x", in: "").contains(".."))
        let mine = try await begin()
        #expect(mine.rig.state["monitor-level"] == .number(-12))
        try await end(mine)
    }

    @Test func whatIsNotThereIsKeptForWhenItIs() async throws {
        let path = LastValues.path(of: "proscenium", in: folder)
        var values = LastValues()
        values.changes["input/talk/level"] = .init(before: .number(0), after: .number(-6))
        values.changes["yaw-pull"] = .init(before: .number(0.1), after: .number(2))
        values.changes["test-noise"] = .init(before: .word("off"), after: .word("on"))
        values.changes["reference-level"] = .init(before: nil, after: .number(79))
        try values.write(to: path)
        let session = try await begin()
        #expect(session.rig.said.notes.count == 1 && session.rig.said.notes[0].contains("'reference-level 79'"))
        try await end(session)
        let kept = try LastValues(path: path)
        #expect(kept.changes["yaw-pull"]?.after == .number(2))
        #expect(kept.changes["input/talk/level"]?.after == .number(-6) && kept.changes["reference-level"] != nil)
    }

    @Test func `A value that could not be applied stays until a command sets its address`() {
        var values = Inheritance()
        values.given.changes["room"] = .init(before: .word("on"), after: .word("off"))
        values.missed = ["room"]
        // In the next session a room is loaded, and is switched on at first.
        #expect(values.begin(with: ["room": .word("on")]) == ["room"])
        #expect(values.left(["room": .word("on")]) { _ in true }.changes["room"]?.after == .word("off"))
        values.said = ["room"]
        #expect(values.left(["room": .word("on")]) { _ in true }.isEmpty)
    }

    /// Values of another layout's loudspeakers begin where the layout is heard first.
    @Test func whatAppearsWithALayoutIsSavedWhereItIsSet() async throws {
        let path = LastValues.path(of: "proscenium", in: folder)
        let wide = try SessionCommand.set("layout", "5.1")
        try await leave([wide])
        #expect(try LastValues(path: path) == LastValues())
        try await leave([wide, try .set("loudspeaker-mute", "on", of: "LFE"), try .set("layout", "stereo")])
        let lfe = "loudspeaker/LFE/mute"
        let muted = SessionDifference.Change(before: .word("off"), after: .word("on"))
        #expect(try LastValues(path: path).changes == [lfe: muted])
        let first = try await begin { $0.stage.layout = "5.1" }
        #expect(first.rig.state[lfe] == .word("on"))
        #expect(
            !first.rig.said.notes.contains { $0.contains("not restored, because options") }, "\(first.rig.said.notes)")
        try await end(first)
        // In a session that has the loudspeaker later, it is muted from then on.
        let second = try await begin()
        #expect(second.rig.said.notes.isEmpty)
        await second.rig.done(wide)
        #expect(second.rig.state[lfe] == .word("on"))
        #expect(second.rig.said.notes.contains { $0.contains("restored from the last session: \(lfe) on") })
        try await end(second)
        #expect(try LastValues(path: path).changes[lfe]?.after == .word("on"))
        let third = try await begin { $0.stage.layout = "5.1" }
        await third.rig.done(try .set("loudspeaker-mute", "off", of: "LFE"))
        try await end(third)
        #expect(try LastValues(path: path) == LastValues())
    }

    /// Earlier versions left out the first values of what appeared with a layout, and wrote values that were never set.
    @Test func aFileWithoutFirstValuesBeginsWithTheDefaults() async throws {
        let path = LastValues.path(of: "proscenium", in: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let values = #""loudspeaker/FC/mute": {"now": "off"}, "loudspeaker/LFE/mute": {"now": "on"}"#
        try Data("{\"version\": 1, \"values\": {\(values), \"calibrated-level\": {\"now\": 80}}}".utf8).write(
            to: URL(fileURLWithPath: path))
        let session = try await begin { $0.stage.layout = "5.1" }
        #expect(session.rig.state["loudspeaker/LFE/mute"] == .word("on"))
        #expect(session.rig.state["calibrated-level"] == .number(80))
        #expect(!session.rig.said.notes.contains { $0.contains("FC") }, "\(session.rig.said.notes)")
        try await end(session)
    }

    @Test func aFileThatIsNoneIsTold() async throws {
        let path = LastValues.path(of: "proscenium", in: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, text) in ["", "{}", "{\"version\": 1, \"values\": {\"dim\": {}}}"].enumerated() {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let session = try await begin()
            #expect(session.rig.said.notes.count == 1 && session.rig.said.notes[0].contains("are not restored"))
            #expect(session.rig.state["dim"] == .word("off"))
            await session.rig.done(try .set("dim", "on"))
            try await end(session)
            // The damaged file is renamed, and the values of this session are saved.
            let aside = path + ".damaged" + (number == 0 ? "" : "-\(number + 1)")
            #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
            #expect(session.rig.said.notes[0].contains(aside))
            #expect(try LastValues(path: path).changes["dim"]?.after == .word("on"))
        }
    }

    @Test func `A file of a newer version stays as it is, also one written while the session plays`() async throws {
        let path = LastValues.path(of: "proscenium", in: folder)
        let newer = "{\"version\": 2, \"values\": {}}"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        func isLeft() throws -> Bool { try String(contentsOfFile: path, encoding: .utf8) == newer }
        try write(newer)
        let session = try await begin()
        #expect(session.rig.said.notes.count == 1)
        let told = session.rig.said.notes.first ?? ""
        #expect(told.contains("a newer version wrote \(path)") && told.contains("are not saved"))
        await session.rig.done(try .set("dim", "on"))
        try await end(session)
        #expect(session.rig.said.notes.contains { $0.contains("will not be restored: a newer version") })
        #expect(try isLeft())
        LastValues.remove(path)
        #expect(try isLeft())
        // Without a change there is nothing to save, and no second remark.
        let quiet = try await begin()
        try await end(quiet)
        #expect(quiet.rig.said.notes.count == 1)
        try FileManager.default.removeItem(atPath: path)
        let other = try await begin()
        try write(newer)
        await other.rig.done(try .set("dim", "on"))
        try await end(other)
        #expect(try isLeft())
    }

    @Test func `Keys that this version does not understand stay in the file`() async throws {
        let path = LastValues.path(of: "proscenium", in: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = "{\"version\": 1, \"values\": {\"sparkle\": {\"now\": 3}}, \"colour\": \"red\"}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try await leave([try .set("dim", "on")])
        let kept = try String(contentsOfFile: path, encoding: .utf8)
        #expect(kept.contains("\"colour\" : \"red\"") && kept.contains("\"sparkle\""))
        #expect(try LastValues(path: path).changes["dim"]?.after == .word("on"))
        LastValues.remove(path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aChangeIsKeptWithoutAWord() async throws {
        let session = try await begin()
        await session.rig.done(try .set("dim", "on"))
        let path = LastValues.path(of: "proscenium", in: folder)
        #expect(await eventually { (try? LastValues(path: path))?.changes["dim"]?.after == .word("on") })
        try await session.rig.live.end()
    }

    @Test func nothingIsWrittenWhereNothingWasSet() async throws {
        try await leave([])
        #expect(!FileManager.default.fileExists(atPath: folder))
        for address in ["layout", "hrtf", "slice", "scene", "print-bus", "plugin/eq/bypass", "record", "client"] {
            #expect(!LastValues.isKept(address), "\(address)")
        }
        for address in ["room", "dim", "input/main/level", "loudspeaker/FL/mute", "yaw-pull"] {
            #expect(LastValues.isKept(address), "\(address)")
        }
    }
}
