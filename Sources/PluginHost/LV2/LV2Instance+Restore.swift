import CLilv
import CPlugins
import Inserts

extension LV2Instance {
    /// Timeout of each wait before a state is restored, for the plugin and for its worker, seconds.
    private static let patience: Double = 5

    package func load(preset: String) throws(PluginError) {
        guard
            let known = plugin.presets.first(where: { $0.identifier == preset })
                ?? plugin.presets.first(where: { $0.label == preset })
        else {
            throw .noPreset(identifier: plugin.identifier, preset: preset, known: plugin.presets.map(\.label))
        }
        let others = parts.presets.bundles(for: [plugin.identifier])
        let state = parts.world.use { reader in
            for bundle in others where bundle != plugin.bundle { reader.load(bundle: bundle) }
            return self.state(of: known.identifier, reader)
        }
        guard let state else {
            throw .state(
                identifier: plugin.identifier, folder: known.identifier, reason: "this preset cannot be read any more")
        }
        defer { lilv_state_free(state) }
        try apply(state, from: known.identifier)
    }

    /// Restores the initial state from the plugin's bundle, if there is one. Called before activation.
    func loadDefaultState() {
        let state = parts.world.use { reader in
            LV2Facts(reader: reader, plugin: parts.lilvPlugin).has(feature: URIs.state + "loadDefaultState")
                ? self.state(of: plugin.identifier, reader) : nil
        }
        guard let state else { return }
        defer { lilv_state_free(state) }
        give(state, features: nil, exactly: [:])
    }

    private func state(of uri: String, _ reader: LV2World.Reader) -> OpaquePointer? {
        reader.withNode(uri) { node in
            lilv_world_load_resource(reader.world, node)
            var map = URIDMap.shared.mapping
            return lilv_state_new_from_world(reader.world, &map, node)
        }
    }

    /// Restores a state into the plugin, and moves its controls to the state's values.
    ///
    /// A plugin that declares state:threadSafeRestore continues to process sound. Any other plugin is not called during
    /// the restoration: its input passes unchanged if it has as many inputs as outputs, and otherwise the output is
    /// silent. To avoid this gap, a caller can restore into a new instance and crossfade to it. `controls`: values that
    /// override those of the state.
    func apply(
        _ state: OpaquePointer, from folder: String, exactly controls: [String: Float] = [:]
    ) throws(PluginError) {
        let isSafe = hasRun && restoresWhileSounding
        guard isSafe || shared.pointee.gate.enter(within: Self.patience) else {
            throw .state(
                identifier: plugin.identifier, folder: folder, reason: "the plugin did not return from a call in time")
        }
        defer { if !isSafe { shared.pointee.gate.leave() } }
        guard parts.worker.queue.pointee.desk.enter(within: Self.patience) else {
            throw .state(
                identifier: plugin.identifier, folder: folder,
                reason: "the plugin's worker did not return in time")
        }
        defer { parts.worker.queue.pointee.desk.leave() }
        let memory = LV2Memory()
        defer { memory.deallocate() }
        let features = LV2Features(
            isSafe
                ? [(URIs.worker + "schedule", .init(parts.worker.restoring)), (URIs.state + "threadSafeRestore", nil)]
                : [],
            memory)
        give(state, features: features.list, exactly: controls)
    }

    private func give(
        _ state: OpaquePointer, features: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>?,
        exactly controls: [String: Float]
    ) {
        let ports = LV2PortValues()
        lilv_state_restore(
            state, parts.lilvInstance, LV2PortValues.set, Unmanaged.passUnretained(ports).toOpaque(), 0, features)
        let taken = withExtendedLifetime(ports) { ports.taken }
        // The state's text has only eight decimals; `controls` has the exact values.
        let values = Dictionary(taken.map { ($0.symbol, $0.value) }) { $1 }.merging(controls) { $1 }
        ask(values.compactMap { request($0.key, $0.value) }, within: hasRun ? Self.presetSeconds : 0)
        (told, given) = ([:], [:])
        askForProperties()
    }

    /// Whether a state may be restored while the plugin processes sound.
    private var restoresWhileSounding: Bool {
        parts.world.use { reader in
            LV2Facts(reader: reader, plugin: parts.lilvPlugin).has(feature: URIs.state + "threadSafeRestore")
        }
    }
}
