import AudioIO
import AudioInMemory
import Desk
import Metering
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
import Waiting

@testable import Session

/// Commands to the inputs and the room of a playing stage.
@Suite(.timeLimit(.minutes(10))) struct LiveInputTests {
    /// Returns the ears for the same noise on both sides, after all earlier sound has decayed.
    private func ears(_ rig: LiveRig) -> [[Float]] {
        for _ in 0..<2 {
            _ = rig.server.takeEars(of: "proscenium")
            for output in ["daw:out_1", "daw:out_2"] { rig.server.play(LiveRig.noise(14_400, seed: 7), on: output) }
            rig.server.run(seconds: 0.3)
        }
        return rig.server.takeEars(of: "proscenium")
    }

    /// Returns the level of the difference between two outputs, dB re the second.
    private func distance(_ ears: [[Float]], _ others: [[Float]]) -> Double {
        let rest: [[Float]] = zip(ears, others).map { one, other in zip(one, other).map { $0 - $1 } }
        return LiveRig.level(rest) - LiveRig.level(others)
    }

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
        // The left loudspeaker plays alone, first at its place, then at that of the right one.
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
        // The main programme could have the target; the other one cannot, so nothing is changed.
        let answer = await rig.refusal(of: try .set("loudness-target", "-23")) ?? ""
        #expect(answer.hasPrefix("talk: "), "\(answer)")
        try await rig.live.end()
    }

    @Test func stereoThatIsUpmixedIsUpmixedFurtherAndLeftAlone() async throws {
        let rig = try await LiveRig { $0.stage.programmes.upmix.mode = .identity }
        try await rig.patch()
        // Both sides are equal: all sound comes from the centre.
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
        // Loudspeakers in front, with responses of 50 ms.
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
}
