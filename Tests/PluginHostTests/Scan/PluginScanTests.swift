import Foundation
import SoundFixtures
import Testing

@testable import PluginHost

/// Bundles whose descriptions, as a child prints them, are in a file `said`. The file `count` gets a line for each
/// described bundle.
private struct Bundles: PluginBackend {
    let scratch: Scratch
    var searchPath: [String] { [scratch.path] }
    func bundles() -> [String] { scratch.contents.filter { $0.hasSuffix(".lv2") }.map { scratch($0) } }
    func describe(bundle: String) throws(PluginError) -> [PluginDescription] { [] }
    func presetOwners(of bundle: String) -> [String] { [] }
    func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError) -> any PluginInstance {
        throw .refused(identifier: plugin.identifier, reason: "there is no code")
    }

    init() throws { scratch = try Scratch() }

    /// Writes a bundle with plugins of these identifiers. Its time depends on `version`.
    func write(
        _ name: String, _ identifiers: [String], version: Int = 0, presetsOf owners: [String] = []
    ) throws {
        let folder = scratch(name + ".lv2")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let plugins = identifiers.map { described($0, bundle: folder, version: version) }
        let lines = BundleRecord(bundle: folder, plugins: plugins, presetOwners: owners, words: []).allLines
        try Data(lines.flatMap { $0 + [10] }).write(to: URL(fileURLWithPath: folder + "/said"))
        try "\(version)".write(toFile: folder + "/manifest.ttl", atomically: false, encoding: .utf8)
    }

    func scan() -> PluginScan {
        let script = """
            for bundle in "$@"; do
                basename "$bundle" >> "\(scratch.path)/count"
                echo "begin $bundle"
                cat "$bundle/said"
            done
            """
        return PluginScan(
            self, cache: PluginCache(folder: scratch("cache")), program: "/bin/sh", words: ["-c", script, "sh"])
    }

    /// Returns the names of the bundles that were described since the last call.
    func described() -> [String] {
        let path = scratch("count")
        defer { try? FileManager.default.removeItem(atPath: path) }
        return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private func described(_ identifier: String, bundle: String, version: Int) -> PluginDescription {
        PluginDescription(
            identifier: identifier, name: "Name of \(identifier)", maker: "", kind: "Plugin", license: "",
            bundle: bundle,
            audioInputs: ["in"], audioOutputs: ["left", "right"],
            controls: [
                PluginControl(
                    symbol: "gain", name: "Gain", unit: "dB", range: -Float.infinity...6, initial: 0.1,
                    kind: .continuous,
                    isLogarithmic: false, choices: [])
            ], properties: [], presets: [], events: [], tellsLatency: false, hasBypass: false, isRealTimeSafe: true,
            needsFixedBlocks: false, hasState: false, refusal: nil, version: PluginVersion(minor: version, micro: 0))
    }
}

@Suite struct PluginScanTests {
    @Test func `A second scan starts no child and finds the same`() throws {
        let bundles = try Bundles()
        for index in 0..<20 { try bundles.write("b\(index)", (0..<5).map { "urn:\(index):\($0)" }) }
        let first = try bundles.scan().catalogue()
        #expect(first.plugins.count == 100 && first.childrenStarted == 1 && bundles.described().count == 20)
        let second = try bundles.scan().catalogue()
        #expect(second.plugins == first.plugins && second.childrenStarted == 0 && bundles.described().isEmpty)
        let plugin = try bundles.scan().find("urn:7:3")
        #expect(plugin.bundle == bundles.scratch("b7.lv2") && plugin.audioOutputs == ["left", "right"])
        #expect(plugin.controls.first?.range == -Float.infinity...6 && plugin.controls.first?.initial == 0.1)
        #expect(bundles.described().isEmpty)
    }

    @Test func `Only what is new or changed is described again`() throws {
        let bundles = try Bundles()
        for name in ["a", "b", "c"] { try bundles.write(name, ["urn:" + name]) }
        _ = try bundles.scan().catalogue()
        _ = bundles.described()
        try bundles.write("b", ["urn:b", "urn:b2"], version: 10)
        try bundles.write("d", ["urn:d"])
        let catalogue = try bundles.scan().catalogue()
        #expect(catalogue.plugins.map(\.identifier) == ["urn:a", "urn:b", "urn:b2", "urn:c", "urn:d"])
        #expect(bundles.described() == ["b.lv2", "d.lv2"] && catalogue.childrenStarted == 1)
        try FileManager.default.removeItem(atPath: bundles.scratch("a.lv2"))
        #expect(try bundles.scan().catalogue().plugins.count == 4 && bundles.described().isEmpty)
    }

