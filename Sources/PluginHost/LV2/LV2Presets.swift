import CLilv
import CPlugins

/// Presets of a plugin in the bundles that a world has read.
enum LV2Presets {
    /// Returns all presets in the order of their labels. The label of a preset without one is the end of its URI.
    static func list(_ reader: LV2World.Reader, _ plugin: OpaquePointer) -> [PluginPreset] {
        let found = reader.withNode(URIs.presets + "Preset") { lilv_plugin_get_related(plugin, $0) }
        guard let found else { return [] }
        defer { lilv_nodes_free(found) }
        return LV2World.Reader.items(found).map { preset in
            lilv_world_load_resource(reader.world, preset)
            let uri = LV2World.Reader.text(preset)
            let end = uri.split(whereSeparator: { "#/:".contains($0) }).last.map(String.init) ?? uri
            return PluginPreset(identifier: uri, label: reader.objects(preset, URIs.rdfs + "label").first ?? end)
        }.sorted { ($0.label, $0.identifier) < ($1.label, $1.identifier) }
    }
}
