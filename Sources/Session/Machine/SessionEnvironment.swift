import AudioIO
import Desk
import Loading
import Signal
import Stages

/// Dependencies of a session: the audio server, the clock, the source of filters, and the callbacks for remarks.
package struct SessionEnvironment: Sendable {
    /// Reads and prepares the HRTF set of the settings at a rate, and reports its steps to `says`. Takes seconds.
    typealias Fields =
        @Sendable (StageSettings, SampleRate, _ says: (String) -> Void) throws(SessionError) ->
        StageAssembly.PreparedSet

    /// The server on which stages and players are opened.
    package var server: any AudioServer
    /// Clock of the session.
    package var clock: any SessionClock
    /// Source of the filters.
    var fields: Fields
    /// Receives remarks for the user at the terminal. May be called on any thread; must return soon.
    package var tell: @Sendable (SessionRemark) -> Void

    /// The queue, state and events that the session shares with its control interfaces.
    package let desk: SessionDesk

    /// Puts the commands of the session's own pedal into the queue of all control interfaces; nil: the pedal acts on
    /// the trackers directly.
    var ask: (@Sendable (SessionCommand) -> Void)?
    /// Called every 50 ms, or every 250 ms in a quiet session, with the time of the session's clock. A session that
    /// hangs does not call it. Must return soon.
    package var beat: (@Sendable (_ time: Double) -> Void)?

    /// Uses the machine's JACK server, clock and files.
    package init(
        desk: SessionDesk = SessionDesk(), tell: @escaping @Sendable (SessionRemark) -> Void = { _ in },
        ask: (@Sendable (SessionCommand) -> Void)? = nil
    ) {
        self.init(
            server: JACKServer(), clock: HostClock(),
            fields: { settings, rate, says throws(SessionError) in
                try StageAssembly.set(settings, sampleRate: rate, says: says)
            }, desk: desk, tell: tell)
        self.ask = ask
    }

    /// Uses another server, clock and source of filters.
    init(
        server: any AudioServer, clock: any SessionClock, fields: @escaping Fields,
        desk: SessionDesk = SessionDesk(),
        tell: @escaping @Sendable (SessionRemark) -> Void
    ) {
        self.server = server
        self.clock = clock
        self.fields = fields
        self.desk = desk
        self.tell = { remark in
            desk.phase.take(remark)
            tell(remark)
        }
    }
}
