/// A port of an LV2 plugin, as its description has it.
struct LV2Port: Hashable, Sendable {
    /// What a port carries, and what this host does with it.
    enum Role: Hashable, Sendable {
        /// Sound (or a control voltage) that goes in.
        case audioIn
        /// Sound (or a control voltage) that comes out.
        case audioOut
        /// A key input of a dynamics processor, or the like: kept silent.
        case silent
        /// A value that can be set.
        case control(PluginControl)
        /// A value that it shows.
        case reading
        /// Events that go in.
        case eventsIn(PluginEvents, minimumBytes: Int)
        /// Events that come out.
        case eventsOut(PluginEvents, minimumBytes: Int)
        /// Left unconnected, as it allows.
        case unconnected
    }

    /// What the host may know a port by, whatever its symbol.
    enum Designation: String, Sendable {
        case enabled, latency, freeWheeling, beatsPerMinute
        /// The one for messages to the plugin as a whole.
        case control
    }

    /// Its number, from 0.
    var index: Int
    /// The name by which commands know it.
    var symbol: String
    /// What it carries.
    var role: Role
    /// What the host knows it by.
    var designation: Designation?
}
