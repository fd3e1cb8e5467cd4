import ArgumentParser
import PluginHost

/// Search for plugins, the same for all commands.
enum PluginSearch {
    /// Backend of the plugins: LV2, with the folders of LV2_PATH or the system's default ones.
    static let backend: any PluginBackend = LV2Backend()

    /// Returns all plugins. Scans only new and changed bundles; with `fresh`, all bundles. Prints the scan's remarks on
    /// standard error.
    static func catalogue(fresh: Bool = false) throws -> PluginCatalogue {
        let catalogue = try PluginScan(backend).catalogue(fresh: fresh)
        for remark in catalogue.remarks { say("proscenium: \(remark)") }
        return catalogue
    }

    /// URIs of all plugins, for completions; empty if the scan fails.
    static var identifiers: [String] { ((try? PluginScan(backend).catalogue())?.plugins ?? []).map(\.identifier) }
}

/// Argument that selects a plugin.
struct PluginArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The plugin.", valueName: "uri"),
        completion: .plugins)
    var identifier: String
    @Flag(help: "Print JSON.") var json = false

    /// Returns the plugin's description, including presets installed after the last scan. Throws for an unknown plugin.
    func description() throws -> PluginDescription {
        let catalogue = try PluginSearch.catalogue()
        if let found = catalogue.description(of: identifier) { return found }
        return try PluginScan(PluginSearch.backend).find(identifier)
    }
}
