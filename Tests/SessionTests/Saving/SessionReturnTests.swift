import AudioIO
import AudioInMemory
import Desk
import Foundation
import Gate
import Loading
import PlantedPlugins
import Racks
import SavedSessions
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// A session that is restored under other conditions.
@Suite(.timeLimit(.minutes(10))) struct SessionReturnTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var path: String { scratch("session") }

    private func keep(
        _ rig: LiveRig, _ options: [String: JSONValue] = [:], autosaves: Bool = true
    ) async throws -> SessionFolder {
        let folder = try SessionFolder(
            path, of: rig.live, at: rig.live.environment.desk, options: options, autosaves: autosaves
        ) { rig.said.add($0) }
        await folder.open()
        return folder
    }

    /// Begins a session as the program does: with the folder's values, except for those of the options.
    private func begin(
        _ options: [String: JSONValue] = [:], on server: MemoryServer = MemoryServer(),
        _ change: (inout LiveSettings) -> Void = { _ in }
    ) async throws -> (rig: LiveRig, folder: SessionFolder) {
        let saved = try SessionDocument(folder: path) ?? SessionDocument()
        let rig = try await LiveRig(on: server) { settings in
            settings.former = saved.former(but: TypedAddresses(of: options))
            change(&settings)
        }
        return (rig, try await keep(rig, options))
    }

    private func end(_ session: (rig: LiveRig, folder: SessionFolder)) async throws {
        try await session.folder.close()
        try await session.rig.live.end()
    }

    private var saved: SessionDocument? { try? SessionDocument(folder: path) }

    @Test func valuesAreInForceFromTheFirstFrame() async throws {
        let first = try await begin()
        for command in [
            try SessionCommand.set("monitor-mute", "on"), try .set("level", "-20", of: "main"),
            try .set("loudspeaker-solo", "on", of: "FL"), try .set("loudspeaker-solo", "on", of: "FR"),
            try .set("print-bus", "on"),
            try .set("loudspeaker-polarity", "on", of: "FR"),
        ] {
            await first.rig.change(command)
        }
        try await end(first)
        let former = try #require(saved)
        let rig = try await LiveRig { settings in
            (settings.former, settings.connectOut) = (former.former(but: []), "physical")
        }
        // The values are in force before the session's folder is opened.
        try #require(rig.server.connect("daw:out_1", to: "proscenium:in_FL"))
        let ears = rig.play(seconds: 0.1)
        #expect(ears[0].count > 4000 && ears.allSatisfy { $0.allSatisfy { $0 == 0 } })
        #expect(rig.state["input/main/level"] == .number(-20))
        #expect(rig.state["loudspeaker/FL/solo"] == .word("on") && rig.state["loudspeaker/FR/solo"] == .word("on"))
        #expect(rig.state["loudspeaker/FR/polarity"] == .word("on"))
        let folder = try await keep(rig)
        // A value that needs a playing stage follows with the folder.
        #expect(rig.state["print-bus"] == .word("on"))
        #expect(!rig.said.notes.contains { $0.contains("cannot be applied") }, "\(rig.said.notes)")
        try await end((rig, folder))
    }

    @Test func whatIsTypedOfAnInputCounts() async throws {
        let talk = try InputSettings(parsing: "talk=mono,level=-3")
        let words: [String: JSONValue] = ["input": .list([.text("talk=mono,level=-3")])]
        let first = try await begin(words) { $0.stage.programmes.inputs = [talk] }
        await first.rig.done(try .set("level", "-6", of: "talk"))
        try await end(first)
        #expect(saved?.state["input/talk/level"] == .number(-6))
        let again = try await begin { $0.stage.programmes.inputs = [talk] }
        #expect(again.rig.state["input/talk/level"] == .number(-6))
        try await end(again)
        let typed = try await begin(words) { $0.stage.programmes.inputs = [talk] }
        #expect(typed.rig.state["input/talk/level"] == .number(-3))
        try await end(typed)
    }

    @Test func aComparisonEndsAsItWouldHave() async throws {
        let first = try await begin()
        await first.rig.done(try .set("mode", "fixed", of: "main"))
        await first.rig.done(try .set("compare", "bypass"))
        try await end(first)
        let again = try await begin()
        #expect(again.rig.state["compare"] == .word("bypass"))
        await again.rig.done(try .set("compare", "off"))
        #expect(again.rig.state["input/main/mode"] == .word("fixed"))
        try await end(again)
        #expect(saved?.state["input/main/mode-before"] == nil)
    }

    @Test func switchesOfLoudspeakersThatTheHeardSceneLacksComeBack() async throws {
        let first = try await begin { $0.stage.layout = "5.1" }
        await first.rig.done(try .set("loudspeaker-mute", "on", of: "SL"))
        await first.rig.change(try .set("scene", "b"))
        await first.rig.change(try .set("layout", "stereo"))
        try await end(first)
        let again = try await begin()
        #expect(!again.rig.said.notes.contains { $0.contains("cannot be applied") }, "\(again.rig.said.notes)")
        await again.rig.change(try .set("scene", "a"))
        #expect(again.rig.state["loudspeaker/SL/mute"] == .word("on"))
        try await end(again)
        #expect(saved?.state["loudspeaker/SL/mute"] == .word("on"))
    }

    @Test func aModeThatIsTypedIsThatOfTheEndOfASavedComparison() async throws {
        let first = try await begin()
        await first.rig.done(try .set("compare", "bypass"))
        try await end(first)
        #expect(saved?.state["input/main/mode-before"] == .word("tracked"))
        let fixed = try ParameterChange("mode", ["fixed"])
        let typed = try await begin(["mode": .text("fixed")]) { $0.stage.take([fixed]) }
        #expect(typed.rig.state["compare"] == .word("bypass"))
        await typed.rig.done(try .set("compare", "off"))
        #expect(typed.rig.state["input/main/mode"] == .word("fixed"))
        try await end(typed)
    }

    @Test func connectionsAreSavedByThemselvesAndComeBackWithTheirPorts() async throws {
        let session = try await begin()
        try await session.rig.patch()
        func links() -> Set<String> { Set((saved?.links ?? []).map { "\($0.from) \($0.to)" }) }
        #expect(await eventually { links().count == 4 })
        // A connection that is removed stays away; one that goes with its client is restored.
        try #require(session.rig.server.disconnect("daw:out_2", from: "proscenium:in_FR"))
        #expect(await eventually { links().count == 3 })
        session.rig.server.removeClient("daw")
        await session.rig.done(try .set("level", "-1", of: "main"))
        #expect(await eventually { saved?.state["input/main/level"] == .number(-1) })
        #expect(links() == ["daw:out_1 :in_FL", ":out_L system:playback_1", ":out_R system:playback_2"])
        // A player that is restarted gets its connection back, and the save keeps it.
        session.rig.server.addClient("daw", outputs: ["out_1", "out_2"])
        await session.rig.clock.advance(by: 4)
        #expect(await session.rig.live.links.contains { $0.from == "daw:out_1" })
        await session.rig.done(try .set("level", "-2", of: "main"))
        #expect(await eventually { saved?.state["input/main/level"] == .number(-2) })
        #expect(links() == ["daw:out_1 :in_FL", ":out_L system:playback_1", ":out_R system:playback_2"])
        // Disconnected by hand after that, it stays away, also when the player restarts.
        try #require(session.rig.server.disconnect("daw:out_1", from: "proscenium:in_FL"))
        #expect(await eventually { links().count == 2 })
        session.rig.server.removeClient("daw")
        session.rig.server.addClient("daw", outputs: ["out_1", "out_2"])
        await session.rig.clock.advance(by: 4)
        await session.rig.done(try .set("level", "-3", of: "main"))
        #expect(await eventually { saved?.state["input/main/level"] == .number(-3) })
        #expect(links() == [":out_L system:playback_1", ":out_R system:playback_2"])
        try #require(session.rig.server.connect("daw:out_1", to: "proscenium:in_FL"))
        #expect(await eventually { links().count == 3 })
        session.rig.server.removeClient("daw")
        await session.rig.done(try .set("level", "-1", of: "main"))
        #expect(await eventually { saved?.state["input/main/level"] == .number(-1) })
        try await end(session)
        let again = try await begin()
        #expect(await again.rig.live.links.contains { $0.from == "daw:out_1" })
        try await end(again)
        #expect(links().count == 3)
    }

    @Test func whatCannotBeSavedIsTriedAgain() async throws {
        let session = try await begin()
        try await session.folder.save()
        try FileManager.default.removeItem(atPath: path)
        await session.rig.done(try .set("level", "-5", of: "main"))
        #expect(await eventually { session.rig.said.notes.contains { $0.contains("tried again") } })
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(await eventually { saved?.state["input/main/level"] == .number(-5) })
        #expect(session.rig.said.notes.filter { $0.contains("tried again") }.count == 1)
        try await end(session)
    }

    @Test func factsAreNothingToSave() async throws {
        let rig = try await LiveRig()
        let folder = try await keep(rig, autosaves: false)
        let dirt = Dirt()
        await folder.watch { dirt.note($0) }
        try await rig.patch()
        #expect(await eventually { dirt.heard == [true] })
        try await folder.save()
        #expect(dirt.heard == [true, false])
        // The state of the ears is a fact of this session; connections are saved.
        try #require(rig.server.disconnect("proscenium:out_L", from: "system:playback_1"))
        #expect(await eventually { dirt.heard.count == 3 })
        try #require(rig.server.connect("proscenium:out_L", to: "system:playback_1"))
        try await folder.save()
        rig.live.environment.desk.state.enter(
            rig.state.merging(["playback": .word("odd"), "server": .word("gone")]) { $1 })
        #expect(dirt.heard.count == 4)
        await rig.done(try .set("level", "-5", of: "main"))
        #expect(await eventually { dirt.heard.last == true })
        try await folder.close()
        try await rig.live.end()
    }

    @Test func whatIsMissingHereIsKeptUntilSomethingElseIsChosen() async throws {
        let first = try await begin(["hrtf": .text("rare-set"), "level": .text("-3")])
        try await end(first)
        #expect(saved?.recipe["hrtf"] == .text("rare-set"))
        // A scene that is not heard keeps such a request, too.
        let scenes = try await begin()
        await scenes.rig.change(try .set("scene", "b"))
        try await scenes.folder.save()
        #expect(saved?.scenes["a"]?["hrtf"] == .word("rare-set") && saved?.recipe["hrtf"] == nil)
        await scenes.rig.change(try .set("scene", "a"))
        try await scenes.folder.save()
        #expect(saved?.recipe["hrtf"] == .text("rare-set") && saved?.scenes["b"]?["hrtf"] == .word("default"))
        await scenes.rig.change(try .set("scene", "b"))
        try await end(scenes)
        let other = try await begin()
        #expect(other.rig.said.notes.contains { $0.contains("scene a: hrtf rare-set is not on this machine") })
        await other.rig.done(try .set("level", "-4", of: "main"))
        try await other.folder.save()
        #expect(saved?.scenes["a"]?["hrtf"] == .word("rare-set"))
        await other.rig.change(try .set("scene", "a"))
        await other.rig.change(try .set("hrtf", "kemar"))
        try await other.folder.save()
        await other.rig.change(try .set("hrtf", "default"))
        try await end(other)
        #expect(saved?.recipe["hrtf"] == nil)
    }

    @Test func whatIsRefusedOrNotUnderstoodStaysUntilItIsSet() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let text = #"""
            {"version":2,"options":{"sparkle":1},"state":{"input/main/mode":{"x":1},"input/main/level":{"x":1},
            "monitor-source":"reference","sparkle":3}}
            """#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/session.json"))
        let session = try await begin()
        #expect(session.rig.said.notes.contains { $0.contains("monitor-source reference cannot be applied here") })
        await session.rig.done(try .set("level", "-5", of: "main"))
        try await end(session)
        let kept = JSONValue(parsing: try String(contentsOfFile: path + "/session.json", encoding: .utf8))
        #expect(kept?["state"]?["input/main/mode"]?["x"] == .number(1))
        #expect(kept?["state"]?["input/main/level"] == .number(-5) && kept?["state"]?["sparkle"] == .number(3))
        #expect(kept?["state"]?["monitor-source"] == .text("reference") && kept?["options"]?["sparkle"] == .number(1))
    }

    @Test func whatWasUndoneIsNotRestored() async throws {
        let session = try await begin()
        await session.rig.done(try .set("dialnorm", "-20", of: "main"))
        await session.rig.done(try .set("calibrated-level", "83"))
        try await session.folder.save()
        #expect(saved?.state["input/main/dialnorm"] == .number(-20) && saved?.state["calibrated-level"] == .number(83))
        #expect(saved?.state["reference-level"] != nil)
        await session.rig.done(.history(.undo))
        await session.rig.done(.history(.undo))
        try await session.folder.save()
        #expect(saved?.state["input/main/dialnorm"] == nil && saved?.state["calibrated-level"] == nil)
        #expect(saved?.state["reference-level"] == nil)
        try await end(session)
    }

    @Test func aValueOutsideARowsRangeBuildsNoScene() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let text = #"{"version":2,"options":{},"scenes":{"b":{"gain":300}},"state":{"input/main/gain":3}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/session.json"))
        let session = try await begin()
        #expect(
            session.rig.said.notes.contains { $0.contains("scene b is not here") && $0.contains("300") },
            "\(session.rig.said.notes)")
        // A value of the session is not set at an input's address.
        #expect(session.rig.state["gain"] == .number(0))
        #expect(session.rig.said.notes.contains { $0.contains("input/main/gain 3 cannot be applied here") })
        try await end(session)
    }

    @Test func aPluginThatIsTypedAgainKeepsItsStateAndSavingGoesOn() async throws {
        let (shelf, uri) = (try PluginShelf.planted(), PlantedPlugins.uri("gain"))
        func start(_ typed: String) async throws -> (rig: LiveRig, folder: SessionFolder) {
            let request = try PluginRequest(parsing: typed)
            let chains = SessionFiles.plugins(try SessionFiles.plugins(in: path), typed: [request])
            return try await begin { settings in
                (settings.stage.shelf, settings.stage.plugins, settings.stage.isForgiving) = (shelf, chains, true)
            }
        }
        let first = try await start("main=\(uri)")
        await first.rig.done(.plugin(.set("gain", symbol: "gain", value: "0.25")))
        try await end(first)
        // Another version's entries for the plugin are kept.
        let chains = path + "/plugins/chains.json"
        var json = try String(contentsOfFile: chains, encoding: .utf8)
        json = json.replacing("\"isBypassed\"", with: "\"glow\": {\"x\": 1}, \"isBypassed\"")
        json = json.replacing("\"version\"", with: "\"maker\": \"other\", \"version\"")
        try Data(json.utf8).write(to: URL(fileURLWithPath: chains))
        let again = try await start("main=\(uri)")
        var status = await again.rig.live.status().plugins
        #expect(status.map(\.name) == ["gain"] && status.first?.controls["gain"] == 0.25)
        await again.rig.done(.plugin(.set("gain", symbol: "gain", value: "0.5")))
        try await end(again)
        let kept = JSONValue(parsing: try String(contentsOfFile: chains, encoding: .utf8))
        guard case .list(let plugins)? = kept?["plugins"] else { throw CocoaError(.coderReadCorrupt) }
        #expect(kept?["maker"] == .text("other") && plugins.count == 1 && plugins[0]["glow"]?["x"] == .number(1))
        let typed = try await start("main=\(uri),gain=0.125")
        status = await typed.rig.live.status().plugins
        #expect(status.map(\.name) == ["gain"] && status.first?.controls["gain"] == 0.125)
        // A missing plugin of the same name does not keep the folder from being saved.
        var missing = PluginRequest(place: "ears", identifier: "urn:nobody:has-this")
        (missing.name, missing.state) = ("gain", path + "/plugins/gain")
        await typed.rig.live.stage.assembly.plugins.addWhatThereIs([missing], period: 256)
        try await end(typed)
        #expect(try SessionFiles.plugins(in: path).map(\.name) == ["gain", "gain-2"])
    }

    @Test func aSecondSessionDoesNotTakeTheFolder() async throws {
        let (first, rig) = (try await begin(), try await LiveRig())
        let error = await #expect(throws: SessionError.self) { _ = try await keep(rig) }
        #expect(error?.description.contains("'proscenium', process") == true)
        try await end(first)
        try await end((rig, try await keep(rig)))
    }

    /// Record of whether there was anything to save.
    private final class Dirt: @unchecked Sendable {
        private let lock = NSLock()
        private var all: [Bool] = []
        var heard: [Bool] { lock.withLock { all } }
        func note(_ isDirty: Bool) { lock.withLock { all.append(isDirty) } }
    }
}
