import CLilv
import CPlugins

/// Faults in the description of a plugin's ports. They are found in the statements of the plugin's files, because lilv
/// drops all ports of a plugin if one port is faulty.
enum LV2PortFaults {
    /// Returns the faults of a plugin's ports, each with the symbol or index of the port; empty if there are none.
    static func find(_ reader: LV2World.Reader, _ plugin: OpaquePointer) -> [String] {
        // This call makes lilv read the plugin's files.
        lilv_node_free(lilv_plugin_get_name(plugin))
        guard let subject = lilv_plugin_get_uri(plugin) else { return ["it has no URI"] }
        let found = reader.withNode(URIs.core + "port") { predicate in
            lilv_world_find_nodes(reader.world, subject, predicate, nil)
        }
        guard let found else { return [] }
        defer { lilv_nodes_free(found) }
        var (faults, indices, symbols): ([String], [Int], [String]) = ([], [], [])
        for port in LV2World.Reader.items(found) {
            let symbol = reader.objects(port, URIs.core + "symbol").first
            let indexText = reader.objects(port, URIs.core + "index").first
            let title = symbol.map { "port '\($0)'" } ?? indexText.map { "port \($0)" } ?? "one of its ports"
            if let index = indexText.flatMap({ Int($0) }), index >= 0 {
                indices.append(index)
            } else {
                faults.append("\(title) has no valid index (lv2:index)")
            }
            if let symbol {
                symbols.append(symbol)
                if !isSymbol(symbol) {
                    faults.append(
                        "\(title) has an invalid symbol: only letters, digits and _ are allowed, and no digit "
                            + "at the start"
                    )
                }
            } else {
                faults.append("\(title) has no symbol (lv2:symbol)")
            }
            if reader.objects(port, URIs.core + "name").isEmpty { faults.append("\(title) has no name (lv2:name)") }
        }
        faults += repeated(symbols).map { "two of its ports have the symbol '\($0)'" }
        faults += repeated(indices).map { "two of its ports have the index \($0)" }
        if faults.isEmpty, let missing = (0..<indices.count).first(where: { !indices.contains($0) }) {
            faults.append("it has \(indices.count) ports, but none with the index \(missing)")
        }
        return faults
    }

    /// Whether a text is a valid LV2 symbol.
    private static func isSymbol(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95
        }
    }

    private static func repeated<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { !seen.insert($0).inserted }
    }
}
