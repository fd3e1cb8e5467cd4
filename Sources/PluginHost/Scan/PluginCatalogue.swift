/// What plugins there are, what is wrong with others, and how this was found out.
package struct PluginCatalogue: Sendable {
    /// A bundle that could not be described.
    package struct Fault: Hashable, Sendable, Codable {
        /// The bundle, by path.
        package var bundle: String
        /// What is wrong.
        package var fault: BundleFault
        /// What was written on standard error meanwhile.
        package var words: [String]
    }

    /// Plugins, one for each identifier, by name; those that are refused, too.
    package private(set) var plugins: [PluginSummary] = []
    /// Plugins that stand behind another of the same identifier, which is newer, or comes earlier in the search path.
    package private(set) var hidden: [PluginSummary] = []
    /// Bundles that could not be described.
    package private(set) var faults: [Fault] = []
    /// What else is to be told: a cache that could not be understood, or written.
    package var remarks: [String] = []
    /// Children that were started to find this out.
    package var childrenStarted = 0

    private var records: [String: BundleRecord] = [:]

    /// What is known from records of bundles in the order of the search path.
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

    /// A plugin in full; nil where there is none of that identifier, or what is known of it cannot be understood.
    package func description(of identifier: String) -> PluginDescription? {
        guard let plugin = plugins.first(where: { $0.identifier == identifier }) else { return nil }
        return records[plugin.bundle]?.description(of: identifier)
    }

    /// Identifiers that look like this one, or whose plugins have this name, the likeliest first: at most three.
    package func near(_ identifier: String) -> [String] {
        NearNames.near(identifier, among: plugins.map { ($0.identifier, $0.name) })
    }
}
