import AudioIO
import AudioInMemory
import Desk
import Loading
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// A server that changes its rate during a session.
@Suite(.timeLimit(.minutes(10))) struct LiveRateTests {
    @Test func theStageIsPreparedAnewAndConnectedAsItWas() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 && $0.playback.state == "playing" }
        #expect(rig.said.notes == ["the JACK server now runs at 44100 Hz; the stage is prepared anew"])
        #expect(rig.said.all.last == .ready)
        #expect(rig.server.links.count == 4)
        #expect(LiveRig.level(rig.play()) > -40)
        // The session's poll, every 50 ms, goes on for the new stage alone.
        await rig.clock.advance(by: 1)
        try await rig.live.end()
        #expect(rig.server.clients == ["system", "daw"])
    }

    @Test func whatWasAskedForOutlivesTheStage() async throws {
        let talk = try InputSettings(parsing: "talk=mono,level=-3")
        let rig = try await LiveRig { settings in
            settings.stage.programmes.inputs = [talk]
        }
        try await rig.patch()
        await rig.done(try .set("level", "-20", of: "main"))
        await rig.done(try .set("place", "45", of: "talk"))
        await rig.done(try .set("mode", "fixed", of: "talk"))
        await rig.done(.playback(.beginInterruption(name: "guide", .duck(-6), lease: nil)))
        rig.server.setRate(96_000)
        try await rig.heard { $0.sampleRate == 96_000 }
        let status = await rig.live.status()
        #expect(abs(status.programmes[0].level + 20) < 1e-4)
        #expect(abs(status.programmes[1].level + 3) < 1e-4 && status.programmes[1].mode == "fixed")
        #expect(status.playback.interruptions.map(\.name) == ["guide"])
        try await rig.live.end()
    }

    @Test func aStreamThatTheUserBeganIsSaidToNeedAnotherWord() async throws {
        let rig = try await LiveRig { $0.start = .onRequest }
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(rig.said.notes.count == 1 && rig.said.notes[0].contains("'ctl start' is sent again"))
        try await rig.live.end()
    }

    @Test func aRouteThatWasLostStaysHeld() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        try await rig.heard { $0.playback.state == "held" }
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(await rig.live.status().playback.state == "held")
        rig.play()
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        await rig.done(.playback(.resume))
        #expect(LiveRig.level(rig.play()) > -60)
        try await rig.live.end()
    }

    @Test func aPortThatIsGoneMeanwhileIsALoss() async throws {
        let rig = try await LiveRig()
        rig.server.addClient("phones", inputs: ["left", "right"])
        try #require(rig.server.connect("proscenium:out_L", to: "phones:left"))
        try #require(rig.server.connect("proscenium:out_R", to: "phones:right"))
        try await rig.heard { $0.playback.right == ["phones:right"] }
        rig.server.setRate(44_100)
        rig.server.removeClient("phones")
        try await rig.heard { $0.sampleRate == 44_100 && $0.playback.state == "held" }
        #expect(await rig.live.status().playback.lost.sorted() == ["phones:left", "phones:right"])
        try await rig.live.end()
    }

    /// A connection that is refused counts as lost, even though its port exists.
    @Test func aConnectionThatIsRefusedAfterwardsIsALoss() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        var refusals = MemoryServer.Refusals()
        refusals.connection = .notConnected(from: "proscenium:out_L", to: "system:playback_1", code: -1)
        rig.server.refuse(refusals)
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 && $0.playback.state == "held" }
        #expect(await rig.live.status().playback.lost == ["system:playback_1", "system:playback_2"])
        try await rig.live.end()
    }

    @Test(arguments: ["record", "poses", "motion"])
    func aRecordingGoesOnInAnotherFileAtAnotherRate(what: String) async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig { settings in
            switch what {
            case "record": settings.record = scratch("r.wav")
            case "poses": settings.recordPoses = scratch("r.csv")
            default: settings.recordMotion = scratch("r.log")
            }
        }
        rig.play()
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        rig.play()
        try await rig.live.end()
        let ending = ["record": "wav", "poses": "csv"][what] ?? "log"
        #expect(scratch.contents == ["r-2.\(ending)", "r.\(ending)"])
        #expect(
            rig.said.notes.contains {
                $0.hasSuffix("r.\(ending); the recording continues in \(scratch("r-2.\(ending)"))")
            })
    }

    @Test func aRateThatCannotBeRenderedEndsTheSessionInWords() async throws {
        let rig = try await LiveRig()
        rig.server.setRate(4000)
        let error = await #expect(throws: SessionError.self) { try await rig.live.waitForEnd() }
        #expect("\(try #require(error))".contains("8000…768000 Hz can be rendered"))
        try await rig.live.end()
        #expect(rig.server.clients == ["system", "daw"])
    }

    @Test func whatIsToldOfADriverThatWasReplacedIsNotHeeded() async throws {
        let server = MemoryServer()
        let isTold = Flag()
        let rig = try await LiveRig(
            on: server,
            hears: { remark in
                // The session has received the new rate, and its old client still exists: the session handles this
                // event after the replacement.
                guard case .note(let text) = remark, text.contains("now runs at") else { return }
                server.tell(.serverLost(reason: "of the old client"), to: "proscenium")
                isTold.raise()
            })
        let former = try #require(await rig.live.server.listening)
        server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(isTold.isRaised)
        #expect(await rig.live.status().client == "proscenium")
        // All events of the old client have been handled.
        await former.value
        #expect(await !rig.live.hasEnded)
        try await rig.live.end()
    }

    /// A frame of the replaced client must not be the answer, because the new client has another clock.
    @Test func aStartIsNotAnsweredForAnotherClient() async throws {
        let server = MemoryServer()
        let rig = try await LiveRig(on: server, { $0.start = .onRequest }) { remark in
            // The session has received the new rate, and its old client still exists.
            if case .note = remark { server.holdAnswers(false) }
        }
        server.holdAnswers(true)
        let asking = Task { await rig.refusal(of: .start(frame: nil)) }
        #expect(await eventually { server.isAskedToStart })
        server.run()
        server.setRate(44_100)
        #expect(await asking.value == "the JACK server restarted or changed its rate meanwhile; ask again")
        try await rig.heard { $0.sampleRate == 44_100 }
        try await rig.live.end()
    }
}
