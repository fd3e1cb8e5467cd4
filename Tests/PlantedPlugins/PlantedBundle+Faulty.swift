import Foundation

extension PlantedBundle {
    /// Faulty bundles. Each has the one fault that its name states.
    static let faulty: [PlantedBundle] = [
        PlantedBundle("bad-syntax", source: "pass").with { $0.turtle?.replace("doap:name", with: "doap:name ; ; \"") },
        PlantedBundle("bad-manifest", source: "pass").with { $0.manifest? += "<urn:x> a [ lv2:Plugin\n" },
        PlantedBundle("empty-manifest", source: "pass").with { $0.manifest = "" },
        PlantedBundle("no-manifest", source: "pass").with { $0.manifest = nil },
        PlantedBundle("binary-manifest", source: "pass").with {
            $0.manifest = String(repeating: "\u{7F}ELF\u{1}", count: 99)
        },
        PlantedBundle("missing-data", source: "pass").with { $0.turtle = nil },
        PlantedBundle("missing-name", source: "pass").without("doap:name \"Planted missing-name\" ;"),
        PlantedBundle("missing-port", source: "pass").replacing("lv2:index 1", "lv2:index 2"),
        PlantedBundle("twice-a-port", source: "pass").replacing("lv2:index 1", "lv2:index 0"),
        PlantedBundle("missing-port-name", source: "pass").without("lv2:name \"Out\""),
        PlantedBundle("missing-port-symbol", source: "pass").without("lv2:symbol \"out\" ;"),
        PlantedBundle("twice-a-symbol", source: "pass").replacing("lv2:symbol \"out\"", "lv2:symbol \"in\""),
        PlantedBundle("unknown-port", source: "pass", ports: [.audioIn(), .audioOut(), unknown]),
        PlantedBundle("missing-binary").with { $0.source = nil },
        PlantedBundle("no-binary", source: "pass").with {
            $0.manifest?.replace("lv2:binary <no-binary.so> ;", with: "")
        },
        PlantedBundle("missing-descriptor", source: "no-descriptor"),
        PlantedBundle("missing-library", source: "no-library"),
        PlantedBundle("missing-symbol", source: "no-symbol"),
        PlantedBundle("failed-instance", source: "no-instance"),
        PlantedBundle("wrong-uri", source: "pass").with { $0.compiledURI = PlantedPlugins.uri("another") },
        PlantedBundle("old-version", source: "pass", lines: ["lv2:minorVersion 2 ; lv2:microVersion 9"]).named(
            "versions"),
        PlantedBundle("new-version", source: "pass", lines: ["lv2:minorVersion 4 ; lv2:microVersion 0"]).named(
            "versions"),
        PlantedBundle("no-library-at-all").with { bundle in
            bundle.source = nil
            bundle.manifest?.replace("<no-library-at-all.so>", with: "<plugin.ttl>")
        },
    ]

    /// A port of a kind that no host knows, which must be connected nevertheless.
    private static let unknown = Port(
        classes: "lv2:InputPort , <urn:proscenium:planted:kind>", symbol: "unknown")

    /// Returns the bundle with a URI of another name than that of its folder.
    private func named(_ other: String) -> PlantedBundle {
        with {
            $0.manifest?.replace("<\(PlantedPlugins.uri(name))>", with: "<\(PlantedPlugins.uri(other))>")
            $0.turtle?.replace("<\(PlantedPlugins.uri(name))>", with: "<\(PlantedPlugins.uri(other))>")
            $0.compiledURI = PlantedPlugins.uri(other)
        }
    }

    private func without(_ words: String) -> PlantedBundle { replacing(words, "") }

    /// Returns the bundle with words of its Turtle replaced; the Turtle must contain them.
    private func replacing(_ words: String, _ others: String) -> PlantedBundle {
        with {
            precondition($0.turtle?.contains(words) == true, "\(name) has no '\(words)'")
            $0.turtle?.replace(words, with: others)
        }
    }
}
