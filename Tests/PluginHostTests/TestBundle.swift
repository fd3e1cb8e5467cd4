import Foundation
import PluginHost
import SoundFixtures
import Testing

/// A bundle of a plugin that is made for a test (`Bundles/plugin.c`): valid, or with the fault that the test requests.
struct TestBundle {
    static let prefixes = """
        @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
        @prefix doap: <http://usefulinc.com/ns/doap#> .
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix state: <http://lv2plug.in/ns/ext/state#> .
        @prefix work: <http://lv2plug.in/ns/ext/worker#> .

        """
    /// Ports of the plugin, as in `plugin.c`.
    static let ports = [
        #"a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In""#,
        #"a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out""#,
        #"""
        a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "level" ; lv2:name "Level" ;
        lv2:default 0.0 ; lv2:minimum -1.0 ; lv2:maximum 1.0
        """#,
        #"""
        a lv2:InputPort, lv2:ControlPort ; lv2:index 3 ; lv2:symbol "fire" ; lv2:name "Fire" ;
        lv2:default 0.0 ; lv2:minimum 0.0 ; lv2:maximum 1.0 ; lv2:portProperty pprops:trigger
        """#,
        #"""
        a lv2:InputPort, lv2:ControlPort ; lv2:index 4 ; lv2:symbol "free" ; lv2:name "Free" ;
        lv2:designation lv2:freeWheeling ; lv2:default 0.0 ; lv2:minimum 0.0 ; lv2:maximum 1.0
        """#,
        #"a lv2:OutputPort, lv2:ControlPort ; lv2:index 5 ; lv2:symbol "shown" ; lv2:name "Shown""#,
        #"""
        a lv2:InputPort, atom:AtomPort ; lv2:index 6 ; lv2:symbol "heard" ; lv2:name "Heard" ;
        atom:bufferType atom:Sequence
        """#,
        #"""
        a lv2:OutputPort, atom:AtomPort ; lv2:index 7 ; lv2:symbol "told" ; lv2:name "Told" ;
        atom:bufferType atom:Sequence
        """#,
    ]

    private let scratch: Scratch
    /// Path of the bundle.
    let path: String
    /// Identifier of the plugin.
    let identifier: String

    /// Makes a bundle of the plugin `urn:test:NAME`.
    init(
        _ name: String = "plain", manifest: String? = nil, ports: [String] = Self.ports,
        more: String = #"doap:name "Test""#, body: String? = nil, defining: [String] = [], code: Bool = true
    ) throws {
        scratch = try Scratch()
        path = scratch("test.lv2")
        identifier = "urn:test:" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let usual = "<\(identifier)> a lv2:Plugin ; lv2:binary <plugin.so> ; rdfs:seeAlso <plugin.ttl> ."
        let features = """
            lv2:optionalFeature work:schedule ; lv2:extensionData work:interface, state:interface
            """
        let described =
            body
            ?? "<\(identifier)> a lv2:Plugin ; \(more) ; \(features) ; \n"
            + "lv2:port " + ports.map { "[ \($0) ]" }.joined(separator: ", ") + " ."
        try write("manifest.ttl", Self.prefixes + (manifest ?? usual))
        try write("plugin.ttl", Self.prefixes + described)
        if code { try Self.compile(to: path + "/plugin.so", defining) }
    }

    /// Replaces one file of the bundle.
    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }

    private static func compile(to library: String, _ defining: [String]) throws {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Bundles/plugin.c"
        let words =
            ["/usr/bin/env", "clang", "-shared", "-fPIC", "-O1", "-o", library, source] + defining.map { "-D" + $0 }
        let (status, lines) = try TimedCommand.run(words, seconds: 60, environment: [:])
        try #require(status == 0, "\(lines)")
    }

    /// Returns the description of the plugin.
    func described() throws -> PluginDescription {
        let found = try LV2Backend(searchPath: InstalledPlugins.backend.searchPath).describe(bundle: path)
        let plugin = try #require(found.first)
        return plugin
    }
}
