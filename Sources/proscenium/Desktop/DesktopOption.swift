import ArgumentParser
import AudioIO
import Desktop
import Loading
import SavedSessions
import Session

/// The option of `run` with which a service plays the desktop's sink. The other options of that session are in the
/// record of `desktop on`; see `DesktopRecipe`.
struct DesktopOption: ParsableArguments {
    @Flag(help: ArgumentHelp("Play the sink that 'desktop on' has set up.", visibility: .hidden)) var desktop = false

    /// Returns the desktop's part of the session, and changes the session's settings for it; nil without the option.
    ///
    /// - Throws: `Failure` if nothing is set up, or if the program was not started with PipeWire's libjack.
    func session(_ settings: inout LiveSettings) throws -> DesktopSession? {
        guard desktop else { return nil }
        guard let record = try DesktopRecord.saved(renews: true, tell: { say($0) }) else {
            throw Failure(
                .usage, "no sink is set up; 'proscenium desktop on' does that, and starts this command itself")
        }
        guard JACKDiagnosis.isPipeWire else {
            throw Failure(
                .environment, "the desktop's sink is a PipeWire sink; start this command with 'pw-jack' before it")
        }
        // The config file's connections are for other sessions. The ears of this session go to the headphones alone.
        (settings.connectOut, settings.connectIn) = (nil, nil)
        settings.tellsLag = true
        return DesktopSession(
            sinks: try record.sinks, output: record.output, tools: try .here, typed: record.typed)
    }
}

/// What a session needs in order to play the desktop's sinks.
struct DesktopSession {
    /// Sink of the main input, then the sinks of further inputs.
    let sinks: [DesktopSink]
    let output: DesktopOutput
    let tools: PipeWireTools
    /// Options of `run` that the user has typed with `desktop on`.
    let typed: TypedOptions

    /// Makes the sinks and starts to maintain their links. `tell` receives messages for the user.
    func keeper(tell: @escaping @Sendable (String) -> Void) throws -> DesktopKeeper {
        try DesktopKeeper(
            sinks[0], beside: Array(sinks.dropFirst()), to: output, by: tools,
            rules: RulesFile(in: SessionDocument.stateFolder), tell: tell)
    }
}
