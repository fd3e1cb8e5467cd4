import Foundation

/// One bundle to be planted: its Turtle, and what its binary is compiled from.
struct PlantedBundle {
    /// The name: of its folder (with .lv2), its binary (with .so) and its plugin's URI.
    var name: String
    /// The C source in `Effects`, without its ending; nil: there is no binary.
    var source: String?
    /// Number of channels, for sources that use it.
    var channels = 1
    /// URI in the binary; nil: that of the Turtle.
    var compiledURI: String?
    /// manifest.ttl; nil: there is none.
    var manifest: String?
    /// plugin.ttl; nil: there is none.
    var turtle: String?
    /// A file that is a pipe into which no process writes; nil: none is.
    var pipe: String?

    /// Makes a bundle with valid Turtle.
    ///
    /// - Parameters:
    ///   - source: see `source`.
    ///   - lines: further statements of the plugin, each `predicate object`.
    ///   - ports: see `Port`; audio in and out unless said.
    init(
        _ name: String, source: String?, kind: String = "lv2:UtilityPlugin", lines: [String] = [],
        ports: [Port] = [.audioIn(), .audioOut()]
    ) {
        self.name = name
        self.source = source
        let uri = PlantedPlugins.uri(name)
        manifest =
            Self.prefixes
            + "<\(uri)> a lv2:Plugin ; lv2:binary <\(name).so> ; rdfs:seeAlso <plugin.ttl> .\n"
        turtle =
            Self.prefixes
            + "<\(uri)> a lv2:Plugin , \(kind) ;\n    doap:name \"Planted \(name)\" ;\n"
            + "    doap:license <https://www.apache.org/licenses/LICENSE-2.0> ;\n"
            + lines.map { "    \($0) ;\n" }.joined()
            + "    lv2:port " + ports.enumerated().map { $1.turtle(index: $0) }.joined(separator: " , ") + " .\n"
    }

    /// Makes a bundle whose source has the bundle's name.
    init(
        _ name: String, kind: String = "lv2:UtilityPlugin", lines: [String] = [],
        ports: [Port] = [.audioIn(), .audioOut()]
    ) { self.init(name, source: name, kind: kind, lines: lines, ports: ports) }

    /// Returns a changed copy.
    func with(_ change: (inout PlantedBundle) -> Void) -> PlantedBundle {
        var changed = self
        change(&changed)
        return changed
    }

    /// The prefixes of all planted Turtle.
    static let prefixes = """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix doap: <http://usefulinc.com/ns/doap#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
        @prefix units: <http://lv2plug.in/ns/extensions/units#> .
        @prefix state: <http://lv2plug.in/ns/ext/state#> .
        @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
        @prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .
        @prefix urid: <http://lv2plug.in/ns/ext/urid#> .
        @prefix opts: <http://lv2plug.in/ns/ext/options#> .
        @prefix work: <http://lv2plug.in/ns/ext/worker#> .
        @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .

        """

    /// Writes the bundle below a folder, and compiles its binary there.
    func plant(in folder: String, effects: String, compiler: Compiler) throws {
        let place = "\(folder)/\(name).lv2"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        for (file, text) in [("manifest.ttl", manifest), ("plugin.ttl", turtle)] {
            try text?.write(toFile: "\(place)/\(file)", atomically: true, encoding: .utf8)
        }
        if let pipe { mkfifo("\(place)/\(pipe)", 0o600) }
        guard let source else { return }
        try compiler.compile(
            "\(effects)/\(source).c", to: "\(place)/\(name).so",
            defining: ["PLANTED_URI": "\"\(compiledURI ?? PlantedPlugins.uri(name))\"", "CHANNELS": "\(channels)"])
    }
}
