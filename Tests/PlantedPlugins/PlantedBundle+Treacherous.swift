extension PlantedBundle {
    /// Bundles whose description harms the process that reads it, among valid bundles.
    static let treacherous: [PlantedBundle] = [
        // Nested blank nodes, so deep that the stack of recursive readers overflows.
        PlantedBundle("bottomless", source: nil).with { bundle in
            let (down, up) = (String(repeating: "[ lv2:port ", count: 400_000), String(repeating: "] ", count: 400_000))
            bundle.turtle =
                prefixes + "<\(PlantedPlugins.uri("bottomless"))> a lv2:Plugin ; lv2:port \(down) 1 \(up) .\n"
        },
        sound[1],
        // A pipe into which no process writes, instead of a file.
        PlantedBundle("fountain", source: nil).with { bundle in
            bundle.turtle = nil
            bundle.pipe = "plugin.ttl"
        },
        sound[0],
        // Deep nesting in a manifest of presets, which is read for plugins of other bundles, too.
        PlantedBundle("deep-manifest", source: nil).with { bundle in
            let (down, up) = (
                String(repeating: "[ lv2:appliesTo ", count: 400_000), String(repeating: "] ", count: 400_000)
            )
            bundle.turtle = nil
            bundle.manifest = prefixes + "<urn:x> lv2:appliesTo \(down) 1 \(up) .\n"
        },
        PlantedBundle("pipe-manifest", source: nil).with { bundle in
            bundle.turtle = nil
            bundle.manifest = nil
            bundle.pipe = "manifest.ttl"
        },
    ]
}
