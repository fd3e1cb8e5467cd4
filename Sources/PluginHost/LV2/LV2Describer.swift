import CLilv
import CPlugins
import Foundation

/// Describes the plugins in one bundle from its files, without loading any code.
struct LV2Describer {
    /// Sampling rate, hertz, that descriptions assume for controls whose ranges are multiples of it.
    static let usualRate: Double = 48_000
    /// Folders that contain bundles.
    let path: [String]
    /// Index of the presets of plugins.
    let presets: LV2PresetIndex

    /// Returns the descriptions of a bundle's plugins; empty if the bundle contains none. If this host refuses a
    /// plugin, its description contains the reason. Throws `badBundle` if the bundle itself is faulty.
    func describe(bundle: String) throws(PluginError) -> [PluginDescription] {
        if let fault = LV2BundleFaults.fault(of: bundle) { throw .badBundle(bundle: bundle, reason: fault) }
        return LV2World().use { reader in
            reader.loadSpecifications(under: path)
            reader.load(bundle: bundle)
            let identifiers = plugins(reader, of: bundle)
            for other in presets.bundles(for: identifiers) where other != bundle { reader.load(bundle: other) }
            return identifiers.compactMap { identifier in
                reader.plugin(identifier).map { describe(reader, $0, identifier, bundle) }
            }
        }
    }

    /// Returns the URIs of all plugins that the reader has read, sorted.
    private func plugins(_ reader: LV2World.Reader, of bundle: String) -> [String] {
        guard let plugins = lilv_world_get_all_plugins(reader.world) else { return [] }
        var found: [String] = []
        var place = lilv_plugins_begin(plugins)
        while !lilv_plugins_is_end(plugins, place) {
            if let plugin = lilv_plugins_get(plugins, place) {
                found.append(LV2World.Reader.text(lilv_plugin_get_uri(plugin)))
            }
            place = lilv_plugins_next(plugins, place)
        }
        return found.sorted()
    }

    private func describe(
        _ reader: LV2World.Reader, _ plugin: OpaquePointer, _ identifier: String, _ bundle: String
    ) -> PluginDescription {
        let ports = LV2Ports(reader, plugin, rate: Self.usualRate)
        let facts = LV2Facts(reader: reader, plugin: plugin)
        let reasons = LV2Refusal.reasons(reader, plugin, bundle: bundle) + ports.faults
        let name = LV2World.Reader.text(taking: lilv_plugin_get_name(plugin))
        let properties = facts.properties
        return PluginDescription(
            identifier: identifier, name: name.isEmpty ? identifier : name,
            maker: LV2World.Reader.text(taking: lilv_plugin_get_author_name(plugin)), kind: facts.kind,
            license: facts.first(URIs.doap + "license"), bundle: bundle, audioInputs: ports.symbols(.audioIn),
            audioOutputs: ports.symbols(.audioOut), controls: ports.controls, properties: properties,
            presets: LV2Presets.list(reader, plugin), events: ports.events,
            tellsLatency: ports.ports.contains { $0.designation == .latency && $0.role == .reading },
            hasBypass: ports.ports.contains { $0.designation == .enabled },
            isRealTimeSafe: facts.has(feature: URIs.core + "hardRTCapable"),
            needsFixedBlocks: facts.requires(URIs.bufSize + "fixedBlockLength")
                || facts.requires(URIs.bufSize + "powerOf2BlockLength"),
            hasState: facts.extends(URIs.state + "interface"),
            refusal: reasons.isEmpty ? nil : reasons.joined(separator: "; "),
            bypassSymbol: ports.ports.first { $0.designation == .enabled }?.symbol,
            version: PluginVersion(
                minor: Int(facts.first(URIs.core + "minorVersion")) ?? 0,
                micro: Int(facts.first(URIs.core + "microVersion")) ?? 0))
    }
}
