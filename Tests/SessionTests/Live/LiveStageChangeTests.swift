import AbsentPlaces
import AudioIO
import AudioInMemory
import Desk
import Foundation
import PlantedPlugins
import Racks
import SeamMeasures
import SoundFixtures
import Soundstage
import Stages
import Synchronization
import Testing
import Waiting

@testable import Session

/// Layout, set, room and all other values that a stage is built from, changed during playback.
@Suite(.timeLimit(.minutes(10))) struct LiveStageChangeTests {
    private static let sides = ["FL", "FR", "FC", "LFE", "SL", "SR"]

    @Test func `A layout that is changed keeps the ports that both have, and the inputs' levels`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: Self.sides)
        await rig.done(try .set("level", "-6", of: "main"))
        rig.play(channels: 6)
        await rig.change(try .set("layout", "stereo"))
        #expect(rig.state["layout"] == .word("stereo") && rig.state["input/main/level"] == .numbers([-6]))
        #expect(
            Set(rig.server.links.map(\.to)) == [
                "proscenium:in_FL", "proscenium:in_FR", "system:playback_1", "system:playback_2",
            ])
        let heard = LiveRig.level(rig.play())
        #expect(heard > -50)
        await rig.change(try .set("layout", "7.1"))
        #expect(rig.server.ports.contains("proscenium:in_BL"))
        #expect(rig.server.links.contains(JACKLink(from: "daw:out_1", to: "proscenium:in_FL")))
        #expect(await rig.live.status().layout == "7.1")
        try await rig.live.end()
    }

    @Test func `A plugin whose loudspeaker goes is kept, with its state, for a layout that has it`() async throws {
        let shelf = try PluginShelf.planted()
        let uri = PlantedPlugins.uri("gain")
        let request = try PluginRequest(parsing: "SL=\(uri),name=side,gain=0.5")
        let rig = try await LiveRig { settings in
            settings.stage.layout = "5.1"
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
        try await rig.patch(inputs: Self.sides)
        rig.play(channels: 6)
        await rig.done(.plugin(.set("side", symbol: "gain", value: "0.25")))
        await rig.change(try .set("layout", "stereo"))
        #expect(rig.state["plugin/side/set/gain"] == nil)
        // Two stages without the plugin, and other chains that change in between, do not alter it.
        await rig.change(try .set("slice", "128"))
        await rig.done(.plugin(.add(try PluginRequest(parsing: "main=\(uri),name=soft"), position: nil)))
        await rig.done(.history(.undo))
        await rig.done(.history(.redo))
        await rig.change(try .set("layout", "5.1"))
        #expect(rig.state["plugin/side/set/gain"] == .numbers([0.25]))
        #expect(rig.state["plugin/soft/set/gain"] != nil)
        try await rig.live.end()
    }

    @Test func `Settings of a plugin that is not here from the start are kept for a stage that has it`() async throws {
        let shelf = try PluginShelf.planted()
        let request = try PluginRequest(parsing: "SL=\(PlantedPlugins.uri("gain")),name=side,gain=0.25")
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins, settings.stage.isForgiving) = (shelf, [request], true)
        }
        try await rig.patch()
        rig.play()
        await rig.change(try .set("layout", "5.1"))
        #expect(rig.state["plugin/side/set/gain"] == .numbers([0.25]))
        try await rig.live.end()
    }

    @Test func `Nothing clicks while the stage is built anew under a tone`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: Self.sides)
        let tone = (0..<48_000 * 8).map { 0.3 * Float(sin(2 * Double.pi * 440 * Double($0) / 48_000)) }
        for channel in 1...6 { rig.server.play(tone, on: "daw:out_\(channel)") }
        rig.server.run(seconds: 0.5)
        _ = rig.server.takeEars(of: "proscenium")
        for (name, value) in [("layout", "stereo"), ("gain", "-3"), ("layout", "5.1")] {
            await rig.change(try .set(name, value))
            rig.server.run(seconds: 0.2)
        }
        for ear in rig.server.takeEars(of: "proscenium") {
            let high = HighPass.over(4000, HighPass.over(4000, ear, 48_000).map { Float($0) }, 48_000)
            let energy = high[4800...].reduce(0.0) { $0 + $1 * $1 }
            let level = 10 * log10(energy / ear[4800...].reduce(0.0) { $0 + Double($1) * Double($1) })
            #expect(level < -74, "\(level) dB")
        }
        try await rig.live.end()
    }

    @Test func `What cannot be built is refused, and what plays plays on`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        for (name, value, word) in [("layout", "6.7", "6.7"), ("layout", AbsentPlace.path("such.json"), "such.json")] {
            let reason = await rig.refusal(of: try .set(name, value))
            #expect(reason?.contains(word) == true)
        }
        #expect(rig.state["layout"] == .word("stereo"))
        #expect(LiveRig.level(rig.play()) > -50)
        // A value that is in force already changes nothing.
        await rig.done(try .set("layout", "stereo"))
        try await rig.live.end()
    }

    @Test func `A room is switched on by its name, and not by one that cannot be had`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("room-name", "studio"))
        await rig.done(try .set("room", "off"))
        #expect(await rig.refusal(of: try .set("room-name", "no-such-room")) != nil)
        #expect(rig.state["room"] == .word("off"))
        await rig.done(try .set("room-name", "studio"))
        #expect(rig.state["room"] == .word("on"))
        await rig.done(try .set("room", "off"))
        await rig.change(try .set("room-name", "none"))
        await rig.change(.history(.undo))
        #expect(rig.state["room-name"] == .word("studio") && rig.state["room"] == .word("off"))
        try await rig.live.end()
    }

    @Test func `A solo of a loudspeaker that the next stage does not have silences nothing there`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: Self.sides)
        rig.play(channels: 6)
        await rig.done(.set(ParameterChange(try #require(.named("loudspeaker-solo")), .word("on"), input: "SL")))
        await rig.change(try .set("layout", "stereo"))
        #expect(LiveRig.level(rig.play(seconds: 0.5)) > -50)
        await rig.change(.history(.undo))
        #expect(rig.state["loudspeaker/SL/solo"] == .word("on"))
        try await rig.live.end()
    }

    @Test func `A change is undone and done again`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: Self.sides)
        rig.play(channels: 6)
        await rig.change(try .set("slice", "128"))
        await rig.change(try .set("layout", "stereo"))
        await rig.change(.history(.undo))
        #expect(rig.state["layout"] == .word("5.1") && rig.state["slice"] == .word("128"))
        await rig.change(.history(.undo))
        #expect(rig.state["slice"] == .word("64"))
        await rig.change(.history(.redo))
        #expect(rig.state["slice"] == .word("128"))
        try await rig.live.end()
    }

    /// Returns a session that plays 5.1, and the command that makes it stereo.
    private static func playing() async throws -> (LiveRig, SessionCommand) {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: sides)
        rig.play(channels: 6)
        return (rig, try .set("layout", "stereo"))
    }

    @Test func `Other commands go on while a stage is built, and it has them when it is heard`() async throws {
        let (rig, change) = try await Self.playing()
        async let reply = rig.live.perform(change)
        #expect(await eventually { await rig.live.staging.transition != nil })
        await rig.done(try .set("mute", "on", of: "main"))
        await rig.done(try .set("dim", "on"))
        // Another command that builds a stage waits until this stage is heard.
        let another = try SessionCommand.set("slice", "256")
        async let later = rig.live.perform(another)
        await rig.settle { await rig.live.stage.layout.name == "stereo" }
        await rig.settle { await rig.live.stage.settings.choices.slice == 256 }
        await rig.settle { await rig.live.staging.transition == nil }
        guard case .done = await reply, case .done = await later else {
            Issue.record("not done")
            return
        }
        #expect(LiveRig.level(rig.play()) < -150)
        #expect(rig.state["dim"] == .word("on") && rig.state["input/main/mute"] == .word("on"))
        try await rig.live.end()
    }

    @Test func `A server that goes meanwhile is waited for with the stage that was there`() async throws {
        let (rig, change) = try await Self.playing()
        async let reply = rig.live.perform(change)
        #expect(await eventually { await rig.live.staging.transition != nil })
        rig.server.shutDown()
        guard case .refused(let reason) = await reply else {
            Issue.record("not refused")
            return
        }
        #expect(reason.contains("stopped meanwhile"))
        let later = await rig.refusal(of: try .set("layout", "stereo"))
        #expect(later?.contains("is gone") == true)
        try await rig.live.end()
    }

    @Test func `A recording goes on in its file, and a motion log in another`() async throws {
        let folder = try Scratch()
        let rig = try await LiveRig {
            $0.record = folder.path + "/ears.wav"
            $0.recordMotion = folder.path + "/ride.ndjson"
        }
        try await rig.patch()
        rig.play()
        await rig.change(try .set("layout", "mono"))
        rig.play()
        try await rig.live.end()
        #expect(rig.said.notes.contains { $0.contains("continues in") && $0.contains("ride-2.ndjson") })
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["ears.wav", "ride-2.ndjson", "ride.ndjson"])
        let head = try String(contentsOfFile: folder.path + "/ride-2.ndjson", encoding: .utf8).prefix(400)
        #expect(head.contains("\"layout\":\"mono\""))
    }
}

extension LiveRig {
    /// Advances sound and time until `isTrue` returns true.
    func settle(_ isTrue: () async -> Bool) async {
        for _ in 0..<400 {
            if await isTrue() { return }
            server.run(seconds: 0.05)
            await clock.advance(by: 0.05)
            try? await Task.sleep(for: .milliseconds(2))
        }
        Issue.record("it never came true")
    }

    /// Performs a command that takes sound and time; records an issue if it is refused.
    func change(_ command: SessionCommand, sourceLocation: SourceLocation = #_sourceLocation) async {
        let (live, answer) = (live, Answer())
        Task { answer.give(await live.perform(command)) }
        await settle { answer.reply != nil }
        if case .refused(let why)? = answer.reply { Issue.record("refused: \(why)", sourceLocation: sourceLocation) }
        await settle { await live.staging.transition == nil }
    }

    /// A reply that arrives later.
    private final class Answer: Sendable {
        private let given = Mutex<SessionReply?>(nil)
        var reply: SessionReply? { given.withLock { $0 } }
        func give(_ reply: SessionReply) { given.withLock { $0 = reply } }
    }
}
