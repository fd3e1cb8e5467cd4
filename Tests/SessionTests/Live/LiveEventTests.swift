import AudioIO
import AudioInMemory
import Desk
import Loading
import Rendering
import SoundFixtures
import Stages
import Testing
import Trackers
import Waiting

@testable import Session

/// Reactions of a session to each event of its driver.
@Suite(.timeLimit(.minutes(10))) struct LiveEventTests {
    @Test func soundComesThroughFromTheFirstCycleOn() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let ears = rig.play()
        #expect(LiveRig.level(ears) > -40)
        #expect(ears[0] != ears[1])
        let card = rig.server.takeArrived(at: "system:playback_1")
        #expect(card == ears[0])
        try await rig.live.end()
        #expect(rig.server.clients == ["system", "daw"])
    }

    @Test func anotherPeriodSoundsTheSame() async throws {
        var heard: [[[Float]]] = []
        for periods in [[256, 256], [256, 128]] {
            let rig = try await LiveRig()
            try await rig.patch()
            var ears = rig.play(seconds: 0.128)
            rig.server.setPeriod(periods[1])
            try await rig.heard { $0.period == periods[1] }
            for (ear, more) in rig.play(seconds: 0.128, seed: 9).enumerated() { ears[ear] += more }
            heard.append(ears)
            try await rig.live.end()
        }
        #expect(heard[0] == heard[1])
    }

    @Test func aPeriodThatIsTooLongIsSilentAndSaidUntilItIsShorter() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        rig.server.setPeriod(16_384)
        #expect(await eventually { !rig.said.notes.isEmpty })
        #expect(rig.said.notes == ["the JACK period is now 16384 frames; silence until it is at most 8192"])
        #expect(rig.play(seconds: 0.3).joined().allSatisfy { $0 == 0 })
        rig.server.setPeriod(512)
        #expect(LiveRig.level(rig.play()) > -40)
        try await rig.live.end()
    }

    @Test func lostCyclesAreCountedAndTheSoundGoesOn() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        rig.server.loseFrames(512)
        rig.server.loseFrames(256)
        #expect(LiveRig.level(rig.play()) > -40)
        let status = await rig.live.status()
        #expect(status.xruns == 2 && status.skippedFrames == 768)
        #expect(status.lagSteps == LagSteps(count: 2, skippedFrames: 768))
        #expect(rig.said.notes.isEmpty)
        try await rig.live.end()
    }

    @Test func stepsOfTheLagAreToldWhereTheSettingsAskForIt() async throws {
        let rig = try await LiveRig { $0.tellsLag = true }
        try await rig.patch()
        rig.play()
        rig.server.loseFrames(512)
        _ = await rig.live.tick()
        #expect(rig.said.notes.last?.contains("changed once: 512 frames were skipped") == true)
        // Within a second nothing more is said.
        rig.server.loseFrames(256)
        _ = await rig.live.tick()
        #expect(rig.said.notes.count == 1)
        await rig.clock.advance(by: 1)
        _ = await rig.live.tick()
        #expect(rig.said.notes.last?.contains("changed once: 256 frames were skipped") == true)
        try await rig.live.end()
    }

    @Test func freewheelIsShownWhileItLasts() async throws {
        let rig = try await LiveRig()
        rig.server.setFreewheel(true)
        try await rig.heard { $0.freewheeling }
        rig.server.setFreewheel(false)
        try await rig.heard { !$0.freewheeling }
        try await rig.live.end()
    }

    @Test func connectionsAreKnownAsTheyComeAndGo() async throws {
        let rig = try await LiveRig { $0.onRouteLoss = .continue }
        #expect(await rig.live.status().playback.state == "unconnected")
        try await rig.patch()
        let status = await rig.live.status().playback
        #expect(status.left == ["system:playback_1"] && status.lost.isEmpty)
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        rig.server.disconnect("proscenium:out_R", from: "system:playback_2")
        try await rig.heard { $0.playback.state == "unconnected" }
        try await rig.live.end()
    }

    @Test func framesARecordingLosesAreSaidAndShown() async throws {
        let rig = try await LiveRig()
        rig.server.tell(.recordingOverflow(droppedFrames: 480), to: "proscenium")
        try await rig.heard { $0.recorderLost == 480 }
        #expect(rig.said.notes == ["recording: 480 frames lost so far; the disk is too slow"])
        try await rig.live.end()
    }

    @Test func aServerThatHangsKeepsNobodyFromEnding() async throws {
        let rig = try await LiveRig { $0.start = .onRequest }
        let asking = Task { await rig.refusal(of: .start(frame: nil)) }
        #expect(await eventually { rig.server.isAskedToStart })
        rig.server.hang()
        #expect(await asking.value == "JACK did not run the cycle of the requested start")
        #expect(await rig.refusal(of: .start(frame: nil)) != nil)
        try await rig.live.end()
    }

    @Test func whatWasSaidBeforeTheSoundIsSaidInOrder() async throws {
        let rig = try await LiveRig()
        #expect(rig.said.all == [.preparing("a sphere's responses"), .preparing("preparing the stage"), .ready])
        try await rig.live.end()
    }

    @Test(arguments: [true, false])
    func aServerThatRefusesIsToldOfAndLeavesNothingBehind(isOpening: Bool) async throws {
        let server = MemoryServer()
        var refusals = MemoryServer.Refusals()
        let refusal = JACKError.notActivated(step: "activate the client", detail: "busy")
        if isOpening { refusals.opening = refusal } else { refusals.activation = refusal }
        server.refuse(refusals)
        let error = await #expect(throws: SessionError.self) { _ = try await LiveRig(on: server) }
        #expect("\(try #require(error))".contains("cannot activate the client: busy"))
        #expect(server.clients == ["system", "daw"])
    }

    @Test func aPatternThatNamesNoPortIsToldOfWithThosePresent() async throws {
        let server = MemoryServer()
        let error = await #expect(throws: SessionError.self) {
            _ = try await LiveRig(on: server) { $0.connectOut = "phones:.*" }
        }
        #expect("\(try #require(error))".contains("there are: system:playback_1, system:playback_2"))
        #expect(server.clients == ["system", "daw"])
    }

    @Test(arguments: ["physical", "system:playback_{1,2}", "system:playback_[12]"])
    func theEarsAreConnectedWhereAskedFor(pattern: String) async throws {
        let rig = try await LiveRig { $0.connectOut = pattern }
        #expect(
            rig.server.links == [
                JACKLink(from: "proscenium:out_L", to: "system:playback_1"),
                JACKLink(from: "proscenium:out_R", to: "system:playback_2"),
            ])
        try await rig.live.end()
    }

    @Test func aNameThatIsTakenIsNumberedAndSaid() async throws {
        let server = MemoryServer()
        server.addClient("proscenium")
        let rig = try await LiveRig(on: server)
        #expect(await rig.live.status().client == "proscenium-01")
        #expect(
            await rig.live.introduction.contains(
                "note: the name 'proscenium' was taken; this client is 'proscenium-01'"))
        try await rig.live.end()
    }

    /// The look-ahead of `--hold` and of the upmix is not counted as latency of the output limiter.
    @Test func theGuardsLineCountsItsOwnFramesAlone() async throws {
        let held = try await LiveRig { settings in
            settings.stage.limiter = .instant
            settings.stage.programmes.renditions = RenditionSettings(hold: 0.02)
        }
        let lines = await held.live.introduction
        #expect(lines.contains { $0.hasSuffix("limiter instant; 960 frames of latency in all") })
        try await held.live.end()
        let ahead = try await LiveRig { $0.stage.limiter = .lookahead }
        let latency = await ahead.live.status().latencyFrames
        let line = try #require(await ahead.live.introduction.first { $0.contains("limiter lookahead") })
        #expect(line.hasSuffix("limiter lookahead (\(latency) frames); \(latency) frames of latency in all"))
        try await ahead.live.end()
    }

    /// With a tracker, sound that is heard late (as over Bluetooth) causes one remark, and another remark only after
    /// the sound was heard early again.
    @Test(arguments: [true, false]) func soundThatIsHeardLateIsRemarked(_ isTracked: Bool) async throws {
        let rig = try await LiveRig { if isTracked { $0.tracking.head = "udp:\(Ports.free())" } }
        try await rig.patch()
        func late() -> [String] { rig.said.notes.filter { $0.contains("ms late") } }
        for (milliseconds, remarks) in [(55, 0), (180, 1), (250, 1), (55, 1), (200, 1), (20, 1), (200, 2)] {
            rig.server.setPlaybackLatency(48 * milliseconds)
            for _ in 0..<3 { _ = await rig.live.tick() }
            #expect(late().count == (isTracked ? remarks : 0), "\(milliseconds) ms: \(late())")
        }
        if isTracked { #expect(late().first?.contains("180 ms late") == true) }
        try await rig.live.end()
    }
}
