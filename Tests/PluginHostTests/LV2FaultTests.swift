import AbsentPlaces
import Foundation
import Inserts
import PluginHost
import Signal
import Testing

@Suite struct LV2FaultTests {
    /// Returns the reason why a bundle's plugin is refused; empty if it is accepted.
    private func refusal(_ bundle: TestBundle) throws -> String { try bundle.described().refusal ?? "" }

    /// Returns the reason why no instance is made; empty if it is made.
    private func failure(_ bundle: TestBundle) throws -> String {
        let plugin = try bundle.described()
        do throws(PluginError) {
            let instance = try InstalledPlugins.backend.instantiate(plugin, PluginSetup(sampleRate: .studio))
            _ = instance.close(within: 1)
            return ""
        } catch {
            if case .failed(_, let reason) = error { return reason }
            throw error
        }
    }

    /// Returns the reason why a bundle cannot be described.
    private func bundleFault(_ path: String) throws -> String {
        do throws(PluginError) {
            _ = try InstalledPlugins.backend.describe(bundle: path)
            return ""
        } catch {
            if case .badBundle(_, let reason) = error { return reason }
            throw error
        }
    }

    @Test func `A sound bundle is not refused`() throws { #expect(try refusal(TestBundle()) == "") }

    @Test func `Faults of syntax are told by file, line and column`() throws {
        let manifest = try TestBundle(manifest: "<urn:test:plain> a lv2:Plugin ; ; lv2:binary plugin.so .", code: false)
        #expect(try bundleFault(manifest.path).hasPrefix("manifest.ttl, line 8, column "))
        let body = try TestBundle(body: "<urn:test:plain> a lv2:Plugin ;\n doap:name \"Test .", code: true)
        #expect(try refusal(body).hasPrefix("plugin.ttl, line 9, column "))
        let prefix = try TestBundle(body: "<urn:test:plain> a nothing:Plugin .")
        #expect(try refusal(prefix).hasPrefix("plugin.ttl, line 8"))
    }

    @Test func `A folder that is no bundle is told from a bundle that says nothing`() throws {
        #expect(try bundleFault(AbsentPlace.path()) == "there is no such folder")
        #expect(try bundleFault("/etc/hostname") == "it is not a folder")
        #expect(try bundleFault("/etc") == "its manifest.ttl cannot be read")
        let empty = try TestBundle(manifest: "", code: false)
        #expect(try bundleFault(empty.path) == "its manifest.ttl has no statements")
    }

    @Test func `Each fault of a description has its reason`() throws {
        let files = "rdfs:seeAlso <plugin.ttl> ."
        #expect(
            try refusal(TestBundle(manifest: "<urn:test:plain> a lv2:Plugin ; " + files))
                == "the manifest names no file with its code (lv2:binary)")
        #expect(
            try refusal(TestBundle(code: false))
                == "its code, plugin.so, cannot be read: No such file or directory")
        #expect(
            try refusal(TestBundle(manifest: "<urn:test:plain> a lv2:Plugin ; lv2:binary <plugin.ttl> ; " + files))
                == "its code, plugin.ttl, is not a shared library")
        #expect(try refusal(TestBundle(more: "lv2:minorVersion 2")) == "it has no name (doap:name)")
        #expect(
            try refusal(TestBundle(body: "<urn:test:other> a lv2:Plugin ; doap:name \"Other\" ."))
                == "its bundle's manifest names it, but no file describes it")
        let missing = "<urn:test:plain> a lv2:Plugin ; lv2:binary <plugin.so> ; rdfs:seeAlso <none.ttl> ."
        #expect(try refusal(TestBundle(manifest: missing)).contains("none.ttl cannot be read"))
        #expect(
            try refusal(TestBundle(more: #"doap:name "Test" ; lv2:requiredFeature <urn:test:feature>"#))
                == "it requires urn:test:feature, which this host does not have")
    }

    @Test func `Each fault of a port has its reason`() throws {
        func faulty(_ index: Int, _ port: String) throws -> String {
            var ports = TestBundle.ports
            ports[index] = port
            return try refusal(TestBundle(ports: ports, code: true))
        }
        let audio = "a lv2:InputPort, lv2:AudioPort ;"
        #expect(
            try faulty(0, #"\#(audio) lv2:symbol "in" ; lv2:name "In""#) == "port 'in' has no valid index (lv2:index)")
        #expect(try faulty(0, #"\#(audio) lv2:index 0 ; lv2:name "In""#) == "port 0 has no symbol (lv2:symbol)")
        #expect(try faulty(0, #"\#(audio) lv2:index 0 ; lv2:symbol "in""#) == "port 'in' has no name (lv2:name)")
        #expect(
            try faulty(0, #"\#(audio) lv2:index 0 ; lv2:symbol "out" ; lv2:name "In""#)
                == "two of its ports have the symbol 'out'")
        #expect(
            try faulty(0, #"\#(audio) lv2:index 1 ; lv2:symbol "in" ; lv2:name "In""#)
                == "two of its ports have the index 1")
        #expect(
            try faulty(0, #"\#(audio) lv2:index 9 ; lv2:symbol "in" ; lv2:name "In""#)
                == "it has 8 ports, but none with the index 0")
        #expect(
            try faulty(0, #"\#(audio) lv2:index 0 ; lv2:symbol "1 in" ; lv2:name "In""#)
                .hasPrefix("port '1 in' has an invalid symbol"))
        #expect(
            try faulty(0, #"a lv2:InputPort, <urn:test:Port> ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In""#)
                .hasPrefix("its port 'in' is of a kind this host does not have"))
    }

    @Test func `Code that gives no instance is told by what it lacks`() throws {
        #expect(try failure(TestBundle("refusing")) == "it created no instance and gave no reason")
        #expect(
            try failure(TestBundle("absent")).hasPrefix("plugin.so has no plugin of this name; it has urn:test:plain"))
        #expect(
            try failure(TestBundle(defining: ["NO_DESCRIPTOR"]))
                == "plugin.so is no LV2 plugin: it has no function lv2_descriptor")
        #expect(
            try failure(TestBundle(defining: ["LIBRARY=0"]))
                == "plugin.so: its function lv2_lib_descriptor returns no library of plugins")
        #expect(try failure(TestBundle(defining: ["LIBRARY=1"])) == "")
        let cut = try TestBundle()
        let library = URL(fileURLWithPath: cut.path + "/plugin.so")
        try Data(contentsOf: library).prefix(200).write(to: library)
        #expect(try failure(cut).hasPrefix("its code cannot be loaded: "))
    }

    @Test func `Of a plugin in two bundles each says its version`() throws {
        let older = try TestBundle(more: #"doap:name "Test" ; lv2:minorVersion 2 ; lv2:microVersion 6"#)
        let newer = try TestBundle(more: #"doap:name "Test" ; lv2:minorVersion 4 ; lv2:microVersion 0"#)
        #expect(try older.described().version < newer.described().version)
        #expect(try newer.described().version == PluginVersion(minor: 4, micro: 0))
    }
}
