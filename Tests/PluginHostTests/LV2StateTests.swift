import Foundation
import SoundFixtures
import Testing

@testable import PluginHost

@Suite struct LV2StateTests {
    private static let params = "http://lv2plug.in/plugins/eg-params"
    private static let sampler = "http://lv2plug.in/plugins/eg-sampler"

    @Test func `Controls come back from a saved state, and from its plain text alone`() throws {
        guard let plugin = try InstalledPlugins.find("http://lv2plug.in/plugins/eg-amp", in: "eg-amp.lv2") else {
            return
        }
        let scratch = try Scratch()
        let amp = try Sounding(plugin)
        try amp.instance.set("gain", to: 1.5849e-05, within: 0)
        try amp.instance.save(to: scratch("exact"))
        try amp.instance.set("gain", to: -12, within: 0)
        try amp.instance.restore(from: scratch("exact"))
        #expect(amp.instance.controls() == ["gain": 1.5849e-05])
        try amp.instance.set("gain", to: -12, within: 0)
        try amp.instance.save(to: scratch("state"))
        try amp.instance.set("gain", to: 6, within: 0)
        try amp.instance.restore(from: scratch("state"))
        #expect(amp.instance.controls() == ["gain": -12])
        let quarter = Float(pow(10, -12.0 / 20))
        #expect(abs(amp.play([1])[0] - quarter) < 1e-6)
        // If the bundle of a state is damaged, its values are still in plain text.
        try Data("<> a".utf8).write(to: URL(fileURLWithPath: scratch("state/state.ttl")))
        try amp.instance.set("gain", to: 6, within: 0)
        try amp.instance.restore(from: scratch("state"))
        #expect(amp.instance.controls() == ["gain": -12])
        #expect(throws: PluginError.self) { try amp.instance.restore(from: scratch("none")) }
        #expect(amp.instance.close(within: 1))
    }

    @Test func `A state is saved over an older one, and leaves nothing else behind`() throws {
        guard let plugin = try InstalledPlugins.find("http://lv2plug.in/plugins/eg-amp", in: "eg-amp.lv2") else {
            return
        }
        let scratch = try Scratch()
        let amp = try Sounding(plugin)
        for gain: Float in [-3, -4, -5] {
            try amp.instance.set("gain", to: gain, within: 0)
            try amp.instance.save(to: scratch("state"))
        }
        #expect(scratch.contents == ["state"])
        try amp.instance.set("gain", to: 0, within: 0)
        try amp.instance.restore(from: scratch("state"))
        #expect(amp.instance.controls() == ["gain": -5])
        #expect(throws: PluginError.self) { try amp.instance.save(to: scratch("no/such/folder")) }
        #expect(amp.instance.close(within: 1))
    }

    @Test func `Properties come back from a saved state`() throws {
        guard let plugin = try InstalledPlugins.find(Self.params, in: "eg-params.lv2") else { return }
        let scratch = try Scratch()
        let first = try Sounding(plugin)
        try first.instance.set(property: Self.params + "#string", to: .text("kept"))
        try first.instance.set(property: Self.params + "#float", to: .number(0.5))
        first.rest()
        try first.instance.save(to: scratch("state"))
        #expect(first.instance.close(within: 1))
        let second = try Sounding(plugin)
        try second.instance.restore(from: scratch("state"))
        second.rest()
        second.rest()
        let told = second.instance.properties()
        #expect(told[Self.params + "#string"] == .text("kept"))
        #expect(told[Self.params + "#float"] == .number(0.5))
        #expect(second.instance.close(within: 1))
    }

    @Test func `A state larger than the limit is refused by name`() throws {
        guard let plugin = try InstalledPlugins.find(Self.params, in: "eg-params.lv2") else { return }
        let scratch = try Scratch()
        let sounding = try Sounding(plugin)
        let instance = try #require(sounding.instance as? LV2Instance)
        #expect {
            try instance.save(to: scratch("state"), limit: 16)
        } throws: { error in
            guard case PluginError.state(_, let folder, let reason) = error else { return false }
            return folder == scratch("state") && reason.contains("larger than")
        }
        #expect(scratch.contents == [])
        #expect(instance.close(within: 1))
    }

    @Test func `A sampler's file travels with its state to another folder`() throws {
        guard let plugin = try InstalledPlugins.find(Self.sampler, in: "eg-sampler.lv2") else { return }
        let scratch = try Scratch()
        // A sample of the user: the plugin's click with another name, which is removed after the state was saved.
        try FileManager.default.copyItem(atPath: plugin.bundle + "/click.wav", toPath: scratch("mine.wav"))
        let first = try Sounding(plugin)
        let property = Self.sampler + "#sample"
        try first.instance.set(property: property, to: .path(scratch("mine.wav")))
        #expect(first.rest { first.instance.properties()[property] == .path(scratch("mine.wav")) })
        try first.instance.send(midi: [0x90, 60, 127])
        let click = first.play([Float](repeating: 0, count: 4_800))
        #expect(click.contains { $0 != 0 })
        try first.instance.save(to: scratch("state"))
        #expect(first.instance.close(within: 1))
        try FileManager.default.removeItem(atPath: scratch("mine.wav"))
        try FileManager.default.moveItem(atPath: scratch("state"), toPath: scratch("moved"))

        let second = try Sounding(plugin)
        try second.instance.restore(from: scratch("moved"))
        try second.instance.send(midi: [0x90, 60, 127])
        #expect(second.play([Float](repeating: 0, count: 4_800)) == click)
        second.rest()
        #expect(second.instance.properties()[property] == .path(scratch("moved/mine.wav")))
        #expect(second.instance.close(within: 1))
    }

    @Test func `A sampler takes a state while it sounds, through its worker`() throws {
        guard let plugin = try InstalledPlugins.find(Self.sampler, in: "eg-sampler.lv2") else { return }
        let scratch = try Scratch()
        try FileManager.default.copyItem(atPath: plugin.bundle + "/click.wav", toPath: scratch("mine.wav"))
        let property = Self.sampler + "#sample"
        let sampler = try Sounding(plugin)
        try sampler.instance.set(property: property, to: .path(scratch("mine.wav")))
        #expect(sampler.rest { sampler.instance.properties()[property] == .path(scratch("mine.wav")) })
        try sampler.instance.save(to: scratch("state"))
        try sampler.instance.set(property: property, to: .path(plugin.bundle + "/click.wav"))
        sampler.rest(frames: 640)
        try sampler.instance.restore(from: scratch("state"))
        #expect(sampler.rest { sampler.instance.properties()[property] == .path(scratch("state/mine.wav")) })
        #expect(sampler.instance.health.lost == 0 && sampler.instance.close(within: 1))
    }
}
