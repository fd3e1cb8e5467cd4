import AudioIO
import CRealtime
import Desk
import HRTF
import Loading
import Signal
import Stages

/// What a session stands in, beside what was asked of it: what drives it, what time it is, where filters come from, and
/// which listeners are told how it goes.
package struct SessionEnvironment: Sendable {
    /// Reads and prepares the HRTF set that is asked for at a rate, saying meanwhile what it does; seconds.
    typealias Fields =
        @Sendable (StageSettings, SampleRate, _ says: (String) -> Void) throws(SessionError) -> (
            field: FilterField, report: HRTFReport
        )

    /// Where stages and players are opened.
    var server: any AudioServer
    /// The session's time.
    package var clock: any SessionClock
    /// Where the filters come from.
    var fields: Fields
    /// Told what the person at the terminal may want to know. Any thread; must return soon.
    package var tell: @Sendable (SessionRemark) -> Void

    /// What the session has for its doors.
    let desk: SessionDesk

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

/// Where a session has its time from: the host's clock, or a test's hand.
package protocol SessionClock: Sendable {
    /// Seconds; only differences mean something.
    var now: Double { get }
    /// Has `work` done at once and then every so many seconds, until the answer is cancelled. One beat's work ends
    /// before the next begins.
    func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Void) -> SessionBeat
    /// Returns after so many seconds, sooner where the task is cancelled.
    func pause(_ seconds: Double) async
}

/// Work that recurs until it is cancelled.
package struct SessionBeat: Sendable {
    private let stop: @Sendable () -> Void

    /// Work that `stop` ends; what is under way may still come to its end.
    package init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Ends it. Idempotent.
    package func cancel() { stop() }
}

/// The host's monotonic clock.
package struct HostClock: SessionClock {
    /// The clock of this machine.
    package init() {}

    /// Seconds since the machine started.
    package var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }

    /// A task that works and then rests `seconds`.
    package func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Void) -> SessionBeat {
        let task = Task {
            while !Task.isCancelled {
                await work()
                await pause(seconds)
            }
        }
        return SessionBeat { task.cancel() }
    }

    /// Rests; less where its task is cancelled.
    package func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}
