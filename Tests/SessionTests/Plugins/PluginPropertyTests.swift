import Desk
import Foundation
import Inserts
import PlantedPlugins
import Racks
import SoundFixtures
import Stages
import Synchronization
import Testing

@testable import PluginHost
@testable import Session

/// A property of a plugin, such as a sampler's file, which is part of the plugin's state and has no address.
@Suite(.timeLimit(.minutes(10))) struct PluginPropertyTests {
    private static let properties = [("file", "text"), ("map", "text"), ("sound", "path")].map { name, takes in
        PluginProperty(identifier: identifier(name), label: name, takes: takes, isWritable: true)
    }

    private static func identifier(_ name: String) -> String { "urn:proscenium:planted:property#\(name)" }

    /// Returns a shelf with the planted gain, which has the properties `file`, `map` and `sound`. `savesLate`: whether
    /// a value is in the plugin's state only after the next one is set.
    private static func shelf(savesLate: Bool) throws -> PluginShelf {
        let base = LV2Backend(searchPath: [try PlantedPlugins.sound()])
        let backend = Backend(base: base, savesLate: savesLate)
        return PluginShelf(backend: backend) { identifier throws(PluginError) in
            for bundle in base.bundles() {
                let found = try? base.describe(bundle: bundle)
                guard var plugin = found?.first(where: { $0.identifier == identifier }) else { continue }
                plugin.properties = Self.properties
                return plugin
            }
            throw .unknown(identifier: identifier, near: [])
        }
    }

    /// Returns a session with the plugin, `sampler`.
    private static func rig(savesLate: Bool = false) async throws -> LiveRig {
        let shelf = try Self.shelf(savesLate: savesLate)
        let request = try PluginRequest(parsing: "main=\(PlantedPlugins.uri("gain")),name=sampler")
        return try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
    }

    /// Returns a property of the first plugin; nil if it has no value.
    private static func value(_ rig: LiveRig, of name: String = "file") async -> PropertyValue? {
        let inserts = await rig.live.stage.assembly.plugins.inserts
        return inserts.first?.instances[0].properties()[identifier(name)]
    }

    @Test func `A property that is set is taken back and set again by the history`() async throws {
        let rig = try await Self.rig()
        await rig.done(try .set("level", "-6", of: "main"))
        await rig.clock.advance(by: 1)
        for name in ["/one.sfz", "/two.sfz"] {
            await rig.done(.plugin(.set("sampler", symbol: "file", value: name)))
            #expect(await Self.value(rig) == .text(name))
            await rig.clock.advance(by: 1)
        }
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == nil)
        #expect(rig.state["input/main/level"] == .numbers([-6]))
        await rig.done(.history(.redo))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        await rig.done(.history(.undo))
        await rig.done(.history(.undo))
        #expect(rig.state["input/main/level"] == .numbers([0]))
        // A control has an address, and no chain is replaced for it.
        await rig.done(.plugin(.set("sampler", symbol: "gain", value: "0.5")))
        let insert = await rig.live.stage.assembly.plugins.inserts.first
        await rig.done(.history(.undo))
        #expect(await rig.live.stage.assembly.plugins.inserts.first === insert)
        #expect(rig.state["plugin/sampler/set/gain"] == .number(1))
        try await rig.live.end()
    }

    @Test func `A property that moves is one step, and another property is another`() async throws {
        let rig = try await Self.rig()
        for name in ["/one.sfz", "/two.sfz", "/three.sfz"] {
            await rig.done(.plugin(.set("sampler", symbol: "file", value: name)))
            await rig.clock.advance(by: 0.1)
        }
        await rig.done(.plugin(.set("sampler", symbol: "map", value: "/map.xml")))
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == .text("/three.sfz"))
        #expect(await Self.value(rig, of: "map") == nil)
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == nil)
        #expect(await rig.refusal(of: .history(.undo)) != nil)
        await rig.done(.history(.redo))
        #expect(await Self.value(rig) == .text("/three.sfz"))
        await rig.done(.history(.redo))
        #expect(await Self.value(rig) == .text("/three.sfz"))
        #expect(await Self.value(rig, of: "map") == .text("/map.xml"))
        try await rig.live.end()
    }

    @Test func `A property that a plugin saves late is taken back to the value that was set before`() async throws {
        let rig = try await Self.rig(savesLate: true)
        for name in ["/one.sfz", "/two.sfz"] {
            await rig.done(.plugin(.set("sampler", symbol: "file", value: name)))
            await rig.clock.advance(by: 1)
        }
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        await rig.done(.history(.redo))
        #expect(await Self.value(rig) == .text("/two.sfz"))
        try await rig.live.end()
    }

    /// In an earlier version, the property that was set before the other one was lost.
    @Test func `A property that a plugin saves late stays when another one is taken back`() async throws {
        let rig = try await Self.rig(savesLate: true)
        await rig.done(.plugin(.set("sampler", symbol: "file", value: "/one.sfz")))
        await rig.done(.plugin(.set("sampler", symbol: "map", value: "/map.xml")))
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        #expect(await Self.value(rig, of: "map") == nil)
        await rig.done(.history(.redo))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        #expect(await Self.value(rig, of: "map") == .text("/map.xml"))
        try await rig.live.end()
    }

    /// In an earlier version, a plugin that was still loading a file lost it with the next stage.
    @Test func `A property that a plugin saves late stays in a stage built anew, and in a new scene`() async throws {
        let rig = try await Self.rig(savesLate: true)
        rig.play()
        await rig.done(.plugin(.set("sampler", symbol: "file", value: "/one.sfz")))
        await rig.change(try .set("gain", "-6"))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        await rig.done(.plugin(.set("sampler", symbol: "map", value: "/map.xml")))
        await rig.change(try .set("scene", "b"))
        #expect(await Self.value(rig) == .text("/one.sfz"))
        #expect(await Self.value(rig, of: "map") == .text("/map.xml"))
        try await rig.live.end()
    }

    @Test func `A file that is gone is taken from the plugin's state, which has a copy`() async throws {
        let folder = try Scratch()
        let path = folder("sound.wav")
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        let rig = try await Self.rig()
        rig.play()
        await rig.done(.plugin(.set("sampler", symbol: "sound", value: path)))
        await rig.change(try .set("gain", "-6"))
        #expect(await Self.value(rig, of: "sound") == .path(path))
        try FileManager.default.removeItem(atPath: path)
        await rig.change(try .set("gain", "-3"))
        // The planted plugin returns the content of its state as a text.
        #expect(await Self.value(rig, of: "sound") == .text(path))
        try await rig.live.end()
    }

    /// LV2 plugins to which the properties are added.
    private struct Backend: PluginBackend {
        let base: LV2Backend
        let savesLate: Bool

        var searchPath: [String] { base.searchPath }
        func bundles() -> [String] { base.bundles() }
        func describe(bundle: String) throws(PluginError) -> [PluginDescription] { try base.describe(bundle: bundle) }
        func presetOwners(of bundle: String) -> [String] { base.presetOwners(of: bundle) }

        func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError)
            -> any PluginInstance
        {
            var plain = plugin
            plain.properties = []
            return Instance(base: try base.instantiate(plain, setup), plugin: plugin, savesLate: savesLate)
        }
    }

    /// An instance whose state has the properties beside the plugin's own.
    private final class Instance: PluginInstance {
        let base: any PluginInstance
        let plugin: PluginDescription
        private let savesLate: Bool
        private let values = Mutex(Values())

        /// Values of the properties, by identifier.
        private struct Values {
            var now: [String: PropertyValue] = [:]
            /// Those in a state that is saved now.
            var saved: [String: PropertyValue] = [:]
        }

        init(base: any PluginInstance, plugin: PluginDescription, savesLate: Bool) {
            (self.base, self.plugin, self.savesLate) = (base, plugin, savesLate)
        }

        var processor: PluginProcessor { base.processor }
        var latencyFrames: Int { base.latencyFrames }
        var health: PluginHealth { base.health }
        func controls() -> [String: Float] { base.controls() }
        func readings() -> [String: Float] { base.readings() }
        func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError) {
            try base.set(symbol, to: value, within: seconds)
        }
        func set(property: String, to value: PropertyValue) throws(PluginError) {
            values.withLock { values in
                let former = values.now
                values.now[property] = value
                values.saved = savesLate ? former : values.now
            }
        }
        func properties() -> [String: PropertyValue] { values.withLock(\.now) }
        func send(midi: [UInt8]) throws(PluginError) { try base.send(midi: midi) }
        func transport(_ position: TransportPosition) { base.transport(position) }
        func load(preset: String) throws(PluginError) { try base.load(preset: preset) }
        func save(to folder: String) throws(PluginError) {
            try base.save(to: folder)
            let saved = values.withLock(\.saved)
            for property in plugin.properties {
                let text: String
                switch saved[property.identifier] {
                case .text(let value), .path(let value): text = value
                case .number, nil: continue
                }
                let place = folder + "/" + property.label
                guard FileManager.default.createFile(atPath: place, contents: Data(text.utf8)) else {
                    throw .state(identifier: plugin.identifier, folder: folder, reason: "its file cannot be written")
                }
            }
        }
        func restore(from folder: String) throws(PluginError) {
            try base.restore(from: folder)
            var found: [String: PropertyValue] = [:]
            for property in plugin.properties {
                guard let bytes = FileManager.default.contents(atPath: folder + "/" + property.label) else { continue }
                found[property.identifier] = .text(String(decoding: bytes, as: UTF8.self))
            }
            let restored = found
            values.withLock { $0 = Values(now: restored, saved: restored) }
        }
        func close(within seconds: Double) -> Bool { base.close(within: seconds) }
    }
}
