import Desk
import Foundation
import Inserts
import PlantedPlugins
import Racks
import Stages
import Synchronization
import Testing

@testable import PluginHost
@testable import Session

/// A property of a plugin, such as a sampler's file, which is part of the plugin's state and has no address.
@Suite(.timeLimit(.minutes(10))) struct PluginPropertyTests {
    private static let file = PluginProperty(
        identifier: "urn:proscenium:planted:property#file", label: "File", takes: "path", isWritable: true)

    /// Returns a shelf with the planted gain, which has the property `file`.
    private static func shelf() throws -> PluginShelf {
        let base = LV2Backend(searchPath: [try PlantedPlugins.sound()])
        return PluginShelf(backend: Backend(base: base)) { identifier throws(PluginError) in
            for bundle in base.bundles() {
                let found = try? base.describe(bundle: bundle)
                guard var plugin = found?.first(where: { $0.identifier == identifier }) else { continue }
                plugin.properties = [Self.file]
                return plugin
            }
            throw .unknown(identifier: identifier, near: [])
        }
    }

    /// Returns the file of the first plugin; nil without one.
    private static func value(_ rig: LiveRig) async -> PropertyValue? {
        let inserts = await rig.live.stage.assembly.plugins.inserts
        return inserts.first?.instances[0].properties()[file.identifier]
    }

    @Test func `A property that is set is taken back and set again by the history`() async throws {
        let shelf = try Self.shelf()
        let request = try PluginRequest(parsing: "main=\(PlantedPlugins.uri("gain")),name=sampler")
        let rig = try await LiveRig { settings in
            (settings.stage.shelf, settings.stage.plugins) = (shelf, [request])
        }
        await rig.done(try .set("level", "-6", of: "main"))
        await rig.clock.advance(by: 1)
        for name in ["/one.sfz", "/two.sfz"] {
            await rig.done(.plugin(.set("sampler", symbol: "file", value: name)))
            #expect(await Self.value(rig) == .path(name))
        }
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == .path("/one.sfz"))
        await rig.done(.history(.undo))
        #expect(await Self.value(rig) == nil)
        #expect(rig.state["input/main/level"] == .numbers([-6]))
        await rig.done(.history(.redo))
        #expect(await Self.value(rig) == .path("/one.sfz"))
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

    /// LV2 plugins to which the property is added.
    private struct Backend: PluginBackend {
        let base: LV2Backend

        var searchPath: [String] { base.searchPath }
        func bundles() -> [String] { base.bundles() }
        func describe(bundle: String) throws(PluginError) -> [PluginDescription] { try base.describe(bundle: bundle) }
        func presetOwners(of bundle: String) -> [String] { base.presetOwners(of: bundle) }

        func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError)
            -> any PluginInstance
        {
            var plain = plugin
            plain.properties = []
            return Instance(base: try base.instantiate(plain, setup), plugin: plugin)
        }
    }

    /// An instance whose state has the property beside the plugin's own.
    private final class Instance: PluginInstance {
        let base: any PluginInstance
        let plugin: PluginDescription
        private let value = Mutex<PropertyValue?>(nil)

        init(base: any PluginInstance, plugin: PluginDescription) { (self.base, self.plugin) = (base, plugin) }

        var processor: PluginProcessor { base.processor }
        var latencyFrames: Int { base.latencyFrames }
        var health: PluginHealth { base.health }
        func controls() -> [String: Float] { base.controls() }
        func readings() -> [String: Float] { base.readings() }
        func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError) {
            try base.set(symbol, to: value, within: seconds)
        }
        func set(property: String, to value: PropertyValue) throws(PluginError) { self.value.withLock { $0 = value } }
        func properties() -> [String: PropertyValue] {
            value.withLock(\.self).map { [PluginPropertyTests.file.identifier: $0] } ?? [:]
        }
        func send(midi: [UInt8]) throws(PluginError) { try base.send(midi: midi) }
        func transport(_ position: TransportPosition) { base.transport(position) }
        func load(preset: String) throws(PluginError) { try base.load(preset: preset) }
        func save(to folder: String) throws(PluginError) {
            try base.save(to: folder)
            guard case .path(let path)? = value.withLock(\.self) else { return }
            guard FileManager.default.createFile(atPath: folder + "/file", contents: Data(path.utf8)) else {
                throw .state(identifier: plugin.identifier, folder: folder, reason: "its file cannot be written")
            }
        }
        func restore(from folder: String) throws(PluginError) {
            try base.restore(from: folder)
            let bytes = FileManager.default.contents(atPath: folder + "/file")
            let path = bytes.map { PropertyValue.path(String(decoding: $0, as: UTF8.self)) }
            value.withLock { $0 = path }
        }
        func close(within seconds: Double) -> Bool { base.close(within: seconds) }
    }
}
