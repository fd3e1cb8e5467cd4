import AudioIO
import AudioInMemory
import Desk
import Foundation
import Metering
import Signal
import Soundstage
import Stages
import Testing
import Waiting

@testable import Rendering
@testable import Session

/// Reference levels, fold-downs and comparisons of a playing session.
@Suite(.timeLimit(.minutes(10))) struct LiveListeningTests {
    @Test func `A reference level needs to know how loud the loudspeakers are, and sets the monitor's level`()
        async throws
    {
        let rig = try await LiveRig()
        try await rig.patch()
        let reason = await rig.refusal(of: try .set("reference-level", "79"))
        #expect(reason?.contains("calibrated-level") == true)
        await rig.done(try .set("test-noise", "on", of: "FL"))
        rig.play(channels: 0, seconds: 0.3)
        let measured = LiveRig.level(rig.play(channels: 0, seconds: 6))
        #expect(measured > -60)
        await rig.done(try .set("calibrated-level", "85"))
        await rig.done(try .set("reference-level", "79"))
        rig.play(channels: 0, seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(channels: 0, seconds: 6)) - measured + 6) < 0.3)
        #expect(await rig.live.monitoring.level == -6)
        await rig.done(try .set("monitor-level", "-2"))
        #expect(await rig.live.monitoring.reference == 83)
        await rig.done(try .set("calibrated-level", "30"))
        let beyond = await rig.refusal(of: try .set("reference-level", "85"))
        #expect(beyond?.contains("55.0 dB") == true)
        #expect(await rig.live.monitoring.level == -2)
        // Without a name, the noise is on the first loudspeaker, as there is no centre. `off` for another one leaves it
        // on.
        await rig.done(try .set("test-noise", "off", of: "FR"))
        #expect(await rig.live.monitoring.noise == "FL")
        await rig.done(try .set("test-noise", "toggle"))
        rig.play(channels: 0, seconds: 0.3)
        #expect(LiveRig.level(rig.play(channels: 0, seconds: 0.3)) < -150)
        try await rig.live.end()
    }

    @Test func `What was done in the section is undone and done again`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        let steps = [
            ("calibrated-level", "85"), ("reference-level", "78.9"), ("solo-mode", "exclusive"), ("compare", "bypass"),
            ("fold-down", "stereo"), ("dim", "on"),
        ]
        for (name, value) in steps { await rig.done(try .set(name, value)) }
        await rig.done(try .set("loudspeaker-solo", "on", of: "FL"))
        await rig.done(try .set("loudspeaker-solo", "on", of: "SR"))
        let done = rig.state
        #expect(done["monitor-level"] == .numbers([-6.1]) && done["loudspeaker/FL/solo"] == .word("off"))
        for _ in 0..<8 { await rig.done(.history(.undo)) }
        #expect(rig.state["calibrated-level"] == nil && rig.state["reference-level"] == nil)
        #expect(rig.state["compare"] == .word("off") && rig.state["monitor-level"] == .numbers([0]))
        #expect(rig.state["loudspeaker/SR/solo"] == .word("off") && rig.state["fold-down"] == .word("none"))
        for _ in 0..<8 { await rig.done(.history(.redo)) }
        #expect(rig.state.filter { $0.key != "playback" } == done.filter { $0.key != "playback" })
        try await rig.live.end()
    }

    @Test func `A fold-down is heard, refused where nothing is wider, and outlives the server's rate`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        try await rig.patch(inputs: ["FL", "FR", "FC", "LFE", "SL", "SR"])
        await rig.done(try .set("fold-down", "mono"))
        // A surround folded to mono is in the middle, equal in both ears.
        func difference() -> Double {
            let ears = [0, 1].reduce([]) { _, _ in side(rig) }
            return LiveRig.level([ears[0]]) - LiveRig.level([ears[1]])
        }
        #expect(abs(difference()) < 0.5)
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 && $0.playback.state == "playing" }
        #expect(abs(difference()) < 0.5)
        await rig.done(try .set("fold-down", "none"))
        #expect(difference() > 3)
        let reason = await rig.refusal(of: try .set("fold-down", "7.1"))
        #expect(reason?.contains("no input has more channels than 7.1") == true)
        #expect(await rig.live.monitoring.foldDown == nil)
        try await rig.live.end()
    }

    @Test func `A fold-down that a scene refuses is not played there, nor is an earlier one`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "7.1.4" }
        try await rig.patch(inputs: ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"])
        rig.play(channels: 8)
        await rig.change(try .set("scene", "b"))
        await rig.change(try .set("layout", "7.1"))
        await rig.done(try .set("scene", "a"))
        await rig.settle { await rig.live.staging.transition == nil }
        await rig.done(try .set("fold-down", "stereo"))
        await rig.done(try .set("fold-down", "7.1"))
        await rig.done(try .set("scene", "b"))
        await rig.settle { await rig.live.staging.transition == nil }
        // Scene b has no more channels than 7.1, so it is played unchanged.
        #expect(await rig.live.stage.assembly.renderer.monitor.controls.fold == 0)
        #expect(await rig.live.monitoring.foldDown == "7.1")
        try await rig.live.end()
    }

    @Test func `A mode set by hand ends a comparison, and the other inputs are as before`() async throws {
        let talk = try InputSettings(parsing: "talk=mono")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        let former = rig.state["input/talk/mode"]
        await rig.done(try .set("compare", "bypass"))
        #expect(rig.state["input/talk/mode"] == .word("off"))
        await rig.done(try .set("mode", "fixed", of: "main"))
        #expect(rig.state["input/talk/mode"] == former && rig.state["input/main/mode"] == .word("fixed"))
        #expect(await rig.live.monitoring.comparison == nil)
        try await rig.live.end()
    }

    @Test func `A reference at the end of the level's range is taken`() {
        var settings = MonitorSettings()
        settings.calibratedLevel = 60.4
        #expect(settings.setReference(80.4) == nil && settings.level == 20)
        #expect(settings.setReference(80.5) != nil)
    }

    @Test func `Test noise of a loudspeaker that a stage does not have is not reported`() async throws {
        let rig = try await LiveRig { $0.stage.layout = "5.1" }
        await rig.done(try .set("test-noise", "on", of: "SL"))
        #expect(await rig.live.monitorStatus.noise == "SL")
        rig.play(channels: 0)
        await rig.change(try .set("layout", "stereo"))
        #expect(await rig.live.monitorStatus.noise == nil)
        try await rig.live.end()
    }

    /// Returns the ears for 0.3 s of noise from the left surround alone.
    private func side(_ rig: LiveRig) -> [[Float]] {
        _ = rig.server.takeEars(of: "proscenium")
        rig.server.play(LiveRig.noise(14_400, seed: 3), on: "daw:out_5")
        rig.server.run(seconds: 0.3)
        return rig.server.takeEars(of: "proscenium")
    }

    @Test func `A reference is heard in the stage's place, by the listener alone`() async throws {
        let rig = try await LiveRig()
        rig.server.addClient("recorder", inputs: ["l", "r"])
        try await rig.patch()
        let reason = await rig.refusal(of: try .set("monitor-source", "reference"))
        #expect(reason?.contains("set reference-input on") == true)
        await rig.done(try .set("print-bus", "on"))
        await rig.done(try .set("reference-input", "on"))
        for (from, to) in [
            ("daw:out_3", "proscenium:ref_L"), ("daw:out_4", "proscenium:ref_R"), ("proscenium:print_L", "recorder:l"),
        ] { try #require(rig.server.connect(from, to: to)) }
        let reference = [LiveRig.noise(24_000, seed: 31), LiveRig.noise(24_000, seed: 32)]
        func heard() -> [[Float]] {
            for (channel, row) in reference.enumerated() { rig.server.play(row, on: "daw:out_\(channel + 3)") }
            return rig.play(seconds: 0.5)
        }
        let (stage, printed) = (heard(), rig.server.takeArrived(at: "recorder:l"))
        await rig.done(try .set("monitor-source", "reference"))
        rig.play()
        _ = rig.server.takeArrived(at: "recorder:l")
        let other = heard()
        for ear in 0..<2 { #expect(Array(other[ear][..<24_000]) == reference[ear]) }
        #expect(rig.server.takeArrived(at: "recorder:l").count == printed.count && LiveRig.level(stage) > -50)
        #expect(LiveRig.level([printed]) > -60)
        // The controls of the monitor section act on the ears, whatever their source.
        await rig.done(try .set("reference-trim", "6"))
        await rig.done(try .set("dim", "on"))
        rig.play()
        #expect(abs(LiveRig.level(heard()) - LiveRig.level(other) + 14) < 0.01)
        // The reference and its connections survive another rate of the server.
        rig.server.setRate(44_100)
        try await rig.heard { $0.sampleRate == 44_100 && $0.playback.state == "playing" }
        #expect(rig.server.links.contains(JACKLink(from: "daw:out_3", to: "proscenium:ref_L")))
        #expect(rig.state["monitor-source"] == .word("reference"))
        // Without the reference's ports the stage is the source again; one undo restores both.
        await rig.done(try .set("reference-input", "off"))
        #expect(rig.state["monitor-source"] == .word("stage") && !rig.server.ports.contains("proscenium:ref_L"))
        await rig.done(.history(.undo))
        #expect(rig.state["monitor-source"] == .word("reference") && rig.server.ports.contains("proscenium:ref_L"))
        try await rig.live.end()
    }

    @Test func `A voice is heard over the stage, before it plays too, and turns it down`() async throws {
        let hasPort = try ParameterChange("talkback-input", ["on"])
        let rig = try await LiveRig {
            $0.start = .onRequest
            $0.listening = [hasPort]
        }
        try await rig.patch()
        try #require(rig.server.connect("daw:out_5", to: "proscenium:talkback"))
        let voice = LiveRig.noise(24_000, seed: 5)
        func heard(_ isSpoken: Bool = true) -> [[Float]] {
            if isSpoken { rig.server.play(voice, on: "daw:out_5") }
            return rig.play(seconds: 0.5)
        }
        #expect(LiveRig.level(heard()) < -150)
        await rig.done(try .set("talkback", "on"))
        rig.play()
        let before = heard()
        for ear in 0..<2 { #expect(Array(before[ear][..<24_000]) == voice) }
        await rig.done(try .set("talkback", "off"))
        let live = rig.live
        async let reply = live.perform(.start(frame: nil))
        _ = await eventually { rig.server.isAskedToStart }
        rig.play()
        _ = await reply
        let stage = heard(false)
        await rig.done(try .set("talkback-level", "-6"))
        await rig.done(try .set("talkback", "toggle"))
        #expect(await rig.live.status().monitor.isTalking)
        rig.play()
        #expect(abs(LiveRig.level(heard(false)) - LiveRig.level(stage) + 20) < 0.01)
        await rig.done(try .set("monitor-mute", "on"))
        rig.play()
        let spoken = heard().map { Array($0[..<24_000]) }
        #expect(abs(LiveRig.level(spoken) - LiveRig.level([voice]) + 6) < 0.01)
        // Neither an undo nor a restored session may open the talkback.
        #expect(!StateAddress("talkback").isKept && StateAddress("talkback-level").isKept)
        try await rig.live.end()
    }

    @Test(arguments: ["stereo", "5.1", "7.1.4"])
    func `No stage is as loud as the stage while they are compared`(layout: String) async throws {
        let rig = try await LiveRig { $0.stage.layout = layout }
        let channels = try Layout.named(layout).loudspeakers.filter { !$0.isLowFrequency }.map(\.symbol)
        for number in 9...max(9, channels.count) {
            rig.server.addClient("more\(number)", outputs: ["out"])
        }
        let outputs = channels.indices.map { $0 < 8 ? "daw:out_\($0 + 1)" : "more\($0 + 1):out" }
        for (output, channel) in zip(outputs, channels) {
            try #require(rig.server.connect(output, to: "proscenium:in_\(channel)"))
        }
        try #require(rig.server.connect("proscenium:out_L", to: "system:playback_1"))
        try #require(rig.server.connect("proscenium:out_R", to: "system:playback_2"))
        let noise = TestNoise(sampleRate: .studio)
        // All channels play the same pink noise, at different offsets in its period, so they are not correlated.
        let rows = outputs.indices.map { index in
            (0..<noise.count).map { noise.samples[($0 + index * 9001) % noise.count] * 0.3 }
        }
        func loudness() -> Double {
            for _ in 0..<2 {
                _ = rig.server.takeEars(of: "proscenium")
                for (output, row) in zip(outputs, rows) { rig.server.play(row, on: output) }
                rig.server.run(seconds: Double(noise.count) / 48_000)
            }
            let ears = rig.server.takeEars(of: "proscenium")
            let power = ears.map { ear in
                let filtered = KWeighted.of(ear.map { Double($0) })
                return filtered.reduce(0) { $0 + $1 * $1 } / Double(filtered.count)
            }
            return -0.691 + 10 * log10(power[0] + power[1])
        }
        await rig.done(try .set("compare", "tracked"))
        let tracked = loudness()
        await rig.done(try .set("compare", "bypass"))
        #expect(await rig.live.status().programmes[0].mode == "off")
        let bypass = loudness()
        await rig.done(try .set("compare", "fixed"))
        let fixed = loudness()
        #expect(abs(bypass - tracked) < 0.2, "\(layout): \(bypass - tracked) LU")
        #expect(abs(fixed - tracked) < 0.01)
        await rig.done(try .set("mode", "off"))
        #expect(await rig.live.monitoring.comparison == nil)
        let plain = loudness()
        await rig.done(try .set("compare", "tracked"))
        await rig.done(try .set("compare", "off"))
        #expect(await rig.live.status().programmes[0].mode == "off")
        #expect(abs(loudness() - plain) < 0.01)
        try await rig.live.end()
    }
}

/// K-weighting at 48 kHz, by the table of ITU-R BS.1770-5.
private enum KWeighted {
    static func of(_ x: [Double]) -> [Double] {
        let filter = KWeighting(sampleRate: 48_000)
        return section(section(x, filter.shelf), filter.highPass)
    }

    private static func section(_ x: [Double], _ s: SecondOrderSection) -> [Double] {
        var (s1, s2) = (0.0, 0.0)
        return x.map { input in
            let output = s.b0 * input + s1
            s1 = s.b1 * input - s.a1 * output + s2
            s2 = s.b2 * input - s.a2 * output
            return output
        }
    }
}
