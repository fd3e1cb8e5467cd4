import Foundation
import PluginHost
import Testing

@Suite struct LV2SoundTests {
    @Test func `An amplifier multiplies by its gain in decibels`() throws {
        guard let plugin = try InstalledPlugins.find("http://lv2plug.in/plugins/eg-amp", in: "eg-amp.lv2") else {
            return
        }
        #expect(plugin.refusal == nil)
        #expect(plugin.audioInputs == ["in"] && plugin.audioOutputs == ["out"])
        #expect(plugin.controls.map(\.unit) == ["dB"])
        #expect(plugin.controls[0].range == -90...24)
        let amp = try Sounding(plugin)
        try amp.instance.set("gain", to: -6, within: 0)
        let output = amp.play((0..<200).map { Float($0) / 200 })
        let gain = Float(pow(10, -6.0 / 20))
        #expect(output.indices.allSatisfy { abs(output[$0] - gain * Float($0) / 200) < 1e-7 })
        #expect(amp.instance.close(within: 1))
    }

    @Test func `A limiter tells how late it is`() throws {
        let limiters = [
            ("http://plugin.org.uk/swh-plugins/fastLookaheadLimiter", "fast_lookahead_limiter-swh.lv2", 240),
            ("http://gareus.org/oss/lv2/dpl#stereo", "dpl.lv2", 64),
        ]
        for (identifier, bundle, frames) in limiters {
            guard let plugin = try InstalledPlugins.find(identifier, in: bundle) else { continue }
            #expect(plugin.tellsLatency)
            let limiter = try Sounding(plugin)
            _ = limiter.play([Float](repeating: 0, count: 640))
            #expect(limiter.instance.latencyFrames == frames)
            #expect(limiter.instance.close(within: 1))
        }
    }

    @Test func `Every plugin installed is described, and refused with a reason or not at all`() throws {
        for bundle in InstalledPlugins.backend.bundles() {
            for plugin in try InstalledPlugins.backend.describe(bundle: bundle) {
                if let refusal = plugin.refusal { print(plugin.identifier, refusal) }
                #expect(Set(plugin.controls.map(\.symbol)).count == plugin.controls.count)
            }
        }
    }
}
