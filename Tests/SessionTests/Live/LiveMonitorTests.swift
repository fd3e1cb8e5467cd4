import AudioIO
import AudioInMemory
import Desk
import SoundFixtures
import Stages
import StoredProperties
import Testing

@testable import Session

/// The monitor section of a playing session.
@Suite(.timeLimit(.minutes(10))) struct LiveMonitorTests {
    /// Returns the last 0.2 s of 0.4 s of noise on these outputs of the player, with silence on the others.
    private func ears(_ rig: LiveRig, channels: Swift.Set<Int> = [0, 1]) -> [[Float]] {
        for _ in 0..<2 {
            _ = rig.server.takeEars(of: "proscenium")
            for channel in channels {
                rig.server.play(LiveRig.noise(9600, seed: 7 + UInt64(channel)), on: "daw:out_\(channel + 1)")
            }
            rig.server.run(seconds: 0.2)
        }
        return rig.server.takeEars(of: "proscenium")
    }

    private static func rig(_ inputs: [String] = [], effects: [String] = [], record: String? = nil) async throws
        -> LiveRig
    {
        let others = try inputs.map { try InputSettings(parsing: $0) }
        let returns = try effects.map { try EffectSettings(parsing: $0) }
        let rig = try await LiveRig { settings in
            settings.stage.programmes.inputs = others
            settings.stage.programmes.effects = returns
            settings.record = record
        }
        try await rig.patch(inputs: ["FL", "FR"] + others.map { $0.name + "_M" })
        return rig
    }

    @Test func `Loudspeakers are switched by groups, which are told one by one`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1.2" }
        func on(_ word: String) -> Set<String> {
            Set(
                rig.state.filter {
                    $0.key.hasPrefix("loudspeaker/") && $0.key.hasSuffix("/" + word) && $0.value == .word("on")
                }
                .map { String($0.key.split(separator: "/")[1]) })
        }
        await rig.done(try .set("loudspeaker-mute", "on", of: "surrounds"))
        #expect(on("mute") == ["SL", "SR"])
        await rig.done(try .set("loudspeaker-polarity", "on", of: "heights"))
        #expect(on("polarity").count == 2 && on("polarity").isDisjoint(with: ["FL", "FR", "FC", "SL", "SR", "LFE"]))
        // A toggle sets all loudspeakers of a group alike; in exclusive mode the solo of a group ends the others.
        await rig.done(try .set("loudspeaker-solo", "on", of: "FL"))
        await rig.done(try .set("loudspeaker-solo", "toggle", of: "front"))
        #expect(on("solo") == ["FL", "FR", "FC"])
        await rig.done(try .set("solo-mode", "exclusive"))
        await rig.done(try .set("loudspeaker-solo", "on", of: "surrounds"))
        #expect(on("solo") == ["SL", "SR"])
        await rig.done(try .set("loudspeaker-solo", "toggle", of: "surrounds"))
        #expect(on("solo").isEmpty)
        #expect(
            await rig.refusal(of: try .set("test-noise", "on", of: "front"))?.contains("one loudspeaker at a time")
                == true)
        await rig.change(try .set("layout", "stereo"))
        #expect(
            await rig.refusal(of: try .set("loudspeaker-mute", "on", of: "heights"))?.contains(
                "none of the loudspeakers") == true)
        try await rig.live.end()
    }

    @Test func `A loudspeaker that is silent or soloed is as if nothing else played, to the bit`() async throws {
        let (one, other) = (try await Self.rig(), try await Self.rig())
        let left = ears(other, channels: [0])
        await one.done(try .set("loudspeaker-mute", "on", of: "FR"))
        #expect(ears(one) == left)
        await one.done(try .set("loudspeaker-mute", "off", of: "FR"))
        #expect(ears(one) != left)
        await one.done(try .set("loudspeaker-solo", "on", of: "FL"))
        // The other session plays as many frames as this one.
        for _ in 0..<2 { _ = ears(other, channels: [0]) }
        #expect(ears(one) == ears(other, channels: [0]))
        // Solos add up; in exclusive mode each ends the one before.
        await one.done(try .set("loudspeaker-solo", "toggle", of: "FR"))
        #expect(LiveRig.level(ears(one)) > LiveRig.level(left) + 2)
        await one.done(try .set("loudspeaker-solo", "off", of: "FR"))
        await one.done(try .set("solo-mode", "exclusive"))
        await one.done(try .set("loudspeaker-solo", "on", of: "FR"))
        #expect(LiveRig.level(ears(one, channels: [0])) < -150)
        await one.done(try .set("solo-clear", "all"))
        #expect(LiveRig.level(ears(one, channels: [0])) > -60)
        await one.done(try .set("loudspeaker-mute", "on"))
        #expect(LiveRig.level(ears(one)) < -150)
        let reason = await one.refusal(of: try .set("loudspeaker-mute", "on", of: "TFL"))
        #expect(reason?.contains("there are FL, FR") == true)
        for rig in [one, other] { try await rig.live.end() }
    }

    @Test func `A solo silences the other inputs but those that are safe, and what they send`() async throws {
        let rig = try await Self.rig(["talk=mono", "count=mono"], effects: ["reverb=stereo,main=0"])
        func heard(_ channel: Int) -> Bool { LiveRig.level(ears(rig, channels: [channel])) > -100 }
        await rig.done(try .set("solo", "on", of: "talk"))
        #expect(heard(2) && !heard(0) && !heard(3))
        await rig.done(try .set("solo-safe", "on", of: "count"))
        #expect(heard(2) && !heard(0) && heard(3))
        await rig.done(try .set("solo", "on", of: "main"))
        #expect(heard(2) && heard(0))
        // The solo does not silence the effect's return: its level is unchanged, and it adds 6 dB.
        let both = LiveRig.level(ears(rig))
        await rig.done(try .set("mute", "on", of: "reverb"))
        #expect(abs(LiveRig.level(ears(rig)) - both + 6.02) < 0.1)
        await rig.done(try .set("solo-mode", "exclusive"))
        await rig.done(try .set("solo", "off", of: "main"))
        await rig.done(try .set("solo", "on", of: "main"))
        #expect(heard(0) && !heard(2))
        await rig.done(try .set("solo-clear", "inputs"))
        #expect(heard(0) && heard(2) && heard(3))
        try await rig.live.end()
    }

    @Test func `A polarity turned over takes the same sound away`() async throws {
        let rig = try await Self.rig(["twin=mono", "other=mono"])
        try #require(rig.server.connect("daw:out_3", to: "proscenium:in_other_M"))
        let one = LiveRig.level(ears(rig, channels: [2]))
        await rig.done(try .set("polarity", "on", of: "other"))
        #expect(LiveRig.level(ears(rig, channels: [2])) < one - 140)
        await rig.done(try .set("polarity", "toggle", of: "other"))
        #expect(abs(LiveRig.level(ears(rig, channels: [2])) - one) < 1e-6)
        // Polarity of all inputs inverts the sum, whose level is unchanged.
        await rig.done(try .set("polarity", "on"))
        #expect(abs(LiveRig.level(ears(rig, channels: [2])) - one) < 1e-6)
        await rig.done(try .set("loudspeaker-polarity", "on", of: "M"))
        await rig.done(try .set("loudspeaker-mute", "on", of: "M"))
        #expect(LiveRig.level(ears(rig, channels: [2])) < -150)
        try await rig.live.end()
    }

    @Test func `Ears are turned down, dimmed, silenced and made mono, and the recording is not`() async throws {
        let scratch = try Scratch()
        let rig = try await Self.rig(record: scratch("ears.wav"))
        var recorded: [[Float]] = []
        func level() -> Double { LiveRig.level(ears(rig)) }
        let usual = level()
        await rig.done(try .set("monitor-level", "-12"))
        #expect(abs(level() - usual + 12) < 1e-3)
        await rig.done(try .set("dim", "on"))
        #expect(abs(level() - usual + 32) < 1e-3)
        await rig.done(try .set("dim-level", "-10"))
        #expect(abs(level() - usual + 22) < 1e-3)
        await rig.done(try .set("dim", "toggle"))
        await rig.done(try .set("monitor-level", "0"))
        #expect(abs(level() - usual) < 1e-9)
        await rig.done(try .set("mono", "on"))
        let mono = ears(rig)
        #expect(mono[0] == mono[1])
        await rig.done(try .set("monitor-mute", "on"))
        #expect(ears(rig).joined().allSatisfy { $0 == 0 })
        let meters = await rig.live.status().outputPeaks
        #expect(meters.allSatisfy { $0 > -40 })
        try await rig.live.end()
        recorded = try WholeSound.read(scratch("ears.wav"))
        let first = recorded.map { Array($0.prefix(19_200)) }
        let last = recorded.map { Array($0.suffix(19_200)) }
        #expect(abs(LiveRig.level(first) - LiveRig.level(last)) < 0.2)
        #expect(last[0] != last[1])
    }

    @Test func `What is asked of the section outlives the server's rate`() async throws {
        let rig = try await Self.rig()
        await rig.done(try .set("monitor-level", "-20"))
        await rig.done(try .set("loudspeaker-mute", "on", of: "FL"))
        let before = LiveRig.level(ears(rig))
        #expect(LiveRig.level(ears(rig, channels: [0])) < -150)
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 }
        #expect(LiveRig.level(ears(rig, channels: [0])) < -150)
        #expect(abs(LiveRig.level(ears(rig)) - before) < 1)
        try await rig.live.end()
    }

    @Test func `A sound field has an input's switches and no loudspeakers`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "ambi1" }
        for (name, value) in [("loudspeaker-mute", "on"), ("fold-down", "stereo"), ("compare", "bypass")] {
            #expect(await rig.refusal(of: try .set(name, value)) != nil, "\(name)")
        }
        for (output, channel) in ["0", "1", "2", "3"].enumerated() {
            try #require(rig.server.connect("daw:out_\(output + 1)", to: "proscenium:in_ACN\(channel)"))
        }
        try #require(rig.server.connect("proscenium:out_L", to: "system:playback_1"))
        try #require(rig.server.connect("proscenium:out_R", to: "system:playback_2"))
        let plain = ears(rig)
        await rig.done(try .set("polarity", "on"))
        let inverted = ears(rig)
        let rest = zip(plain, inverted).map { one, other in zip(one, other).map { $0 + $1 } }
        #expect(LiveRig.level(rest) < LiveRig.level(plain) - 100)
        await rig.done(try .set("mute", "on"))
        #expect(LiveRig.level(ears(rig)) < -150)
        try await rig.live.end()
    }

    @Test func `The status says what is asked of the section`() async throws {
        let rig = try await Self.rig()
        #expect(await rig.live.status().monitor.words == nil)
        await rig.done(try .set("monitor-level", "-6"))
        await rig.done(try .set("dim", "on"))
        await rig.done(try .set("loudspeaker-solo", "on", of: "FL"))
        await rig.done(try .set("loudspeaker-polarity", "on", of: "FL"))
        await rig.done(try .set("solo", "on", of: "main"))
        let status = await rig.live.status()
        #expect(status.monitor.words == "-26.0 dB, DIM, silent: FR, inverted: FL")
        #expect(status.programmes[0].isSolo && !status.programmes[0].isSilenced)
        try await rig.live.end()
    }

    @Test func `The status has every property of the section`() async throws {
        let rig = try await Self.rig()
        var settings = MonitorSettings()
        (settings.level, settings.isDimmed, settings.isMuted, settings.isMono) = (-3, true, true, true)
        settings.loudspeakers["FL", default: .init()].isMuted = true
        settings.loudspeakers["FR", default: .init()].isInverted = true
        (settings.calibratedLevel, settings.noise, settings.foldDown) = (80, "FL", "mono")
        (settings.comparison, settings.hearsReference) = (.fixed, true)
        (settings.isTalking, settings.isAway) = (true, true)
        let status = await rig.live.shown(settings)
        #expect(StoredProperties.same(status, MonitorStatus()).isEmpty)
        try await rig.live.end()
    }
}

extension LiveSession {
    /// Returns the status of the section with these settings.
    fileprivate func shown(_ settings: MonitorSettings) -> MonitorStatus {
        let present = monitoring
        defer { monitoring = present }
        monitoring = settings
        return monitorStatus
    }
}
