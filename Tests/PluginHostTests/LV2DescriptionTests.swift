import Testing

@testable import PluginHost

@Suite struct LV2DescriptionTests {
    @Test func `A key input is kept apart from the channels, a second channel is not`() throws {
        let plugins = [
            ("http://calf.sourceforge.net/plugins/SidechainGate", "calf.lv2", 2),
            ("http://lsp-plug.in/plugins/lv2/sc_compressor_stereo", "lsp-plugins.lv2", 2),
            ("urn:ardour:a-comp", "a-comp.lv2", 1),
        ]
        for (identifier, bundle, channels) in plugins {
            guard let plugin = try InstalledPlugins.find(identifier, in: bundle) else { continue }
            #expect(plugin.audioInputs.count == channels && plugin.audioOutputs.count == channels, "\(identifier)")
        }
    }

    @Test func `Controls say unit, range, scale and choices`() throws {
        guard let plugin = try InstalledPlugins.find("http://gareus.org/oss/lv2/fil4#stereo", in: "fil4.lv2") else {
            return
        }
        let units = Set(plugin.controls.map(\.unit))
        #expect(units.isSuperset(of: ["dB", "Hz"]))
        #expect(plugin.controls.contains { $0.isLogarithmic && $0.unit == "Hz" && $0.kind == .continuous })
        #expect(plugin.controls.contains { $0.kind == .toggle })
        #expect(plugin.hasBypass && plugin.bypassSymbol == "enable")
        #expect(plugin.controls.allSatisfy { $0.takes($0.initial) })
    }

    @Test func `Controls name the group to which they belong`() throws {
        var ports = TestBundle.ports
        let group = " ; <http://lv2plug.in/ns/ext/port-groups#group> "
        ports[2] += group + "<urn:test:grouped#tone>"
        ports[3] += group + "<urn:test:grouped#nameless>"
        let named = #"<urn:test:grouped#tone> lv2:symbol "tone" ; lv2:name "Tone" ."#
        let bundle = try TestBundle(
            "grouped", ports: ports,
            more: #"doap:name "Grouped" . \#(named) <urn:test:grouped> doap:license <urn:none>"#)
        let groups = Dictionary(uniqueKeysWithValues: try bundle.described().controls.map { ($0.symbol, $0.group) })
        #expect(groups["level"] == "Tone" && groups["fire"] == .some(nil))
    }

    @Test func `A search path is given by the environment, or the system's own`() {
        #expect(
            LV2Backend.systemPath(["LV2_PATH": "~/lv2:/srv/lv2/", "HOME": "/home/anna"]) == [
                "/home/anna/lv2", "/srv/lv2",
            ])
        #expect(LV2Backend.systemPath(["HOME": "/home/anna"]).first == "/home/anna/.lv2")
        #expect(LV2Backend.systemPath([:]).contains("/usr/lib/lv2"))
    }
}
