import CLilv
import CPlugins

/// Statements about a plugin as a whole. They are read while the LV2 world is in use.
struct LV2Facts {
    let reader: LV2World.Reader
    let plugin: OpaquePointer

    /// Returns all values that the plugin's files state for a predicate, as texts.
    func all(_ predicate: String) -> [String] {
        reader.withNode(predicate) { lilv_plugin_get_value(plugin, $0).map { LV2World.Reader.texts(taking: $0) } } ?? []
    }

    /// Returns the first value of a predicate as text; empty if there is none.
    func first(_ predicate: String) -> String { all(predicate).first ?? "" }

    /// Whether the plugin uses a feature, as required or optional.
    func has(feature uri: String) -> Bool { reader.withNode(uri) { lilv_plugin_has_feature(plugin, $0) } ?? false }

    /// Features that the plugin requires.
    var required: [String] {
        lilv_plugin_get_required_features(plugin).map { LV2World.Reader.texts(taking: $0).sorted() } ?? []
    }

    /// Whether the plugin requires a feature.
    func requires(_ uri: String) -> Bool { required.contains(uri) }

    /// Whether the plugin has an extension interface.
    func extends(_ uri: String) -> Bool {
        reader.withNode(uri) { lilv_plugin_has_extension_data(plugin, $0) } ?? false
    }

    /// Label of the plugin's class; "Plugin" if the plugin states none.
    var kind: String {
        guard let kind = lilv_plugin_get_class(plugin), let label = lilv_plugin_class_get_label(kind) else {
            return "Plugin"
        }
        return LV2World.Reader.text(label)
    }

    /// Parameters that are not ports, writable ones first.
    var properties: [PluginProperty] {
        guard let subject = lilv_plugin_get_uri(plugin) else { return [] }
        let writable = reader.objects(subject, URIs.patch + "writable")
        let readable = reader.objects(subject, URIs.patch + "readable").filter { !writable.contains($0) }
        return writable.map { property($0, isWritable: true) } + readable.map { property($0, isWritable: false) }
    }

    private func property(_ uri: String, isWritable: Bool) -> PluginProperty {
        let said = reader.withNode(uri) { node -> (label: String?, range: String?)? in
            (reader.objects(node, URIs.rdfs + "label").first, reader.objects(node, URIs.rdfs + "range").first)
        }
        let local = uri.split(whereSeparator: { "#/:".contains($0) }).last.map(String.init) ?? uri
        return PluginProperty(
            identifier: uri, label: said?.label ?? local, takes: Self.takes(said?.range ?? ""), isWritable: isWritable)
    }

    /// Returns the type of a property: path, text or number; any other type by its URI.
    private static func takes(_ range: String) -> String {
        switch range {
        case URIs.atom + "Path": "path"
        case URIs.atom + "String", URIs.atom + "URI", URIs.atom + "URID": "text"
        case URIs.atom + "Int", URIs.atom + "Long", URIs.atom + "Float", URIs.atom + "Double", URIs.atom + "Bool":
            "number"
        default: range
        }
    }
}
