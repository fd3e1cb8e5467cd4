import CLilv
import CPlugins
import Signal

/// Creates instances: loads the code, connects the ports, restores the initial state, and activates the plugin.
struct LV2Maker {
    /// Folders that contain bundles.
    let path: [String]
    /// Index of the presets of plugins.
    let presets: LV2PresetIndex

    /// Creates an instance for a setup. The instance can run immediately.
    func make(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError) -> LV2Instance {
        if let refusal = plugin.refusal { throw .refused(identifier: plugin.identifier, reason: refusal) }
        if plugin.needsFixedBlocks, !setup.isFixed {
            throw .refused(
                identifier: plugin.identifier,
                reason: "it needs blocks of constant length, which are not guaranteed here")
        }
        let world = LV2World()
        let memory = LV2Memory()
        do {
            let instance = LV2Instance(try parts(plugin, setup, world, memory))
            instance.loadDefaultState()
            lilv_instance_activate(instance.parts.lilvInstance)
            return instance
        } catch {
            memory.deallocate()
            throw error
        }
    }

    private func parts(
        _ plugin: PluginDescription, _ setup: PluginSetup, _ world: LV2World, _ memory: LV2Memory
    ) throws(PluginError) -> LV2Parts {
        let (worker, log) = (LV2Worker(memory), PluginLog(memory))
        let scratch = LV2ScratchFolder(memory)
        return try world.use { (reader) throws(PluginError) in
            // For a plugin with properties the LV2 specifications are loaded too: they contain the types of the
            // parameters that LV2 itself defines.
            if !plugin.properties.isEmpty { reader.loadSpecifications(under: path) }
            reader.load(bundle: plugin.bundle)
            guard let found = reader.plugin(plugin.identifier) else {
                throw .failed(
                    identifier: plugin.identifier, reason: "its bundle \(plugin.bundle) does not describe it any more")
            }
            let ports = LV2Ports(reader, found, rate: setup.sampleRate.hertz)
            if !ports.faults.isEmpty {
                throw .refused(identifier: plugin.identifier, reason: ports.faults.joined(separator: "; "))
            }
            let requiresLive = LV2Facts(reader: reader, plugin: found).requires(URIs.core + "isLive")
            let offered = LV2Features.offered(
                setup, requiresLive: requiresLive, worker: worker, log: log, folder: scratch, memory)
            let features = LV2Features(offered, memory)
            guard let instance = lilv_plugin_instantiate(found, setup.sampleRate.hertz, features.list) else {
                throw .failed(
                    identifier: plugin.identifier, reason: LV2LoadFailure.reason(found, identifier: plugin.identifier))
            }
            let wiring = LV2Wiring(ports.ports, slice: setup.slice, memory) { port, place in
                lilv_instance_connect_port(instance, port, place)
            }
            if let work = lilv_instance_get_extension_data(instance, URIs.worker + "interface") {
                do throws(WorkerError) {
                    try worker.start(
                        work.assumingMemoryBound(to: LV2_Worker_Interface.self), instance.pointee.lv2_handle)
                } catch {
                    lilv_instance_free(instance)
                    throw .failed(identifier: plugin.identifier, reason: error.description)
                }
            }
            return LV2Parts(
                plugin: plugin.described(by: ports), setup: setup, world: world, lilvPlugin: found,
                lilvInstance: instance, memory: memory, wiring: wiring, worker: worker, log: log, scratch: scratch,
                presets: presets)
        }
    }
}

extension PluginDescription {
    /// Returns the description with an instance's ports. Ranges of controls may depend on the instance's sample rate.
    fileprivate func described(by ports: LV2Ports) -> PluginDescription {
        var plugin = self
        plugin.audioInputs = ports.symbols(.audioIn)
        plugin.audioOutputs = ports.symbols(.audioOut)
        var units: [String: String] = [:]
        for control in controls { units[control.symbol] = control.unit }
        plugin.controls = ports.controls.map { control in
            var control = control
            control.unit = units[control.symbol] ?? control.unit
            return control
        }
        return plugin
    }
}
