import ArgumentParser
import Loading
import Racks
import Session

/// Plugins of the chains, shared by `run`, `render`, `preview` and `process`.
struct PluginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A plugin; again for another. \(explanation)", valueName: "where=uri[,key=value...]"),
        transform: PluginRequest.read)
    var plugin: [PluginRequest] = []

    @Option(
        help: ArgumentHelp("Chains that 'ctl plugin save' saved, before those of --plugin.", valueName: "folder"),
        completion: .directory)
    var plugins: String?

    /// How a plugin is written.
    static let explanation =
        "WHERE: an input ('main') or an effect, one of its loudspeakers ('FC', 'talk/FL'), 'field' or 'ears'. Keys: preset, state, name, "
        + "bypass=yes, isolate=yes, and the plugin's own controls ('plugin info URI')."

    /// What is asked for, in order.
    var requests: [PluginRequest] {
        get throws { try (plugins.map { try SavedChains.requests(in: $0) } ?? []) + plugin }
    }
}

extension PluginRequest {
    /// From the words of the command line; says why where they are none.
    static func read(_ written: String) throws -> PluginRequest {
        do throws(SessionError) { return try PluginRequest(parsing: written) } catch {
            throw ValidationError(error.description)
        }
    }
}
