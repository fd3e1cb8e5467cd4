/// Catalogue of all plugins and faulty bundles, with remarks on the scan.
package struct PluginCatalogue: Sendable {
    /// A bundle that could not be described.
    package struct Fault: Hashable, Sendable, Codable {
        /// Path of the bundle.
        package var bundle: String
        /// Fault.
        package var fault: BundleFault
        /// Lines that the child wrote to standard error while it described the bundle.
        package var words: [String]
    }

    /// Plugins, one for each identifier, sorted by name. Refused plugins are included.
    package private(set) var plugins: [PluginSummary] = []
    /// Plugins hidden by another plugin of the same identifier. The other one is newer, or earlier in the search path.
    package private(set) var hidden: [PluginSummary] = []
    /// Bundles that could not be described.
    package private(set) var faults: [Fault] = []
    /// Remarks on the scan, about cache files that could not be decoded or written.
    package var remarks: [String] = []
    /// Number of children that the scan started.
    package var childrenStarted = 0

    private var records: [String: BundleRecord] = [:]

    /// Creates a catalogue from records of bundles in the order of the search path.
    init(_ found: [BundleRecord]) {
        var places: [String: Int] = [:]
        for record in found {
            let head = record.head
            records[head.bundle] = record
            if let fault = head.fault { faults.append(Fault(bundle: head.bundle, fault: fault, words: head.words)) }
            for plugin in head.plugins {
                guard let place = places[plugin.identifier] else {
                    places[plugin.identifier] = plugins.count
                    plugins.append(plugin)
                    continue
                }
                let isNewer = plugins[place].version < plugin.version
                hidden.append(isNewer ? plugins[place] : plugin)
                if isNewer { plugins[place] = plugin }
            }
        }
        plugins.sort { ($0.name.lowercased(), $0.identifier) < ($1.name.lowercased(), $1.identifier) }
    }

    /// Returns the description of a plugin; nil if there is no such plugin, or if its record cannot be decoded.
    package func description(of identifier: String) -> PluginDescription? {
        guard let plugin = plugins.first(where: { $0.identifier == identifier }) else { return nil }
        return records[plugin.bundle]?.description(of: identifier)
    }

    /// Returns at most three identifiers that are similar to this one, or whose plugins have similar names, the nearest
    /// first.
    package func near(_ identifier: String) -> [String] {
        NearNames.near(identifier, among: plugins.map { ($0.identifier, $0.name) })
    }
}
