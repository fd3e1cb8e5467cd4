import CLilv
import CPlugins
import Glibc

/// Reasons why this host does not run a plugin that its bundle describes.
enum LV2Refusal {
    /// Returns the reasons, without those of the ports (`LV2Ports.faults`).
    static func reasons(_ reader: LV2World.Reader, _ plugin: OpaquePointer, bundle: String) -> [String] {
        let facts = LV2Facts(reader: reader, plugin: plugin)
        var reasons = faultyFiles(facts)
        let name = LV2World.Reader.text(taking: lilv_plugin_get_name(plugin))
        if reasons.isEmpty, name.isEmpty {
            reasons.append(
                facts.all(URIs.core + "port").isEmpty
                    ? "its bundle's manifest names it, but no file describes it" : "it has no name (doap:name)")
        }
        reasons += binaryFaults(plugin)
        for feature in facts.required where !LV2Features.known.contains(feature) {
            reasons.append("it requires \(feature), which this host does not have")
        }
        for option in facts.all(URIs.options + "requiredOption") where !LV2Options.known.contains(option) {
            reasons.append("it requires the option \(option), which this host does not support")
        }
        return reasons
    }

    /// Returns the faults of the Turtle files that the manifest names: missing, or not valid Turtle.
    private static func faultyFiles(_ facts: LV2Facts) -> [String] {
        LV2World.Reader.items(lilv_plugin_get_data_uris(facts.plugin)).compactMap { node in
            guard let path = path(of: node), path.hasSuffix(".ttl") else { return nil }
            return TurtleFile.fault(of: path)
        }
    }

    /// Returns the reasons why the plugin's code cannot be loaded, as far as the file of the code shows them.
    private static func binaryFaults(_ plugin: OpaquePointer) -> [String] {
        guard let node = lilv_plugin_get_library_uri(plugin) else {
            return ["the manifest names no file with its code (lv2:binary)"]
        }
        guard let path = path(of: node) else { return ["its code is not a local file"] }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let file = fopen(path, "rb") else {
            return ["its code, \(name), cannot be read: \(String(cString: strerror(errno)))"]
        }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 4)
        guard fread(&head, 1, 4, file) == 4, head == [0x7f, 0x45, 0x4c, 0x46] else {
            return ["its code, \(name), is not a shared library"]
        }
        let missing = SharedLibraryNeeds(contentsOf: path)?.missing ?? []
        guard let first = missing.first else { return [] }
        let (more, them) = missing.count == 1 ? ("", "it") : (" and \(missing.count - 1) more", "them")
        return [
            "its code, \(name), needs the symbol \(first)\(more); "
                + "none of the libraries that it is linked with has \(them)"
        ]
    }

    /// Returns the local path of a file's URI; nil if the URI is not that of a local file.
    static func path(of node: OpaquePointer?) -> String? {
        guard let node, let path = lilv_node_get_path(node, nil) else { return nil }
        defer { lilv_free(path) }
        return String(cString: path)
    }
}
