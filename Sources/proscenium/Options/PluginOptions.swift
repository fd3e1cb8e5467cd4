import ArgumentParser
import Loading
import Racks
import SavedSessions
import Session

/// Plugins of the chains, shared by `run`, `render`, `preview` and `process`.
struct PluginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A plugin; may be repeated. \(explanation)", valueName: "where=uri[,key=value...]"),
        completion: .placedPlugins,
        transform: PluginRequest.read)
    var plugin: [PluginRequest] = []

    @Option(
        help: ArgumentHelp(
            "Folder of chains that 'ctl plugin save' wrote; its plugins precede those of --plugin.", valueName: "folder"
        ),
        completion: .directory)
    var plugins: String?

    /// Help text on the syntax of a plugin.
    static let explanation =
        "WHERE: an input ('main') or an effect, one of its loudspeakers ('FC', 'talk/FL'), 'field' or 'ears'. Keys: preset, state, name, "
        + "bypass=yes, isolate=yes, and the plugin's own controls ('plugin info URI')."

    /// The requested plugins, in order.
    var requests: [PluginRequest] {
        get throws { try (plugins.map { try SavedChains.requests(in: $0) } ?? []) + plugin }
    }

    /// Returns the requests of the typed options, without those of defaults.
    private func typedRequests(_ typed: TypedOptions) throws -> [PluginRequest] {
        var own = self
        if !typed.contains("plugin") { own.plugin = [] }
        if !typed.contains("plugins") { own.plugins = nil }
        return try own.requests
    }

    /// Returns the plugins of a session in a folder: saved chains with the typed requests, or all requests if the
    /// folder has no chains.
    func chains(in folder: String, typed: TypedOptions) throws -> [PluginRequest] {
        let saved = try SessionFiles.plugins(in: folder)
        let asked = try SessionFiles.hasChains(in: folder) ? typedRequests(typed) : requests
        return SessionFiles.plugins(saved, typed: asked)
    }
}

extension PluginRequest: ReasonedOption {
    /// Parses a plugin's text on the command line; throws with the reason if it is invalid.
    static func read(_ written: String) throws -> PluginRequest {
        do throws(SessionError) { return try PluginRequest(parsing: written) } catch {
            throw ValidationError(error.description)
        }
    }
}
