import AudioIO
import AudioInMemory
import Desk
import Foundation
import Loading
import Metering
import PlantedPlugins
import Racks
import SoundFixtures
import Stages
import StoredProperties
import Testing
import Waiting

@testable import Session

/// Blind comparison of two scenes (A/B/X).
@Suite(.timeLimit(.minutes(10))) struct LiveBlindComparisonTests {
    @Test func `A blind comparison of unlike layouts is not told by what each lacks`() async throws {
        let rig = try await LiveRig()
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "5.1"))
        await rig.done(try .set("loudspeaker-solo", "on", of: "FL"))
        #expect(await rig.live.status().monitor.silent.count == 5)
        await rig.done(try .set("abx", "ab"))
        let (shown, silent) = (Set(rig.state.keys), await rig.live.status().monitor.silent)
        for sound in ["a", "b", "a"] {
            await rig.done(try .set("abx-listen", sound))
            #expect(Set(rig.state.keys) == shown && silent.isEmpty)
            #expect(await rig.live.status().monitor.silent == silent)
        }
        await rig.done(try .set("level", "-4", of: "main"))
        #expect(rig.state["input/main/level"] == .number(-4))
        try await rig.live.end()
    }

    @Test func `A blind comparison tells nothing until it ends, and then how it went`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        #expect(await rig.refusal(of: try .set("abx", "ab"))?.contains("no scene b") == true)
        #expect(await rig.refusal(of: try .set("abx-listen", "x"))?.contains("'abx ab'") == true)
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("gain", "-6"))
        await rig.done(try .set("abx", "ab"))
        let shown = rig.state.filter { LiveSession.tellsTheScene($0.key) }
        #expect(rig.state["abx"] == .word("ab"))
        var right = 0
        for turn in 0..<12 {
            await rig.done(try .set("abx-listen", turn % 2 == 0 ? "x" : "a"))
            await rig.done(try .set("abx-listen", "x"))
            #expect(rig.state.filter { LiveSession.tellsTheScene($0.key) } == shown)
            #expect(await rig.live.status().hrtf == "blind")
            let isFirst: Bool? = await rig.live.staging.trial?.isXFirst
            guard let isFirst else {
                Issue.record("nothing is compared")
                return
            }
            // The answer is right in three of four trials.
            let says = turn % 4 == 3 ? !isFirst : isFirst
            right += says == isFirst ? 1 : 0
            await rig.done(try .set("abx-answer", says ? "a" : "b"))
            #expect(rig.state["abx-count"] == .numbers([Double(turn + 1)]) && rig.state["abx-result"] == nil)
        }
        #expect(await rig.refusal(of: try .set("scene", "a"))?.contains("blind") == true)
        #expect(await rig.refusal(of: try .set("gain", "3"))?.contains("blind") == true)
        #expect(await rig.refusal(of: try .set("scene-clear", "b"))?.contains("blind") == true)
        #expect(await rig.refusal(of: .history(.undo))?.contains("blind") == true)
        #expect(await rig.refusal(of: .plugin(.list))?.contains("blind") == true)
        #expect(await rig.live.status().programmes.allSatisfy { $0.layout == "blind" })
        #expect(await rig.live.status().scene == nil)
        guard case .told(let words) = await rig.live.perform(try .set("abx", "off")) else {
            Issue.record("nothing is told of the comparison")
            return
        }
        #expect(words == "blind comparison of ab: 9 of 12 correct; chance alone: 0.073")
        #expect(right == 9)
        #expect(rig.state["abx-result"]?.word == "9 of 12 correct; chance alone: 0.073")
        await rig.settle { await rig.live.staging.transition == nil }
        await rig.done(try .set("scene", "a"))
        try await rig.live.end()
    }

    /// Their values are frozen, and a scene may lack a loudspeaker: a change would not be shown, or would tell the
    /// scene.
    @Test func `Loudspeakers are not switched during a blind comparison`() async throws {
        let rig = try await LiveRig()
        await rig.done(try .set("level", "-3", of: "main"))
        await rig.change(try .set("scene", "b"))
        await rig.clock.advance(by: 1)
        await rig.done(try .set("loudspeaker-solo", "on", of: "FL"))
        await rig.clock.advance(by: 1)
        await rig.done(try .set("abx", "ab"))
        await rig.settle { await rig.live.staging.transition == nil }
        for command in [
            try SessionCommand.set("loudspeaker-mute", "on", of: "FL"), try .set("loudspeaker-mute", "on"),
            try .set("loudspeaker-polarity", "toggle", of: "FR"), try .set("test-noise", "on", of: "FL"),
            try .set("loudspeaker-solo", "on", of: "SL"), try .set("solo-clear", "all"),
        ] {
            #expect(await rig.refusal(of: command)?.contains("'abx off' ends that") == true)
        }
        await rig.done(try .set("solo-clear", "inputs"))
        await rig.done(try .set("abx", "off"))
        #expect(rig.state["loudspeaker/FL/mute"] == .word("off") && rig.state["loudspeaker/FL/solo"] == .word("on"))
        // The newest change is that of the solo.
        await rig.done(.history(.undo))
        #expect(rig.state["loudspeaker/FL/solo"] == .word("off"))
        #expect(rig.state["input/main/level"] == .numbers([-3]))
        await rig.done(try .set("loudspeaker-mute", "on", of: "FL"))
        #expect(rig.state["loudspeaker/FL/mute"] == .word("on"))
        try await rig.live.end()
    }

    @Test(arguments: ["poses", "motion"])
    func `A blind comparison is refused while a log would tell of the scenes`(_ log: String) async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig {
            switch log {
            case "poses": $0.recordPoses = scratch("poses.csv")
            default: $0.recordMotion = scratch("ride.ndjson")
            }
        }
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        #expect(await rig.refusal(of: try .set("abx", "ab"))?.contains("--record-motion") == true)
        #expect(rig.state["abx"] == .word("off"))
        try await rig.live.end()
    }

    @Test func `Levels, times and the names of metered inputs are hidden until the comparison ends`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "5.1"))
        await rig.change(try .set("gain", "-6"))
        await rig.done(try .set("abx", "ab"))
        for sound in ["a", "b", "a"] {
            await rig.done(try .set("abx-listen", sound))
            await rig.settle { await rig.live.staging.transition == nil }
            rig.play(seconds: 0.5)
            let status = await rig.live.status()
            #expect(status.outputPeaks.isEmpty && status.inputPeaks.isEmpty && status.gainReduction == 0)
            #expect(status.loudness == nil && status.playback.unconnectedInputs == nil)
            #expect(status.streamFrame == 0 && status.heardAt == 0 && status.load == 0)
            #expect(!status.clipped && status.nonFiniteSamples == 0)
            #expect(status.loadMean == nil && status.loadMaximum == nil)
            let meters = try #require(await rig.live.sampled())
            #expect(meters.ears.isEmpty && meters.inputs.isEmpty && meters.reduction == 0 && meters.heardAt == 0)
            #expect(meters.momentary == -200 && meters.shortTerm == -200 && meters.load == 0 && !meters.hasClipped)
            guard case .loudness(let loudness) = await rig.live.perform(.loudness(reset: false)) else {
                Issue.record("the meters do not answer")
                return
            }
            #expect(loudness == .hidden)
        }
        await rig.done(try .set("abx", "off"))
        rig.play(seconds: 0.5)
        #expect(await rig.live.status().outputPeaks.allSatisfy { $0 > -60 })
        #expect(await rig.live.sampled()?.ears.count == 2)
        #expect(await rig.live.status().loudness?.inputs.map(\.name) == ["main"])
        try await rig.live.end()
    }

    /// `blind` and the telemetry hide properties by name. A new property belongs into one of the lists here.
    @Test func `Every property of status and meters is hidden, or the same for both scenes`() async throws {
        let rig = try await LiveRig()
        let status = await rig.live.status()
        let meters = try #require(await rig.live.sampled())
        let programme = try #require(status.programmes.first)
        try await rig.live.end()
        let lists: [(value: Any, hidden: String, same: String)] = [
            (
                status,
                """
                layout hrtf programmes room headphones slice streamFrame heardAt latencyFrames inputPeaks outputPeaks \
                loudness gainReduction clipped nonFiniteSamples load loadMean loadMaximum plugins scene scenes monitor \
                playback
                """,
                """
                phase preparing preparingFor client sampleRate period jackFrame mode yaw pitch roll yawDeviation head \
                device xruns skippedFrames lagSteps freewheeling recorderLost recordings recordingsFolder panel \
                control serverGoneFor controlVersion
                """
            ),
            (
                programme,
                "layout mode width dynamicsGain isSpatializing isMultichannelUnused renditions talkers heardScale",
                "name isEffect level isMuted isSolo isSilenced isInverted normalisation drc canSpatialize"
            ),
            (
                status.monitor, "silent inverted noise",
                "level isDimmed isMuted isMono reference foldDown comparison hearsReference isTalking isAway"
            ),
            (status.playback, "unconnectedInputs", "state left right lost onRouteLoss interruptions"),
            (
                meters, "heardAt inputs ears reduction hasClipped momentary shortTerm load talkers",
                "yaw pitch roll xruns skipped mode trackerRate trackerAge"
            ),
        ]
        for (value, hidden, same) in lists {
            let listed = (hidden + " " + same).split(separator: " ").map(String.init)
            #expect(StoredProperties.names(of: value).sorted() == listed.sorted(), "\(type(of: value))")
        }
    }

    /// A sound field refuses values that loudspeakers take, and has no loudspeakers.
    @Test func `Inputs and answers are those of both scenes, whichever is heard`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "ambi1" }
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "stereo"))
        await rig.done(try .set("spatialize", "none", of: "main"))
        await rig.done(try .set("abx", "ab"))
        await rig.settle { await rig.live.staging.transition == nil }
        var told: [[String?]] = []
        for sound in ["a", "b", "x"] {
            await rig.done(try .set("abx-listen", sound))
            await rig.settle { await rig.live.staging.transition == nil }
            let inputs = await rig.live.status().programmes.map { "\($0.name) \($0.mode) \($0.isSpatializing)" }
            told.append([
                rig.state["input/main/spatialize"]?.word, inputs.joined(separator: ", "),
                await rig.refusal(of: try .set("mode", "off", of: "main")),
                await rig.refusal(of: try .set("loudspeaker-mute", "on", of: "FL")),
                await rig.refusal(of: try .set("test-noise", "on")),
                await rig.refusal(of: try .set("fold-down", "mono")),
                await rig.refusal(of: try .set("compare", "bypass")),
            ])
        }
        #expect(!told[0].contains(nil), "\(told[0])")
        #expect(told[1] == told[0] && told[2] == told[0])
        // What both scenes take is done in both.
        await rig.done(try .set("level", "-4", of: "main"))
        #expect(rig.state["input/main/level"] == .number(-4))
        try await rig.live.end()
    }

    /// The plugin is in one scene alone.
    @Test func `A plugin's fault is not told during a blind comparison, and is shown after it`() async throws {
        let shelf = try PluginShelf.planted()
        let request = try PluginRequest(parsing: "main=\(PlantedPlugins.uri("not-a-number")),name=bad")
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
        try await rig.patch()
        // Before the first cycle scenes are heard at once, and the plugin does not run.
        await rig.done(try .set("scene", "b"))
        await rig.done(.plugin(.remove("bad")))
        await rig.done(try .set("abx", "ab"))
        await rig.settle {
            rig.play()
            return await rig.live.stage.assembly.plugins.status.first?.fault != nil
        }
        await rig.clock.advance(by: 0.1)
        #expect(!rig.said.notes.contains { $0.contains("bad") }, "\(rig.said.notes)")
        await rig.done(try .set("abx", "off"))
        #expect(await rig.live.status().plugins.first?.fault != nil)
        try await rig.live.end()
    }

    /// After a change of the server's rate the heard scene comes back first.
    @Test func `The list of scenes stays the same while one of the two is prepared anew`() async throws {
        let (isHeld, mayGoOn) = (Flag(), DispatchSemaphore(value: 0))
        let fields = LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said()).fields
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            if isHeld.isRaised, settings.choices.layout == "5.1" { mayGoOn.wait() }
            return try fields(settings, rate, says)
        }
        let rig = try await LiveRig(sets: sets)
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "5.1"))
        await rig.done(try .set("abx", "ab"))
        await rig.settle { await rig.live.staging.transition == nil }
        isHeld.raise()
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        await rig.clock.advance(by: 0.1)
        #expect(await rig.live.staging.filled == ["a"])
        #expect(await rig.live.status().scenes == ["a", "b"])
        #expect(rig.state["scenes"] == .word("ab"))
        mayGoOn.signal()
        await rig.settle { await rig.live.staging.lost.isEmpty }
        #expect(await rig.live.status().scenes == ["a", "b"])
        #expect(rig.state["scenes"] == .word("ab") && rig.state["abx"] == .word("ab"))
        try await rig.live.end()
    }

    /// Values of NIST's tables of the binomial distribution, p = 1/2.
    @Test(arguments: [(0, 10, 1.0), (8, 10, 0.0546875), (10, 10, 0.0009765625), (12, 16, 0.0384063721)])
    func `Chance is the binomial tail`(correct: Int, count: Int, chance: Double) {
        #expect(abs(BlindTrial.chance(correct, of: count) - chance) < 1e-9)
    }
}

extension LiveSession {
    /// Returns a sample of the telemetry as the doors get it.
    fileprivate func sampled() -> SessionTelemetry? { TelemetrySource(self).sample(isWhole: true) }
}
