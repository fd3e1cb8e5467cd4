/// What can be asked of a session's plugins while it runs.
package enum PluginCommand: Sendable, Equatable {
    /// Puts a plugin into a chain, before the insert at a position (0 is the first), or (nil) behind the last.
    case add(PluginRequest, position: Int?)
    /// Takes one out.
    case remove(String)
    /// Gives one another position in its chain, from 0 on.
    case move(String, to: Int)
    /// Puts another in the place of one.
    case replace(String, PluginRequest)
    /// Has sound pass one, as late as it would make it, or not, or (nil) the other of the two.
    case bypass(String, Bool?)
    /// Sets a control, or a property, as it is written.
    case set(String, symbol: String, value: String)
    /// Loads a preset, by URI or label.
    case preset(String, String)
    /// Makes one anew that was taken out because it misbehaved, with all that was said of it.
    case restart(String)
    /// Sends a MIDI message of 1 to 3 bytes to one that hears it.
    case midi(String, [UInt8])
    /// Saves all chains into a folder, which is replaced.
    case save(String)
    /// Takes all chains from such a folder, in place of those there are.
    case load(String)
    /// Asks for the list.
    case list
    /// Asks what plugins this machine has that could be put into a chain.
    case known
    /// Asks what one of a chain is: its controls with ranges and units, its presets.
    case about(String)
}
