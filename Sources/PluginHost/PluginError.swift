/// Why a plugin cannot be found, made or changed. Every case names the plugin or bundle it is about.
package enum PluginError: Error, Hashable, Sendable, Codable {
    /// No bundle on the search path has it; `near`: identifiers that look alike.
    case unknown(identifier: String, near: [String])
    /// A bundle's description cannot be read or is contradictory: what is wrong, and where.
    case badBundle(bundle: String, reason: String)
    /// The plugin cannot run in this host.
    case refused(identifier: String, reason: String)
    /// Its code could not be loaded, or it made no instance of itself.
    case failed(identifier: String, reason: String)
    /// It has no such control; `known`: those it has.
    case noControl(identifier: String, symbol: String, known: [String])
    /// A value a control or property does not take.
    case badValue(identifier: String, symbol: String, value: String, takes: String)
    /// It has no such preset; `known`: labels of those it has.
    case noPreset(identifier: String, preset: String, known: [String])
    /// It has no such property, or no way to hear of it.
    case noProperty(identifier: String, property: String, known: [String])
    /// It hears no MIDI.
    case noMIDI(identifier: String)
    /// Its state could not be saved to, or taken from, a folder.
    case state(identifier: String, folder: String, reason: String)
    /// No child process could be started in which plugins are looked at.
    case noChild(program: String, reason: String)
}

extension PluginError: CustomStringConvertible {
    /// What is wrong, where, and what to do.
    package var description: String {
        switch self {
        case .unknown(let identifier, let near):
            let others =
                near.isEmpty
                ? "'proscenium plugin list' shows those there are" : "do you mean \(near.joined(separator: " or "))?"
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
        case .noMIDI(let identifier): return "plugin \(identifier) hears no MIDI"
        case .state(let identifier, let folder, let reason):
            return "state of plugin \(identifier) in \(folder): \(reason)"
        case .noChild(let program, let reason):
            return "plugins are looked at in processes of their own, and \(program) cannot be started as one: \(reason)"
        }
    }
}
