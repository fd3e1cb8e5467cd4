import PlantedPlugins
import PluginHost
import Testing

/// Reports of a scan by the program on faulty bundles.
@Suite struct FaultyBundlesTests {
    /// Words that the reason must contain, by the bundle's name, for bundles with a known plugin that is refused.
    static let refused: [(name: String, words: [String])] = [
        ("bad-syntax", ["plugin.ttl, line 14"]), ("missing-data", ["plugin.ttl cannot be read"]),
        ("missing-name", ["no name"]), ("missing-port", ["none with the index 1"]),
        ("twice-a-port", ["two", "index 0"]), ("missing-port-name", ["'out'", "no name"]),
        ("missing-port-symbol", ["port 1", "no symbol"]), ("twice-a-symbol", ["two", "symbol 'in'"]),
        ("unknown-port", ["'unknown'", "urn:proscenium:planted:kind"]),
        ("missing-binary", ["missing-binary.so", "No such file"]), ("no-binary", ["lv2:binary"]),
        ("no-library-at-all", ["plugin.ttl", "not a shared library"]),
        ("missing-symbol", ["missing-symbol.so", "proscenium_planted_nowhere"]),
    ]

    /// The same for bundles without a known plugin.
    static let unread: [(name: String, words: [String])] = [
        ("bad-manifest", ["manifest.ttl, line"]), ("empty-manifest", ["has no statements"]),
        ("no-manifest", ["manifest.ttl cannot be read"]), ("binary-manifest", ["manifest.ttl, line 1"]),
    ]

    private static let found = Result { try Planted(PlantedPlugins.faulty()).scan().catalogue() }

    @Test(arguments: refused) func `A plugin that is described wrongly is refused, and why is said`(
        name: String, words: [String]
    ) throws {
        let plugins = try Self.found.get().plugins
        let plugin = try #require(plugins.first { $0.identifier == PlantedPlugins.uri(name) })
        let refusal = try #require(plugin.refusal)
        for word in words { #expect(refusal.contains(word), "\(refusal)") }
    }

    @Test(arguments: unread) func `A bundle that cannot be described is named, and why is said`(
        name: String, words: [String]
    ) throws {
        let faults = try Self.found.get().faults
        let fault = try #require(faults.first { $0.bundle.hasSuffix("/\(name).lv2") }).fault
        #expect(fault.kind == .wrong)
        for word in words { #expect(fault.reason.contains(word), "\(fault.reason)") }
    }

    @Test func `What only its code could tell is not held against it`() throws {
        let plugins = try Self.found.get().plugins.filter { $0.refusal == nil }
        let names = ["failed-instance", "missing-descriptor", "missing-library", "versions", "wrong-uri"]
        #expect(Set(plugins.map(\.identifier)) == Set(names.map(PlantedPlugins.uri)))
    }

    @Test func `Of two versions of a plugin the newer is there, the older hidden`() throws {
        let found = try Self.found.get()
        let plugin = try #require(found.plugins.first { $0.identifier == PlantedPlugins.uri("versions") })
        #expect(plugin.bundle.hasSuffix("/new-version.lv2"))
        #expect(found.hidden.map(\.bundle).map { $0.hasSuffix("/old-version.lv2") } == [true])
    }

    @Test func `A description that ends or holds up its reader costs only its bundle, which is named`() throws {
        let planted = try Planted(PlantedPlugins.treacherous())
        let found = try planted.scan(seconds: 2).catalogue()
        #expect(found.plugins.map(\.identifier) == ["delay", "gain"].map(PlantedPlugins.uri))
        let faults = found.faults.map { ($0.bundle.split(separator: "/").last.map(String.init), $0.fault.kind) }
        #expect(faults.map(\.0) == ["bottomless", "deep-manifest", "fountain", "pipe-manifest"].map { $0 + ".lv2" })
        #expect(faults.map(\.1) == [.crashed, .wrong, .hung, .wrong])
        #expect(found.childrenStarted == 3)
        // A bundle that is known to be harmful is not read again until it changes.
        let again = try planted.scan(seconds: 2).catalogue()
        #expect(again.childrenStarted == 0 && again.faults == found.faults)
    }
}
