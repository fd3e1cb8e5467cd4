import Inserts
import PlantedPlugins
import Signal
import SoundFixtures
import Testing

@testable import PluginHost

/// Isolated plugins, as the thread that controls them uses them.
@Suite struct IsolatedControlTests {
    @Test func `Controls, presets and states are those of the plugin in the other process`() throws {
        let isolated = try Isolated("gain", in: PlantedPlugins.sound(), isLive: false)
        let instance = isolated.instance
        #expect(instance.controls() == ["gain": 1] && instance.plugin.controls.map(\.symbol) == ["gain"])
        try instance.set("gain", to: 0.3, within: 0)
        #expect(instance.controls() == ["gain": 0.3])
        let scratch = try Scratch()
        try instance.save(to: scratch("state"))
        try instance.load(preset: "Double")
        #expect(instance.controls() == ["gain": 2])
        try instance.restore(from: scratch("state"))
        #expect(instance.controls() == ["gain": 0.3])
        isolated.render(6400)
        #expect(isolated.heard[6399] == 0.3 * Isolated.sound(6399 - 64))
    }

    @Test func `What a plugin does not take is said in the same words as in this process`() throws {
        let identifier = PlantedPlugins.uri("gain")
        let isolated = try Isolated("gain", in: PlantedPlugins.sound(), isLive: false)
        #expect(throws: PluginError.noControl(identifier: identifier, symbol: "loud", known: ["gain"])) {
            try isolated.instance.set("loud", to: 1, within: 0)
        }
        #expect(throws: PluginError.noPreset(identifier: identifier, preset: "Third", known: ["Double", "Half"])) {
            try isolated.instance.load(preset: "Third")
        }
        #expect(throws: PluginError.noMIDI(identifier: identifier)) { try isolated.instance.send(midi: [0x90, 60, 1]) }
        #expect(throws: PluginError.self) { try isolated.instance.set("gain", to: .nan, within: 0) }
        isolated.instance.transport(TransportPosition(frame: 0, speed: 1))
        isolated.render(640)
        #expect(!isolated.instance.processor.isGone && isolated.instance.controls() == ["gain": 1])
    }

    @Test func `What its meters show comes by itself`() throws {
        let isolated = try Isolated("delay", in: PlantedPlugins.sound())
        #expect(isolated.instance.readings()["latency"] == 0)
        isolated.play(seconds: 5) { isolated.instance.readings()["latency"] == 480 }
        #expect(isolated.instance.readings() == ["latency": 480])
    }

    @Test func `Many stand beside each other, each in a process of its own`() throws {
        let all = try (0..<4).map { _ in try Isolated("gain", in: PlantedPlugins.sound(), isLive: false) }
        for (index, one) in all.enumerated() { try one.instance.set("gain", to: Float(index), within: 0) }
        for one in all { one.render(6400) }
        for (index, one) in all.enumerated() {
            #expect(one.heard.last == Float(index) * Isolated.sound(6399 - 64))
            #expect(one.instance.close(within: 1) && one.instance.close(within: 1))
        }
    }
}
