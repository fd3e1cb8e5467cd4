/// Port of an LV2 plugin, from its description.
struct LV2Port: Hashable, Sendable {
    /// Type of a port, and its use by this host.
    enum Role: Hashable, Sendable {
        /// Audio (or CV) input.
        case audioIn
        /// Audio (or CV) output.
        case audioOut
        /// Side-chain input, such as the key of a dynamics processor; it is kept silent.
        case silent
        /// Control input.
        case control(PluginControl)
        /// Control output, such as a meter.
        case reading
        /// Event input.
        case eventsIn(PluginEvents, minimumBytes: Int)
        /// Event output.
        case eventsOut(PluginEvents, minimumBytes: Int)
        /// A port that is left unconnected, which the plugin permits.
        case unconnected
    }

    /// Standard function of a port, independent of its symbol.
    enum Designation: String, Sendable {
        case enabled, latency, freeWheeling, beatsPerMinute
        /// Event port for messages to the plugin as a whole.
        case control
    }

    /// Index, from 0.
    var index: Int
    /// Name of the port in commands.
    var symbol: String
    /// Type and use.
    var role: Role
    /// Standard function; nil if the port has none.
    var designation: Designation?
}
