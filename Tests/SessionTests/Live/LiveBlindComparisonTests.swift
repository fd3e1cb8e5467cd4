import AudioIO
import AudioInMemory
import Desk
import Foundation
import Metering
import Racks
import SoundFixtures
import Stages
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

    @Test func `Meters begin anew at every sound of a blind comparison; counts are hidden`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        await rig.change(try .set("scene", "b"))
        await rig.done(try .set("abx", "ab"))
        await rig.settle { await rig.live.staging.transition == nil }
        // In freewheel nothing is lost before the meters.
        rig.server.setFreewheel(true)
        try await rig.heard { $0.freewheeling }
        // At first A is heard already. Then the session switches to B and back to A.
        for sound in ["a", "b", "a"] {
            rig.play(seconds: 2)
            #expect(
                await eventually {
                    guard let ears = await rig.live.status().loudness?.ears else { return false }
                    return ears.integrated != nil && ears.seconds >= 1.9
                })
            let status = await rig.live.status()
            #expect(status.streamFrame == 0 && status.load == 0 && !status.clipped && status.nonFiniteSamples == 0)
            await rig.done(try .set("abx-listen", sound))
            #expect(await rig.live.status().loudness?.ears.integrated == nil)
            await rig.settle { await rig.live.staging.transition == nil }
        }
        try await rig.live.end()
    }

    /// Values of NIST's tables of the binomial distribution, p = 1/2.
    @Test(arguments: [(0, 10, 1.0), (8, 10, 0.0546875), (10, 10, 0.0009765625), (12, 16, 0.0384063721)])
    func `Chance is the binomial tail`(correct: Int, count: Int, chance: Double) {
        #expect(abs(BlindTrial.chance(correct, of: count) - chance) < 1e-9)
    }
}
