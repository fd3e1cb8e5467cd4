import AudioInMemory
import Desk
import Foundation
import Inserts
import Loading
import PlantedPlugins
import Racks
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import PluginHost
@testable import Session

/// Saving of chains beside other work on the stage.
@Suite(.timeLimit(.minutes(10))) struct PluginSaveTests {
    /// In an earlier version the answer was a refusal, although the folder was written.
    @Test func `Chains that are saved while another stage takes over are saved`() async throws {
        let folder = try Scratch()
        let (build, save) = (Halt(), Halt())
        let shelf = try Self.shelf(save)
        let fields = LiveRig.environment(MemoryServer(), ManualClock(), LiveRig.Said()).fields
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            build.pass()
            return try fields(settings, rate, says)
        }
        let request = try PluginRequest(parsing: "main=\(PlantedPlugins.uri("gain")),name=soft,gain=0.25")
        let rig = try await LiveRig(
            { settings in (settings.stage.shelf, settings.stage.plugins) = (shelf, [request]) }, sets: sets)
        // The other stage is built, from chains that are read before. Then the chains are saved.
        build.isOn.raise()
        let live = rig.live
        let changing = Task { await live.perform(try .set("gain", "-6")) }
        #expect(await eventually { build.isReached.isRaised })
        save.isOn.raise()
        let saving = Task { await live.perform(.plugin(.save(folder("chains")))) }
        #expect(await eventually { save.isReached.isRaised })
        let former = await live.stage.assembly.plugins
        build.mayGoOn.signal()
        if case .refused(let why) = try await changing.value { Issue.record("\(why)") }
        #expect(await live.stage.assembly.plugins !== former)
        save.mayGoOn.signal()
        if case .refused(let why) = await saving.value { Issue.record("\(why)") }
        #expect(try SavedChains.requests(in: folder("chains")).map(\.name) == ["soft"])
        try await live.end()
    }

    /// A place in the code at which a thread waits, once, for the test.
    private final class Halt: Sendable {
        let isOn = Flag(), isReached = Flag()
        let mayGoOn = DispatchSemaphore(value: 0)

        func pass() {
            guard isOn.isRaised, !isReached.isRaised else { return }
            isReached.raise()
            mayGoOn.wait()
        }
    }

    /// Returns a shelf with the planted plugins, whose states are saved after a halt.
    private static func shelf(_ halt: Halt) throws -> PluginShelf {
        let base = LV2Backend(searchPath: [try PlantedPlugins.sound()])
        return PluginShelf(backend: Backend(base: base, halt: halt)) { identifier throws(PluginError) in
            for bundle in base.bundles() {
                let found = try? base.describe(bundle: bundle)
                if let plugin = found?.first(where: { $0.identifier == identifier }) { return plugin }
            }
            throw .unknown(identifier: identifier, near: [])
        }
    }

    private struct Backend: PluginBackend {
        let base: LV2Backend
        let halt: Halt

        var searchPath: [String] { base.searchPath }
        func bundles() -> [String] { base.bundles() }
        func describe(bundle: String) throws(PluginError) -> [PluginDescription] { try base.describe(bundle: bundle) }
        func presetOwners(of bundle: String) -> [String] { base.presetOwners(of: bundle) }

        func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError) -> any PluginInstance {
            Instance(base: try base.instantiate(plugin, setup), halt: halt)
        }
    }

    private final class Instance: PluginInstance {
        let base: any PluginInstance
        private let halt: Halt

        init(base: any PluginInstance, halt: Halt) { (self.base, self.halt) = (base, halt) }

        var plugin: PluginDescription { base.plugin }
        var processor: PluginProcessor { base.processor }
        var latencyFrames: Int { base.latencyFrames }
        var health: PluginHealth { base.health }
        func controls() -> [String: Float] { base.controls() }
        func readings() -> [String: Float] { base.readings() }
        func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError) {
            try base.set(symbol, to: value, within: seconds)
        }
        func set(property: String, to value: PropertyValue) throws(PluginError) {
            try base.set(property: property, to: value)
        }
        func properties() -> [String: PropertyValue] { base.properties() }
        func send(midi: [UInt8]) throws(PluginError) { try base.send(midi: midi) }
        func transport(_ position: TransportPosition) { base.transport(position) }
        func load(preset: String) throws(PluginError) { try base.load(preset: preset) }
        func save(to folder: String) throws(PluginError) {
            halt.pass()
            try base.save(to: folder)
        }
        func restore(from folder: String) throws(PluginError) { try base.restore(from: folder) }
        func close(within seconds: Double) -> Bool { base.close(within: seconds) }
    }
}
