/// The connection between a session and its control interfaces (OSC, sockets, web, control surface): the command queue,
/// the state, the events and the telemetry.
///
/// A desk outlives stages and servers; a preview keeps it from file to file. It may be used on any thread.
package struct SessionDesk: Sendable {
    /// Queue of commands to the session.
    package let commands: CommandQueue
    /// The values in force.
    package let state: StateBook
    /// Events of the session.
    package let events: SessionEvents
    /// Meters and head pose.
    package let telemetry: TelemetryFeed
    /// Connection of a control surface; empty without one.
    package let surface = SurfaceSeat()
    /// File and position of a preview; empty in other sessions.
    package let player = PlayerPlace()
    /// Address of the panel.
    package let panel = PanelPlace()
    /// Ranges of the plugins' controls.
    package let pluginControls = PluginControls()

    /// Preparation step of the session, for times without a stage.
    package var phase: PhaseBoard { commands.phase }

    /// Creates a desk without a session.
    package init(commands: CommandQueue = CommandQueue()) {
        self.commands = commands
        (state, events, telemetry) = (StateBook(), SessionEvents(), TelemetryFeed())
    }
}
