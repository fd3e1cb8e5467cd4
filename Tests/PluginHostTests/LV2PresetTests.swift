import Foundation
import PluginHost
import SoundFixtures
import Testing

@Suite struct LV2PresetTests {
    private static let convolver = "http://gareus.org/oss/lv2/zeroconvolv#Mono"

    @Test func `A preset sets what it says, by its URI or its label`() throws {
        guard let plugin = try InstalledPlugins.find("http://gareus.org/oss/lv2/fat1", in: "fat1.lv2") else { return }
        let preset = try #require(plugin.presets.first)
        let instance = try Sounding(plugin).instance
        let before = instance.controls()
        try instance.load(preset: preset.identifier)
        let after = instance.controls()
        #expect(before != after)
        try instance.load(preset: try #require(plugin.presets.last).label)
        try instance.load(preset: preset.label)
        #expect(instance.controls() == after)
        #expect {
            try instance.load(preset: "no such")
        } throws: { error in
            if case PluginError.noPreset(_, "no such", let known) = error {
                known.contains(preset.label)
            } else {
                false
            }
        }
        #expect(instance.close(within: 1))
    }

    @Test func `A preset in another bundle is found and loaded`() throws {
        guard let plugin = try InstalledPlugins.find("http://lv2plug.in/plugins/eg-amp", in: "eg-amp.lv2") else {
            return
        }
        let scratch = try Scratch()
        let folder = scratch("mine.preset.lv2")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let prefixes = """
            @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
            @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

            """
        let manifest = "<soft.ttl> a pset:Preset ; lv2:appliesTo <\(plugin.identifier)> ; rdfs:seeAlso <soft.ttl> ."
        let preset = """
            <> a pset:Preset ; lv2:appliesTo <\(plugin.identifier)> ; rdfs:label "Soft" ;
            lv2:port [ lv2:symbol "gain" ; pset:value -20.0 ] .
            """
        try (prefixes + manifest).write(toFile: folder + "/manifest.ttl", atomically: true, encoding: .utf8)
        try (prefixes + preset).write(toFile: folder + "/soft.ttl", atomically: true, encoding: .utf8)
        let backend = LV2Backend(searchPath: InstalledPlugins.backend.searchPath + [scratch.path])
        let described = try #require(try backend.describe(bundle: plugin.bundle).first)
        #expect(described.presets.map(\.label) == ["Soft"])
        let amp = try Sounding(described, backend: backend)
        try amp.instance.load(preset: "Soft")
        #expect(amp.instance.controls() == ["gain": -20])
        #expect(abs(amp.play([1])[0] - 0.1) < 1e-6)
        #expect(amp.instance.close(within: 1))
    }

    @Test func `A convolver loads its preset's response in its worker, and sounds as live offline`() throws {
        guard let plugin = try InstalledPlugins.find(Self.convolver, in: "zeroconvo.lv2") else { return }
        let preset = try #require(plugin.presets.first)
        var renders: [[Float]] = []
        for _ in 0..<2 {
            let offline = try Sounding(plugin, isLive: false)
            try offline.instance.load(preset: preset.identifier)
            // The response is loaded when the first call ends.
            offline.rest(frames: 64, offline: true)
            offline.rest(frames: 6_400, offline: true)
            renders.append(offline.play(Sounding.impulse(9_600), offline: true))
            #expect(offline.instance.close(within: 2))
        }
        #expect(renders[0].contains { abs($0) > 1e-4 })
        #expect(renders[0] == renders[1])
        let live = try Sounding(plugin)
        try live.instance.load(preset: preset.identifier)
        var sound: [Float] = []
        #expect(
            live.rest {
                sound = live.play(Sounding.impulse(9_600))
                return sound.contains { abs($0) > 1e-4 }
            })
        #expect(live.instance.close(within: 2))
    }
}
