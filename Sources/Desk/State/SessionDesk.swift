/// What a session has for its doors: the one way in for commands, and what comes out of it.
///
/// It outlives stages and servers; a preview's next file has the same. Any thread.
package struct SessionDesk: Sendable {
    /// The way in.
    package let commands: CommandQueue
    /// What is in force.
    package let state: StateBook
    /// What happens.
    package let events: SessionEvents
    /// What moves.
    package let telemetry: TelemetryFeed
    /// Where a control surface sits, if there is one.
    package let surface = SurfaceSeat()
    /// What a preview plays, where the session is one's.
    package let player = PlayerPlace()
    /// Where its panel is.
    package let panel = PanelPlace()
    /// What the plugins' controls take.
    package let pluginControls = PluginControls()

    /// How far the session has come, where no stage can be asked.
    package var phase: PhaseBoard { commands.phase }

    /// A desk without a session.
    package init(commands: CommandQueue = CommandQueue()) {
        self.commands = commands
        (state, events, telemetry) = (StateBook(), SessionEvents(), TelemetryFeed())
    }
}
