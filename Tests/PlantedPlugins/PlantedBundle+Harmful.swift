extension PlantedBundle {
    /// Plugins with valid Turtle and harmful code.
    static let harmful: [PlantedBundle] = [
        PlantedBundle("crash-loading"),
        PlantedBundle("crash-instantiating"),
        PlantedBundle("hang-instantiating"),
        PlantedBundle("not-a-number", ports: [.audioIn(), .audioOut(), after]),
        PlantedBundle("growing"),
        PlantedBundle("denormal"),
        PlantedBundle(
            "endless-worker", lines: ["lv2:requiredFeature work:schedule", "lv2:extensionData work:interface"]),
        PlantedBundle("huge-state", lines: ["lv2:requiredFeature urid:map", "lv2:extensionData state:interface"]),
        PlantedBundle("abort", ports: [.audioIn(), .audioOut(), after]),
        PlantedBundle("sleep"),
        PlantedBundle("endless"),
        PlantedBundle("nap", ports: [.audioIn(), .audioOut(), after, milliseconds]),
        PlantedBundle("scribble", ports: [.audioIn(), .audioOut(), after, mode]),
        PlantedBundle("crash-saving", lines: ["lv2:requiredFeature urid:map", "lv2:extensionData state:interface"]),
        PlantedBundle("unheard-of", source: "pass", lines: ["lv2:requiredFeature <urn:proscenium:planted:feature>"]),
    ]

    /// Number of frames after which the fault occurs.
    private static let after = Port.control("after", 0...48000, at: 4800, "lv2:portProperty lv2:integer")
    /// Kind of data that the plugin writes over foreign memory.
    private static let mode = Port.control("mode", 0...7, at: 0, "lv2:portProperty lv2:integer")
    /// Duration of the sleep, milliseconds.
    private static let milliseconds = Port.control("milliseconds", 0...2000, at: 300, "lv2:portProperty lv2:integer")
}
