import ArgumentParser
import PluginHost

/// The plugins of this machine, as all commands look for them.
enum PluginSearch {
    /// The plugins of this machine.
    static let backend: any PluginBackend = LV2Backend()

    /// The plugins of this machine, from the cache where nothing has changed; says aloud what else is to be told.
    static func catalogue(fresh: Bool = false) throws -> PluginCatalogue {
        let catalogue = try PluginScan(backend).catalogue(fresh: fresh)
        for remark in catalogue.remarks { say("proscenium: \(remark)") }
        return catalogue
    }

    /// The identifiers there are, for completions.
    static var identifiers: [String] { ((try? PluginScan(backend).catalogue())?.plugins ?? []).map(\.identifier) }
}

/// A plugin as commands take it.
struct PluginArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The plugin.", valueName: "uri"),
        completion: .custom { _, _, _ in PluginSearch.identifiers })
    var identifier: String
    @Flag(help: "Print JSON.") var json = false

    /// What is known of it, presets that came since with it.
    func description() throws -> PluginDescription {
        let catalogue = try PluginSearch.catalogue()
        if let found = catalogue.description(of: identifier) { return found }
        return try PluginScan(PluginSearch.backend).find(identifier)
    }
}
