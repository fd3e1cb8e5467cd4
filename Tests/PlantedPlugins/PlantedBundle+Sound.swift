extension PlantedBundle {
    /// Plugins without faults.
    static let sound: [PlantedBundle] = [
        PlantedBundle(
            "gain", kind: "lv2:AmplifierPlugin",
            lines: ["lv2:optionalFeature lv2:hardRTCapable", "lv2:minorVersion 2 ; lv2:microVersion 4"],
            ports: [.audioIn(), .audioOut(), .control("gain", 0...4, at: 1, "units:unit units:coef")]
        ).with { $0.addPresets() },
        PlantedBundle(
            "delay", kind: "lv2:DelayPlugin",
            ports: [
                .audioIn(), .audioOut(),
                .control("frames", 0...8191, at: 480, "lv2:portProperty lv2:integer", "units:unit units:frame"),
                .reading(
                    "latency", 0...8191, "lv2:portProperty lv2:reportsLatency , lv2:integer",
                    "lv2:designation lv2:latency"),
            ]),
        PlantedBundle(
            "filter", kind: "lv2:LowpassPlugin", lines: ["lv2:optionalFeature lv2:hardRTCapable"],
            ports: [
                .audioIn(), .audioOut(),
                .control("cutoff", 20...20000, at: 1000, "units:unit units:hz", "lv2:portProperty pprops:logarithmic"),
                .control(
                    "shape", 0...1, at: 0, "lv2:portProperty lv2:integer , lv2:enumeration",
                    "lv2:scalePoint [ rdfs:label \"Low-pass\" ; rdf:value 0 ] , [ rdfs:label \"High-pass\" ; rdf:value 1 ]"
                ),
            ]),
        PlantedBundle("eight", source: "whole", ports: whole(8)).with { $0.channels = 8 },
        PlantedBundle("twelve", source: "whole", ports: whole(12)).with { $0.channels = 12 },
        PlantedBundle(
            "fixed", lines: ["lv2:requiredFeature bufsz:fixedBlockLength , urid:map , opts:options"],
            ports: [.audioIn(), .audioOut(), .reading("kept", 0...1, "lv2:portProperty lv2:toggled")]),
    ]

    private static func whole(_ channels: Int) -> [Port] {
        (1...channels).map { .audioIn("in\($0)") } + (1...channels).map { .audioOut("out\($0)") }
    }

    /// Adds two presets of the gain: half and double.
    private mutating func addPresets() {
        for (label, gain) in [("Half", 0.5), ("Double", 2)] {
            let uri = PlantedPlugins.uri("gain:\(label.lowercased())")
            manifest? +=
                "<\(uri)> a pset:Preset ; lv2:appliesTo <\(PlantedPlugins.uri(name))> ; rdfs:label \"\(label)\" ; "
                + "rdfs:seeAlso <plugin.ttl> .\n"
            turtle? += "<\(uri)> a pset:Preset ; lv2:appliesTo <\(PlantedPlugins.uri(name))> ; "
            turtle? += "rdfs:label \"\(label)\" ; lv2:port [ lv2:symbol \"gain\" ; pset:value \(gain) ] .\n"
        }
    }
}
