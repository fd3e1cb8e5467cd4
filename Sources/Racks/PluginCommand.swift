/// Commands for the plugins of a running session.
package enum PluginCommand: Sendable, Equatable {
    /// Adds a plugin to a chain before the insert at a position (0 is the first); nil adds it after the last.
    case add(PluginRequest, position: Int?)
    /// Removes a plugin.
    case remove(String)
    /// Moves a plugin to a position in its chain, from 0.
    case move(String, to: Int)
    /// Replaces a plugin by another one.
    case replace(String, PluginRequest)
    /// Bypasses a plugin, without a change of latency, or ends the bypass; nil toggles.
    case bypass(String, Bool?)
    /// Sets a control or a property to a value given as text.
    case set(String, symbol: String, value: String)
    /// Loads a preset, by URI or label.
    case preset(String, String)
    /// Recreates a plugin, for example after a fault, with its requested state and its present settings.
    case restart(String)
    /// Sends a MIDI message of 1 to 3 bytes to a plugin with a MIDI input.
    case midi(String, [UInt8])
    /// Saves all chains to a folder, which is replaced.
    case save(String)
    /// Replaces all chains by the chains in a saved folder.
    case load(String)
    /// Returns the list of inserts.
    case list
    /// Returns the installed plugins that can be put into a chain.
    case known
    /// Returns the description of an installed plugin, by its identifier, with its controls and presets.
    case describe(String)
    /// Returns the description of an insert's plugin, with its presets and the ranges and units of its controls.
    case about(String)
}
