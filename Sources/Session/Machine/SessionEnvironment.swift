import AudioIO
import Desk
import Loading
import Signal
import Stages

/// What a session stands in, beside what was asked of it: what drives it, what time it is, where filters come from, and
/// which listeners are told how it goes.
package struct SessionEnvironment: Sendable {
    /// Reads and prepares the HRTF set that is asked for at a rate, saying meanwhile what it does; seconds.
    typealias Fields =
        @Sendable (StageSettings, SampleRate, _ says: (String) -> Void) throws(SessionError) ->
        StageAssembly.PreparedSet

    /// Where stages and players are opened.
    package var server: any AudioServer
    /// The session's time.
    package var clock: any SessionClock
    /// Where the filters come from.
    var fields: Fields
    /// Told what the person at the terminal may want to know. Any thread; must return soon.
    package var tell: @Sendable (SessionRemark) -> Void

    /// What the session has for its doors.
    package let desk: SessionDesk

    /// Where goes what is asked at a pedal that the session itself listens to: into the queue of all doors; nil: to the
    /// trackers at once.
    var ask: (@Sendable (SessionCommand) -> Void)?
    /// Called at every beat of the session, 50 ms after the one before has done its work, with the time of its clock:
    /// a session that stands still does not beat. Must return soon.
    package var beat: (@Sendable (_ time: Double) -> Void)?

    /// The machine's JACK server, clock and files.
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

    /// Another server, another time and other filters.
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