    @Test func `A search for one looks at what is new only where the cache has not got it`() throws {
        let bundles = try Bundles()
        try bundles.write("a", ["urn:a"])
        _ = try bundles.scan().catalogue()
        try bundles.write("b", ["urn:b"])
        _ = bundles.described()
        _ = try bundles.scan().find("urn:a")
        #expect(bundles.described().isEmpty)
        _ = try bundles.scan().find("urn:b")
        #expect(bundles.described() == ["b.lv2"])
        #expect(throws: PluginError.unknown(identifier: "urn:bb", near: ["urn:b", "urn:a"])) {
            _ = try bundles.scan().find("urn:bb")
        }
    }

    @Test(arguments: ["", "stamp", "nonsense\n", "{\"bundle\""])
    func `A file of the cache that cannot be understood is said to be so and made anew`(text: String) throws {
        let bundles = try Bundles()
        try bundles.write("a", ["urn:a"])
        try bundles.write("b", ["urn:b"])
        _ = try bundles.scan().catalogue()
        _ = bundles.described()
        let cache = bundles.scratch("cache")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache).first { $0.hasPrefix("a") })
        try text.write(toFile: cache + "/" + name, atomically: false, encoding: .utf8)
        let catalogue = try bundles.scan().catalogue()
        #expect(catalogue.plugins.map(\.identifier) == ["urn:a", "urn:b"] && bundles.described() == ["a.lv2"])
        #expect(catalogue.remarks.count == 1 && catalogue.remarks.first?.contains(name) == true)
        #expect(try bundles.scan().catalogue().remarks.isEmpty)
    }

    @Test func `A file of the cache cut short at any place is noticed when its plugin is asked for`() throws {
        let bundles = try Bundles()
        try bundles.write("a", ["urn:a1", "urn:a2"])
        let whole = try bundles.scan().find("urn:a2")
        let cache = bundles.scratch("cache")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: cache).first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: cache + "/" + name))
        for length in stride(from: 0, to: bytes.count, by: 97) {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: cache + "/" + name))
            #expect(try bundles.scan().find("urn:a2") == whole, "at \(length) of \(bytes.count) bytes")
        }
    }

    @Test func `Of two versions the newer counts, of two alike the first, and the other is said to be hidden`() throws {
        let bundles = try Bundles()
        try bundles.write("a", ["urn:x", "urn:y"], version: 2)
        try bundles.write("b", ["urn:x"], version: 4)
        try bundles.write("c", ["urn:y"], version: 2)
        let catalogue = try bundles.scan().catalogue()
        #expect(catalogue.plugins.map(\.bundle) == ["b.lv2", "a.lv2"].map { bundles.scratch($0) })
        #expect(catalogue.hidden.map(\.bundle) == ["a.lv2", "c.lv2"].map { bundles.scratch($0) })
        #expect(try bundles.scan().find("urn:x").bundle == bundles.scratch("b.lv2"))
    }

    @Test func `A plugin is described again when another bundle has other presets of it`() throws {
        let bundles = try Bundles()
        for name in ["a", "b", "c"] { try bundles.write(name, ["urn:" + name], presetsOf: ["urn:" + name]) }
        _ = try bundles.scan().catalogue()
        for version in 1...2 {
            _ = bundles.described()
            // In the first round the presets are new, in the second they are changed.
            try bundles.write("presets", [], version: version * 100, presetsOf: ["urn:b", "urn:elsewhere"])
            #expect(try bundles.scan().catalogue().childrenStarted == 2)
            #expect(bundles.described() == ["presets.lv2", "b.lv2"])
            #expect(try bundles.scan().catalogue().childrenStarted == 0)
        }
        _ = bundles.described()
        try FileManager.default.removeItem(atPath: bundles.scratch("presets.lv2"))
        #expect(try bundles.scan().catalogue().plugins.count == 3 && bundles.described() == ["b.lv2"])
    }

    @Test func `A cache that cannot be written is said to be so, and the plugins are found nevertheless`() throws {
        let bundles = try Bundles()
        try bundles.write("a", ["urn:a"])
        try "a file, where a folder should be".write(
            toFile: bundles.scratch("cache"), atomically: false, encoding: .utf8)
        let catalogue = try bundles.scan().catalogue()
        #expect(catalogue.plugins.count == 1 && catalogue.remarks.first?.contains("cannot be kept") == true)
    }
}
