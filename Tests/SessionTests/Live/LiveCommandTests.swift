import AudioIO
import Desk
import Foundation
import Geometry
import HeadTracking
import Metering
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
import Waiting

@testable import Session

/// Every command of a session, on a stage that plays.
@Suite(.timeLimit(.minutes(10))) struct LiveCommandTests {
    /// What the ears get of the same noise on both sides, once all that was before has died away.
    private func ears(_ rig: LiveRig) -> [[Float]] {
        for _ in 0..<2 {
            _ = rig.server.takeEars(of: "proscenium")
            for output in ["daw:out_1", "daw:out_2"] { rig.server.play(LiveRig.noise(14_400, seed: 7), on: output) }
            rig.server.run(seconds: 0.3)
        }
        return rig.server.takeEars(of: "proscenium")
    }

    /// How far what is heard is from what was heard, dB.
    private func distance(_ ears: [[Float]], _ others: [[Float]]) -> Double {
        let rest: [[Float]] = zip(ears, others).map { one, other in zip(one, other).map { $0 - $1 } }
        return LiveRig.level(rest) - LiveRig.level(others)
    }

    /// Where the trackers have the head now, degrees to the left. Vectors stay out of the frames of asynchronous
    /// functions, which do not keep their alignment (Swift 6.3).
    @inline(never)
    private func yaw(_ feed: HeadPoseFeed) -> Double { feed.look().pose.quaternion.yaw * 180 / .pi }

    @Test func aLevelIsHeardShownAndTold() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let before = LiveRig.level(rig.play(seconds: 0.3))
        await rig.clock.advance(by: 0.05)
        var events = rig.live.events.subscribe().makeAsyncIterator()
        await rig.done(try .set("level", "-20", of: "main"))
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before + 20) < 0.1)
        #expect(abs(try #require(await rig.live.status().programmes.first).level + 20) < 1e-4)
        await rig.clock.advance(by: 0.05)
        guard case .levelChanged(let input, let level) = await events.next() else {
            Issue.record("nothing was told of the level")
            return
        }
        #expect(input == "main" && abs(level + 20) < 1e-4)
        await rig.done(try .set("level", "off", of: nil))
        rig.play(seconds: 0.2)
        #expect(LiveRig.level(rig.play(seconds: 0.2)) < -150)
        try await rig.live.end()
    }

    @Test func aPlaceAWidthAndAModeAreHeardAndShown() async throws {
        let rig = try await LiveRig()
        try await rig.patch(inputs: ["FL"])
        func difference() -> Double {
            let ears = rig.play(channels: 1, seconds: 0.3)
            return LiveRig.level([ears[0]]) - LiveRig.level([ears[1]])
        }
        // The left loudspeaker alone, and then where the right one was.
        #expect(difference() > 2)
        await rig.done(try .set("place", "-60", of: "main"))
        rig.play(channels: 1)
        #expect(difference() < -2)
        await rig.done(try .set("source-width", "40", of: "main"))
        #expect(await rig.live.status().programmes[0].width == 40)
        await rig.done(try .set("mode", "off", of: "main"))
        rig.play(channels: 1)
        #expect(await rig.live.status().programmes[0].mode == "off")
        #expect(difference() > 60)
        await rig.done(try .set("mode", "fixed", of: "main"))
        await rig.done(try .set("spatialize", "none", of: "main"))
        rig.play(channels: 1)
        #expect(await !rig.live.status().programmes[0].isSpatializing)
        try await rig.live.end()
    }

    @Test func anInputIsSilencedAndComesBackAtItsLevel() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        await rig.done(try .set("level", "-6", of: "main"))
        rig.play(seconds: 0.3)
        let before = LiveRig.level(rig.play(seconds: 0.3))
        await rig.done(try .set("mute", "on", of: "main"))
        rig.play(seconds: 0.3)
        #expect(LiveRig.level(rig.play()) < -150)
        let state = await rig.live.status().programmes[0]
        #expect(state.isMuted && abs(state.level + 6) < 1e-4)
        await rig.done(try .set("mute", "toggle", of: "main"))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.01)
        try await rig.live.end()
    }

    @Test func aStageThatIsEnteredOrLeftIsTold() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.clock.advance(by: 0.05)
        var events = rig.live.events.subscribe().makeAsyncIterator()
        await rig.done(try .set("spatialize", "none", of: "main"))
        rig.play()
        await rig.clock.advance(by: 0.05)
        #expect(await events.next() == .spatializationChanged(input: "main", isSpatializing: false))
        try await rig.live.end()
    }

    @Test func whatIsNotThereIsRefusedInWords() async throws {
        let rig = try await LiveRig()
        func refused(_ command: SessionCommand, _ words: String, sourceLocation: SourceLocation = #_sourceLocation)
            async
        {
            let answer = await rig.refusal(of: command) ?? "nothing"
            #expect(answer.contains(words), sourceLocation: sourceLocation)
        }
        await refused(.recentre(.yaw), "no head tracker")
        await refused(try .set("reference", "head"), "no head tracker")
        await refused(try .set("follow", "1,1,1"), "no head tracker")
        await refused(try .set("yaw-pull", "1"), "no head tracker")
        await refused(try .set("room", "on"), "no room is loaded")
        await refused(try .set("level", "0", of: "talk"), "there is no input 'talk'; there are main")
        await refused(try .set("upmix", "on", of: "main"), "nothing is upmixed")
        await refused(try .set("upmix", "1,0,1", of: "main"), "nothing is upmixed")
        await refused(try .set("rendition", "stereo", of: "main"), "there is one rendition alone")
        await refused(.preview(.skip(1)), "no file is played here")
        await refused(.playback(.endInterruption(name: "guide", resumes: true)), "none has")
        let asking = Task { await rig.refusal(of: .start(frame: rig.server.frame &- 100_000)) }
        #expect(await eventually { rig.server.isAskedToStart })
        rig.server.run()
        #expect(await asking.value?.contains("had gone by") == true)
        try await rig.live.end()
    }

    @Test func aStartIsOnTheFrameAskedForAndSaysWhenItIsHeard() async throws {
        let rig = try await LiveRig { $0.start = .onRequest }
        try await rig.patch()
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        let frame = rig.server.frame &+ 300
        let asking = Task { await rig.live.perform(.start(frame: frame)) }
        #expect(await eventually { rig.server.isAskedToStart })
        let heard = rig.play()
        guard case .started(let begun, let time) = await asking.value else {
            Issue.record("it did not begin")
            return
        }
        #expect(begun == frame)
        #expect(abs(time - (Double(frame) + 256) / 48_000) < 1e-9)
        #expect(heard[0].prefix(300).allSatisfy { $0 == 0 } && LiveRig.level(heard) > -40)
        #expect(await rig.live.status().streamFrame == Int64(heard[0].count - 300))
        try await rig.live.end()
    }

    @Test func theTransportStartsTheStreamAgainEachTimeItRolls() async throws {
        let rig = try await LiveRig { $0.start = .transport }
        try await rig.patch()
        rig.play(seconds: 0.128)
        rig.server.setTransport(isRolling: true)
        rig.play(seconds: 0.064)
        #expect(await rig.live.status().streamFrame == 3072)
        rig.server.setTransport(isRolling: false)
        rig.play(seconds: 0.064)
        rig.server.setTransport(isRolling: true)
        rig.play(seconds: 0.064)
        #expect(await rig.live.status().streamFrame == 3072)
        try await rig.live.end()
    }

    @Test func aTrackerIsRecentredFollowedAndReferred() async throws {
        let scratch = try Scratch()
        // Looks 30° to the left for ten minutes: longer than any machine keeps this test waiting.
        let rows = (0...6000).map { "\(Double($0) / 10),0.9659258262890683,0,0,0.25881904510252074\n" }
        try ("t,w,x,y,z\n" + rows.joined()).write(toFile: scratch("head.csv"), atomically: true, encoding: .utf8)
        let rig = try await LiveRig { $0.tracking.head = "file:" + scratch("head.csv") }
        let isHeard = await eventually { await rig.refusal(of: .recentre(.reset)) == nil }
        #expect(isHeard)
        let feed = await rig.live.feed
        #expect(await eventually { abs(yaw(feed) - 30) < 1 })
        for axes in [HeadTracker.Recentring.yaw, .full] {
            await rig.done(.recentre(axes))
            #expect(await eventually { abs(yaw(feed)) < 1 }, "\(axes): \(yaw(feed))°")
            await rig.done(.recentre(.reset))
            #expect(await eventually { abs(yaw(feed) - 30) < 1 }, "after \(axes): \(yaw(feed))°")
        }
        for reference in HeadTrackerOptions.Reference.allCases {
            await rig.done(try .set("reference", reference.rawValue))
        }
        await rig.done(try .set("follow", "0.5,0,1"))
        await rig.done(try .set("yaw-pull", "0"))
        #expect(await rig.live.status().head != nil)
        try await rig.live.end()
    }

    @Test func loudnessIsMeteredAndBegunAnew() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.setFreewheel(true)
        try await rig.heard { $0.freewheeling }
        rig.play(seconds: 2)
        #expect(await eventually { (await rig.live.status().loudness?.ears.integrated ?? -200) > -60 })
        guard case .loudness(let status) = await rig.live.perform(.loudness(reset: false)) else {
            Issue.record("no loudness was told")
            return
        }
        #expect(status.inputs.map(\.name) == ["main"] && status.lostFrames == 0)
        await rig.done(.loudness(reset: true))
        #expect(await eventually { await rig.live.status().loudness?.ears.integrated == nil })
        try await rig.live.end()
    }

    @Test func dynamicsAreWeighedWithAllThatIsSaid() async throws {
        let rig = try await LiveRig()
        await rig.done(try .set("programme-loudness", "-30", of: "main"))
        await rig.done(try .set("loudness-target", "-23", of: "main"))
        #expect(abs(await rig.live.status().programmes[0].normalisation - 7) < 1e-4)
        try await rig.live.end()
    }

    @Test func aRefusalNamesItsInput() async throws {
        let talk = try InputSettings(parsing: "talk=mono")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        await rig.done(try .set("programme-loudness", "-30", of: "main"))
        // The main programme could, and the other is why nothing is done.
        let answer = await rig.refusal(of: try .set("loudness-target", "-23")) ?? ""
        #expect(answer.hasPrefix("talk: "), "\(answer)")
        try await rig.live.end()
    }

    @Test func anInterruptionDucksUntilItEndsOrItsLeaseIsOver() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let before = LiveRig.level(rig.play(seconds: 0.3))
        var events = rig.live.events.subscribe().makeAsyncIterator()
        await rig.done(.playback(.beginInterruption(name: "guide", .duck(-12), lease: 2)))
        #expect(await events.next() == .interruptionBegan(name: "guide", effect: .duck(-12)))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before + 12) < 0.2)
        await rig.clock.advance(by: 1.9)
        #expect(await rig.live.status().playback.interruptions.count == 1)
        await rig.clock.advance(by: 0.4)
        #expect(await events.next() == .interruptionEnded(name: "guide", resumes: true))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.2)
        await rig.done(.playback(.beginInterruption(name: "guide", .pause, lease: nil)))
        await rig.done(.playback(.endInterruption(name: "guide", resumes: false)))
        rig.play(seconds: 0.3)
        #expect(LiveRig.level(rig.play()) < -150)
        await rig.done(.playback(.resume))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.2)
        try await rig.live.end()
    }

    @Test func anInterruptionEndsWithTheClientThatVouchedForIt() async throws {
        let rig = try await LiveRig()
        rig.server.addClient("guide")
        await rig.done(.playback(.beginInterruption(name: "guide", .duck(-12), lease: nil)))
        await rig.clock.advance(by: 1)
        #expect(await rig.live.status().playback.interruptions.count == 1)
        rig.server.removeClient("guide")
        await rig.clock.advance(by: 0.25)
        #expect(await rig.live.status().playback.interruptions.isEmpty)
        try await rig.live.end()
    }

    @Test func anInputInterruptsWhileItIsConnected() async throws {
        let talk = try InputSettings(parsing: "talk=mono,interrupts=pause")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        try await rig.patch()
        let port = try #require(rig.server.ports.first { $0.hasPrefix("proscenium:in_talk") })
        try #require(rig.server.connect("daw:out_3", to: port))
        try await rig.heard { $0.playback.state == "paused" }
        rig.server.disconnect("daw:out_3", from: port)
        try await rig.heard { $0.playback.state == "playing" }
        try await rig.live.end()
    }

    /// It was once taken for one that had the stage, and never asked for it again.
    @Test func anInputWhoseInterruptionWasRefusedAsksAgain() async throws {
        let talk = try InputSettings(parsing: "talk=mono,interrupts=pause")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        try await rig.patch()
        for number in 1...Interruptions.most {
            await rig.done(.playback(.beginInterruption(name: "guide \(number)", .duck(-1), lease: nil)))
        }
        let port = try #require(rig.server.ports.first { $0.hasPrefix("proscenium:in_talk") })
        try #require(rig.server.connect("daw:out_3", to: port))
        try #require(rig.server.connect("daw:out_4", to: "proscenium:in_FL"))
        // The session hears of its connections, in order, and can do nothing about them.
        try #require(rig.server.connect("proscenium:out_L", to: "system:playback_2"))
        try await rig.heard { $0.playback.left.count == 2 }
        #expect(await !rig.live.status().playback.interruptions.map(\.name).contains("talk"))
        await rig.done(.playback(.endInterruption(name: "guide 1", resumes: true)))
        rig.server.disconnect("daw:out_4", from: "proscenium:in_FL")
        try await rig.heard { $0.playback.interruptions.map(\.name).contains("talk") }
        #expect(await rig.live.status().playback.state == "paused")
        try await rig.live.end()
    }

    @Test func stereoThatIsUpmixedIsUpmixedFurtherAndLeftAlone() async throws {
        let rig = try await LiveRig { $0.stage.programmes.upmix.mode = .identity }
        try await rig.patch()
        // All of it comes from the centre.
        let on = ears(rig)
        #expect(LiveRig.level(on) > -60)
        await rig.done(try .set("upmix", "off", of: "main"))
        let off = ears(rig)
        #expect(distance(off, on) > -20)
        await rig.done(try .set("upmix", "toggle", of: "main"))
        #expect(distance(ears(rig), on) < -30)
        await rig.done(try .set("upmix", "0.5,0.2,0", of: "main"))
        let half = ears(rig)
        #expect(distance(half, on) > -20 && distance(half, off) > -20)
        #expect(await rig.live.introduction.contains { $0.hasPrefix("stereo upmixed to 5.1") })
        try await rig.live.end()
    }

    @Test func aRoomIsTurnedOffAndOn() async throws {
        let scratch = try Scratch()
        // Loudspeakers in front that ring on for 50 ms.
        let room = scratch("room.wav")
        let writer = try SoundFileWriter(path: room, channels: 4, sampleRate: .studio)
        let responses = PlanarBlock(channels: 4, frames: 2400)
        for (channel, delay) in [10, 20, 20, 10].enumerated() {
            responses[channel][delay] = 1
            responses[channel][delay + 2000] = 0.5
        }
        try writer.write(responses, frames: 2400)
        try writer.finish()
        let rig = try await LiveRig { $0.stage.room = RoomSettings(name: room) }
        try await rig.patch()
        let wet = ears(rig)
        #expect(LiveRig.level(wet) > -60)
        await rig.done(try .set("room", "off"))
        #expect(await rig.live.status().room?.isOn == false)
        let dry = ears(rig)
        #expect(distance(dry, wet) > -20)
        await rig.done(try .set("room", "on"))
        #expect(await rig.live.status().room?.isOn == true)
        #expect(distance(ears(rig), wet) < -60)
        await rig.done(try .set("room", "toggle"))
        #expect(await rig.live.status().room?.isOn == false)
        #expect(distance(ears(rig), dry) < -60)
        try await rig.live.end()
    }

    /// Each door's own words stay in order, whatever comes from the other in between.
    @Test func twoDoorsAtOnceEachKeepTheirOrder() async throws {
        let talk = try InputSettings(parsing: "talk=mono")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        let names = ["main", "talk"]
        let level = try #require(Parameter.named("level"))
        await withTaskGroup(of: Void.self) { doors in
            for (door, name) in names.enumerated() {
                doors.addTask {
                    for step in 1...500 {
                        await rig.done(
                            .set(ParameterChange(level, .numbers([-Double(step) / 10 - Double(door)]), input: name)))
                    }
                }
            }
        }
        let levels = await rig.live.status().programmes.map(\.level)
        #expect(abs(levels[0] + 50) < 1e-3 && abs(levels[1] + 51) < 1e-3)
        try await rig.live.end()
    }

    /// What is set of every parameter is done, or refused in words.
    @Test(arguments: Parameter.all)
    func everyParameterIsSetOrRefusedInWords(_ parameter: Parameter) async throws {
        let rig = try await LiveRig()
        var values = parameter.words.map { ParameterValue.word($0) }
        if !parameter.numbers.isEmpty { values.append(.numbers(parameter.numbers.map(\.range.lowerBound))) }
        for value in values {
            switch await rig.live.perform(.set(ParameterChange(parameter, value))) {
            case .done, .told: break
            case .refused(let reason): #expect(reason.count > 20)
            default: Issue.record("\(parameter.id) was answered otherwise")
            }
        }
        rig.play()
        try await rig.live.end()
    }

    @Test func quittingEndsTheSession() async throws {
        let rig = try await LiveRig()
        await rig.done(.quit)
        try await rig.live.waitForEnd()
        try await rig.live.end()
        #expect(rig.server.clients == ["system", "daw"])
    }
}
