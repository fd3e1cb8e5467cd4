import Foundation
import Inserts
import SoundFixtures
import Testing

@testable import PluginHost

@Suite struct LV2RunTests {
    private static let silence = [Float](repeating: 0, count: 64)

    @Test func `A continuous control moves in a straight line and arrives in time`() throws {
        let sounding = try Sounding(TestBundle())
        // The ramp lasts 640 frames: ten calls, each with a tenth of the change.
        try sounding.instance.set("level", to: 1, within: 640 / 48_000)
        for step in 1...12 {
            let value = sounding.play(Self.silence)
            #expect(value.allSatisfy { abs($0 - min(1, Float(step) / 10)) < 1e-6 })
        }
        #expect(sounding.play(Self.silence)[0] == 1)
        // A second request during the ramp starts at the value that the first has reached.
        try sounding.instance.set("level", to: 0, within: 640 / 48_000)
        sounding.rest(frames: 320)
        try sounding.instance.set("level", to: 1, within: 320 / 48_000)
        #expect(abs(sounding.play(Self.silence)[0] - 0.6) < 1e-6)
        sounding.rest(frames: 640)
        #expect(sounding.play(Self.silence)[0] == 1)
        #expect(sounding.instance.controls()["level"] == 1)
        #expect(sounding.instance.close(within: 1))
    }

    @Test func `A trigger acts in one call, each time it is set`() throws {
        let sounding = try Sounding(TestBundle())
        for _ in 0..<3 {
            try sounding.instance.set("fire", to: 1, within: 0)
            #expect(sounding.play(Self.silence)[0] == 10)
            #expect(sounding.play(Self.silence)[0] == 0)
        }
        #expect(sounding.instance.close(within: 1))
    }

    @Test func `A control is refused by name and by range`() throws {
        let sounding = try Sounding(TestBundle())
        let instance = sounding.instance
        #expect(instance.plugin.controls.map(\.symbol) == ["level", "fire"])
        #expect(throws: PluginError.noControl(identifier: "urn:test:plain", symbol: "loud", known: ["level", "fire"])) {
            try instance.set("loud", to: 1, within: 0)
        }
        for value in [1.5, .nan, -.infinity] as [Float] {
            #expect(throws: PluginError.self) { try instance.set("level", to: value, within: 0) }
        }
        #expect(instance.controls()["level"] == 0 && instance.close(within: 1))
    }

    @Test func `A plugin hears whether it runs free, and begins anew`() throws {
        let sounding = try Sounding(TestBundle())
        #expect(sounding.play(Self.silence, offline: true)[0] == 100)
        #expect(sounding.play(Self.silence, offline: false)[0] == 0)
        #expect(sounding.instance.readings() == ["shown": 1])
        sounding.instance.processor.restart(sounding.instance.processor.context)
        sounding.rest()
        #expect(sounding.instance.readings() == ["shown": 2])
        #expect(sounding.instance.close(within: 1))
    }

    @Test func `Work is done within the call offline, and beside the calls live`() throws {
        let sounding = try Sounding(TestBundle("working"))
        // Each call outputs the number of the previous call, which the worker returned.
        for call in 0..<20 { #expect(sounding.play(Self.silence, offline: true)[0] == 100 + 1000 * Float(call)) }
        #expect(sounding.rest { sounding.play(Self.silence)[0] > 20_500 })
        for _ in 0..<5 { #expect(sounding.play(Self.silence, offline: true)[0] > 20_500) }
        #expect(sounding.instance.health.lost == 0)
        #expect(sounding.instance.close(within: 1))
    }

    @Test func `A worker that does not return is told, and keeps its instance in memory`() throws {
        let sounding = try Sounding(TestBundle("hanging"))
        sounding.rest()
        #expect(sounding.rest { sounding.instance.health.workerSeconds > 0.02 })
        #expect(!sounding.instance.close(within: 0.05))
    }

    @Test func `Work that is never done is lost and counted, not waited for`() throws {
        let sounding = try Sounding(TestBundle("hanging"))
        // Each request takes 16 bytes in a queue of 128 KiB.
        sounding.rest(frames: 64 * 9_000)
        #expect(sounding.instance.health.lost > 0)
        #expect(!sounding.instance.close(within: 0.05))
    }

    @Test func `While it takes a state that it cannot take while sounding, sound passes by it`() throws {
        let sounding = try Sounding(TestBundle())
        let instance = try #require(sounding.instance as? LV2Instance)
        let ones = [Float](repeating: 1, count: 64)
        #expect(sounding.play(ones) == Self.silence)
        let isIn = instance.shared.pointee.gate.tryEnter()
        #expect(isIn)
        #expect(sounding.play(ones) == ones)
        instance.shared.pointee.gate.leave()
        #expect(sounding.play(ones) == Self.silence)
        #expect(instance.close(within: 1))
    }

    @Test func `The newest lines of its log are kept`() throws {
        let sounding = try Sounding(TestBundle("talking"))
        sounding.rest(frames: 64 * 3)
        #expect(sounding.instance.health.log == ["run 1", "run 2", "run 3"])
        sounding.rest(frames: 64 * 97)
        let lines = (69...100).map { "run \($0)" }
        #expect(sounding.instance.health.log == lines)
        #expect(sounding.instance.close(within: 1) && sounding.instance.close(within: 1))
        #expect(sounding.instance.health == PluginHealth(log: lines))
    }

    @Test func `A sequence that lies of its length is read no further than its memory`() throws {
        let sounding = try Sounding(TestBundle("lying"))
        sounding.rest(frames: 64 * 100)
        #expect(sounding.instance.properties() == [:])
        #expect(sounding.instance.close(within: 1))
    }

    @Test func `A state of two gigabytes is refused by name before it is kept`() throws {
        let scratch = try Scratch()
        let sounding = try Sounding(TestBundle("hoarding"))
        let instance = sounding.instance
        #expect(
            throws: PluginError.state(
                identifier: "urn:test:hoarding", folder: scratch("state"),
                reason: "it is larger than 256 MiB, the most that is kept")
        ) { try instance.save(to: scratch("state")) }
        #expect(scratch.contents == [])
        #expect(instance.close(within: 1))
    }
}
