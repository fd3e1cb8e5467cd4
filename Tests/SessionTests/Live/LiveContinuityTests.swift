import AudioIO
import AudioInMemory
import Desk
import Metering
import Rendering
import SavedSessions
import Soundstage
import Stages
import Testing
import Waiting

@testable import Session

/// State that a session keeps when its driver is replaced, and that it hands to the next session.
@Suite(.timeLimit(.minutes(10))) struct LiveContinuityTests {
    /// The patterns of the command line apply at the beginning only: outputs that the user connected to other ports
    /// stay connected to them.
    @Test func aChangeOfRateLeavesTheEarsWhereTheyWereMoved() async throws {
        let server = MemoryServer()
        server.addClient("phones", inputs: ["left", "right"])
        let rig = try await LiveRig(on: server) {
            $0.connectOut = "system:.*"
            $0.onRouteLoss = .continue
        }
        try await rig.heard { $0.playback.left == ["system:playback_1"] }
        for (ear, phone, speaker) in [("out_L", "left", "playback_1"), ("out_R", "right", "playback_2")] {
            try #require(server.connect("proscenium:\(ear)", to: "phones:\(phone)"))
            server.disconnect("proscenium:\(ear)", from: "system:\(speaker)")
        }
        try await rig.heard { $0.playback.left == ["phones:left"] && $0.playback.right == ["phones:right"] }
        server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 && $0.playback.right == ["phones:right"] }
        #expect(
            Set(server.links) == [
                JACKLink(from: "proscenium:out_L", to: "phones:left"),
                JACKLink(from: "proscenium:out_R", to: "phones:right"),
            ])
        // The new client has none of the old one's metadata, so the session publishes them again.
        #expect(await eventually { server.published(by: "proscenium")?.contains("phones:left") == true })
        try await rig.live.end()
    }

    @Test func aPlayerThatIsGoneDoesNotEndTheSessionWithTheNextRate() async throws {
        let server = MemoryServer()
        server.addClient("film", outputs: ["1", "2"])
        let rig = try await LiveRig(on: server) { $0.connectIn = "film:.*" }
        #expect(server.links.count == 2)
        server.removeClient("film")
        server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(await !rig.live.hasEnded)
        try await rig.live.end()
    }

    @Test func whatWasTurnedTwiceIsLeftAsItWas() async throws {
        let rig = try await LiveRig()
        await rig.done(try .set("mute", "toggle", of: "main"))
        #expect(await rig.live.remains.values.after == ["input/main/mute": .word("on")])
        await rig.done(try .set("mute", "toggle", of: "main"))
        #expect(await rig.live.remains.values.isEmpty)
        await rig.done(try .set("mute", "on", of: "main"))
        await rig.done(try .set("mute", "toggle", of: "main"))
        #expect(await rig.live.remains.values.isEmpty)
        try await rig.live.end()
    }

    /// A file of unknown loudness cannot be brought to a target; the next file can.
    @Test func aTargetIsKeptForTheFileAfterTheOneThatCannotMeetIt() async throws {
        var known = ProgrammeMetadata()
        known.loudness = -20
        let first = try await LiveRig { $0.metadata = (known, "a.wav.json") }
        await first.done(try .set("loudness-target", "-23", of: "main"))
        let said = await first.live.remains
        try await first.live.end()
        let second = try await LiveSession(
            LiveSettings(stage: StageSettings(layout: "stereo", limiter: .off)),
            in: LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said()), after: said)
        #expect(await second.sound.dynamics["main"]?.target == nil)
        let left = await second.remains.values.after
        #expect(left["input/main/loudness-target"] == .number(-23))
        try await second.end()
    }

    @Test func `What was set is handed on through a session that begins with the same`() async throws {
        func session(after former: FormerSession?, width: String?) async throws -> LiveSession {
            var settings = LiveSettings(stage: StageSettings(layout: "stereo", limiter: .off))
            if let width { settings.stage.take([try ParameterChange("source-width", [width])]) }
            let environment = LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said())
            return try await LiveSession(settings, in: environment, after: former)
        }
        func width(_ live: LiveSession) async -> ParameterValue? {
            await live.valuesInForce()["input/main/source-width"]
        }
        let first = try await session(after: nil, width: nil)
        _ = await first.perform(try .set("source-width", "30", of: "main"))
        // A value that equals the initial one is passed on too, because the next session may begin with another value.
        _ = await first.perform(try .set("mute", "off", of: "main"))
        let second = try await session(after: await first.remains, width: "30")
        #expect(await width(second) == .number(30))
        let third = try await session(after: await second.remains, width: nil)
        #expect(await width(third) == .number(30))
        _ = await third.perform(try .set("source-width", "0", of: "main"))
        let fourth = try await session(after: await third.remains, width: "45")
        #expect(await width(fourth) == .number(0))
        for live in [first, second, third, fourth] { try? await live.end() }
    }

    @Test func `A comparison is handed on with the modes before it, which no door is told`() async throws {
        func session(after former: FormerSession?) async throws -> LiveSession {
            try await LiveSession(
                LiveSettings(stage: StageSettings(layout: "stereo", limiter: .off)),
                in: LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said()), after: former)
        }
        func mode(_ live: LiveSession) async -> ParameterValue? { await live.valuesInForce()["input/main/mode"] }
        let first = try await session(after: nil)
        _ = await first.perform(try .set("mode", "fixed", of: "main"))
        _ = await first.perform(try .set("compare", "bypass"))
        let second = try await session(after: await first.remains)
        #expect(await mode(second) == .word("off"))
        #expect(await second.snapshot().state["input/main/mode-before"] == .word("fixed"))
        #expect(second.environment.desk.state.state.values["input/main/mode-before"] == nil)
        _ = await second.perform(try .set("compare", "off"))
        #expect(await mode(second) == .word("fixed"))
        // Nothing is left of a comparison that has ended.
        let left = await second.remains.values
        #expect(left == left.told)
        for live in [first, second] { try? await live.end() }
    }

    @Test func whatWasMeasuredBeforeAResetIsNotShownAfterIt() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play(seconds: 1)
        try await rig.heard { _ in true }
        func integrated() async -> Double? {
            guard case .loudness(let shown) = await rig.live.perform(.loudness(reset: false)) else { return nil }
            return shown.inputs.first?.readings.integrated
        }
        try #require(await eventually { await integrated() != nil })
        await rig.done(.loudness(reset: true))
        #expect(await integrated() == nil)
        try await rig.live.end()
    }

    @Test func whoAsksAgainAfterAnEndComesAfterTheOthers() {
        var stage = Interruptions()
        let answers = [
            stage.begin("call", .pause, at: 0), stage.end("call", resumes: false),
            stage.begin("alarm", .pause, at: 1), stage.begin("call", .pause, at: 2),
        ]
        #expect(answers == [true, true, true, true])
        #expect(stage.all.map(\.name) == ["alarm", "call"])
        #expect(stage.gain(ofInput: "call") == 1 && stage.gain(ofInput: "alarm") == 0)
    }
}
