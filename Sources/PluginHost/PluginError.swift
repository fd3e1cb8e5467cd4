/// Failure to find, create or change a plugin. Every case names the plugin, the bundle or the program.
package enum PluginError: Error, Hashable, Sendable, Codable {
    /// No bundle in the search path has the plugin. `near`: similar identifiers.
    case unknown(identifier: String, near: [String])
    /// A bundle's description is unreadable or contradictory. `reason`: the fault and its position.
    case badBundle(bundle: String, reason: String)
    /// The plugin cannot run in this host.
    case refused(identifier: String, reason: String)
    /// The plugin's code could not be loaded, created no instance, or failed later.
    case failed(identifier: String, reason: String)
    /// The plugin has no such control. `known`: its controls.
    case noControl(identifier: String, symbol: String, known: [String])
    /// The value is not permitted for the control or property.
    case badValue(identifier: String, symbol: String, value: String, takes: String)
    /// The plugin has no such preset. `known`: labels of its presets.
    case noPreset(identifier: String, preset: String, known: [String])
    /// The plugin has no such writable property, or no event input to set it.
    case noProperty(identifier: String, property: String, known: [String])
    /// The plugin has no MIDI input.
    case noMIDI(identifier: String)
    /// The state could not be saved to, or restored from, a folder.
    case state(identifier: String, folder: String, reason: String)
    /// No child process for plugins could be started.
    case noChild(program: String, reason: String)
}

extension PluginError: CustomStringConvertible {
    /// The fault, with its position or a remedy if there is one.
    package var description: String {
        switch self {
        case .unknown(let identifier, let near):
            let others =
                near.isEmpty
                ? "'proscenium plugin list' lists the installed plugins"
                : "do you mean \(near.joined(separator: " or "))?"
            return "there is no plugin \(identifier); \(others)"
        case .badBundle(let bundle, let reason): return "plugin bundle \(bundle): \(reason)"
        case .refused(let identifier, let reason): return "plugin \(identifier) cannot run here: \(reason)"
        case .failed(let identifier, let reason): return "plugin \(identifier) failed: \(reason)"
        case .noControl(let identifier, let symbol, let known):
            let those = known.isEmpty ? "it has none" : "it has " + known.joined(separator: ", ")
            return "plugin \(identifier) has no control '\(symbol)'; \(those)"
        case .badValue(let identifier, let symbol, let value, let takes):
            return "plugin \(identifier): \(symbol)=\(value) is not possible; it takes \(takes)"
        case .noPreset(let identifier, let preset, let known):
            let those = known.isEmpty ? "it has none" : "it has " + known.joined(separator: ", ")
            return "plugin \(identifier) has no preset '\(preset)'; \(those)"
        case .noProperty(let identifier, let property, let known):
            let those = known.isEmpty ? "it has none" : "it has " + known.joined(separator: ", ")
            return "plugin \(identifier) has no property '\(property)'; \(those)"
        case .noMIDI(let identifier): return "plugin \(identifier) receives no MIDI"
        case .state(let identifier, let folder, let reason):
            return "state of plugin \(identifier) in \(folder): \(reason)"
        case .noChild(let program, let reason):
            return "plugins are examined in child processes, and \(program) cannot be started as one: \(reason)"
        }
    }
}
