import AudioIO
import Desk
import HeadTracking
import Loading
import MotionLogs
import Rendering
import Signal
import Soundstage
import Stages
import Trackers

/// A running stage: driver, renderer, trackers, recorders; everything but the command line.
///
/// It knows its driver by protocol and its time by its clock, so that all it does can be tried without a server and
/// without waiting.
package actor LiveSession {
    /// What is opened anew when the server's rate changes.
    typealias Stage = LiveStage

    /// What was asked for.
    var settings: LiveSettings
    /// What drives it, what time it is, and which listeners are told how it goes.
    nonisolated let environment: SessionEnvironment
    /// The loudspeakers of the stage that is heard.
    var layout: Layout { stage.layout }
    /// The default layout.
    static let usualLayout = "stereo"
    /// The trackers and what they say.
    let feed: HeadPoseFeed
    /// What is heard now.
    var stage: Stage
    /// The stages beside it.
    var staging = Staging()
    /// Where the ears go, and which interruptions have the stage.
    var playback: PlaybackState
    /// What is recorded.
    let takes: SessionTakes
    /// All else, by what it is for.
    var sound = Sound(), undo = Undo(), memory = Memory(), server = Server(), life = Life()

    /// What is asked of the monitor section.
    var monitoring: MonitorSettings {
        get { sound.monitoring }
        set { sound.monitoring = newValue }
    }
    /// Since the server went, until it is back.
    var outage: ServerOutage? {
        get { server.outage }
        set { server.outage = newValue }
    }
    /// What happens, for clients that watch.
    package nonisolated var events: SessionEvents { environment.desk.events }
    /// Name of its client at the server.
    package var clientName: String { stage.client.name }
    /// The stage's sound field, if it is one.
    package var soundField: ProgrammeRenderer? { stage.assembly.renderer.soundField }
    /// The file that the ears are recorded into now; nil where they are not.
    var take: String? { takes.take }
    /// Frames that sound rings on for after the programme's last, the guard's delay included.
    package var ringOutFrames: Int { stage.assembly.tapCount + stage.assembly.renderer.latencyFrames }
    /// Whether the session was asked to end, or cannot go on.
    package var hasEnded: Bool { life.hasEnded }
    /// Whether the server runs at another rate than this session's stage, which is not followed.
    package var isOutrun: Bool { server.isOutrun }

    /// Opens trackers, driver and HRTF set, and begins to play. A second or two, with a room more; `environment` is
    /// told what is being prepared.
    package init(
        _ settings: LiveSettings, in environment: SessionEnvironment = SessionEnvironment()
    ) async throws(SessionError) {
        try await self.init(settings, in: environment, after: nil)
    }

    /// As `init(_:in:)`, going on with what another session left, its trackers among it: they end with this one.
    package init(
        _ settings: LiveSettings, in environment: SessionEnvironment, after former: FormerSession?,
        followsRate: Bool = true
    ) async throws(SessionError) {
        self.settings = settings
        self.environment = environment
        server.followsRate = followsRate
        playback = former?.playback ?? PlaybackState(policy: settings.onRouteLoss)
        try SessionTakes.prepare(settings) { environment.tell(.note($0)) }
        let layout: Layout
        if let programme = settings.programme {
            layout = programme
        } else {
            layout = try settings.stage.layout(named: settings.stage.choices.layout ?? Self.usualLayout)
        }
        sound.dynamics["main"] = settings.stage.programmes.dynamics
        for input in settings.stage.programmes.others { sound.dynamics[input.name] = input.dynamics }
        if let former {
            feed = former.feed
        } else {
            let events = settings.recordMotion == nil ? nil : MotionBuffer()
            feed = try HeadPoseFeed(settings.tracking, events: events, clock: environment.clock) {
                environment.tell(.note($0))
            }
            try await feed.start()
        }
        takes = SessionTakes(settings, feed.events, after: former, in: environment)
        do throws(SessionError) {
            stage = try Self.open(settings, layout, in: environment)
        } catch {
            await feed.stop()
            throw error
        }
        do throws(SessionError) {
            try begin(after: former)
            try openMIDI()
        } catch {
            abandon()
            await feed.stop()
            throw error
        }
        enterState()
        environment.tell(.ready)
        life.looking = environment.clock.beat(every: PlaybackState.interval) { [weak self] in await self?.tick() }
    }

    /// Asks the session to end; `waitForEnd` then returns.
    package func quit() { end(with: nil) }

    /// Returns when the session was asked to end; throws when it cannot go on.
    package func waitForEnd() async throws(SessionError) {
        if !life.hasEnded { await withCheckedContinuation { life.waiting = $0 } }
        if let ending = life.ending { throw ending }
    }

    /// Completes the recordings, stops playing, closes everything.
    ///
    /// - Throws: what became of the recordings where not all is well; everything is closed nevertheless.
    package func end() async throws(SessionError) { try await end(keepsTrackers: false) }

    /// As `end()`; `keepsTrackers`: another session goes on with the trackers, which are not heard meanwhile.
    package func end(keepsTrackers: Bool) async throws(SessionError) {
        life.isOver = true
        life.looking?.cancel()
        server.listening?.cancel()
        // First of all: what comes after may wait for a server that does not answer.
        let failure = takes.finish(stage)
        await takes.whenComplete()
        server.midi?.stop()
        feed.attach([])
        endTransition(.refused(SessionReply.ending))
        if !keepsTrackers { await feed.stop() }
        endMetering()
        stage.client.close()
        stopWatches()
        undo.history.clear()
        if let failure { throw failure }
    }

    /// The session is to end, for this reason or by the user's word (nil); the first reason counts.
    func end(with error: SessionError?) {
        guard !life.hasEnded else { return }
        life.hasEnded = true
        life.ending = error
        life.waiting?.resume()
        life.waiting = nil
    }

    /// Tells the person at the terminal.
    func note(_ text: String) { environment.tell(.note(text)) }
}
