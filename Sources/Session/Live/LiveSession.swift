import AudioIO
import Desk
import HRTF
import HeadTracking
import IMU
import Loading
import MotionLogs
import Rendering
import Signal
import Soundstage
import Stages

/// A running stage: driver, renderer, trackers, recorders; everything but the command line.
///
/// It knows its driver by protocol and its time by its clock, so that all it does can be tried without a server and
/// without waiting.
package actor LiveSession {
    /// What is opened anew when the server's rate changes.
    typealias Stage = LiveStage

    /// What was asked for; recordings go on in other files where a server came back.
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
    /// Where poses and motion are recorded, while they are.
    var poseRecorder: PoseRecorder?, motionRecorder: MotionRecorder?
    /// What the trackers said since motion was last recorded.
    let journal: MotionJournal?
    var midi: MIDIControl?
    /// Whether the room plays, where there is one.
    var playsRoom = true
    /// Whether the headphones' equalisation is heard, where there is one.
    var equalises = true
    /// The loudness meters.
    var monitor: LoudnessMonitor?
    /// What was told of the sound field's scale.
    var toldScales: Set<String> = []
    /// What is asked of the monitor section.
    var monitoring = MonitorSettings()
    /// What is said of the programmes' loudness and dynamics, by name.
    var dynamics: [String: DynamicsSettings] = [:]
    /// What was done to the main programme's level, place and width before it began, one fact a line.
    var levels: [String] = []
    /// What a session before this one left.
    var inheritance = Inheritance()
    /// Where the ears go, and which interruptions have the stage.
    var playback: PlaybackState
    /// What happens, for clients that watch.
    package nonisolated var events: SessionEvents { environment.desk.events }
    /// How many things were done to plugins that show at no address.
    var pluginChanges = 0
    /// Commands to plugins under way.
    var pluginWork = 0
    /// What was done, to be undone.
    var history = SessionHistory()
    /// Where the server's transport was at the last look, and at which frame of its clock that was.
    var transport: (at: ServerTransport, frame: UInt32)?
    /// Whether the server renders as fast as it can.
    var freewheeling = false
    /// Since the server went, until it is back.
    var outage: ServerOutage?
    /// Connections that there were before the server went, until they stand again.
    var returning = ReturningConnections()
    /// Frames the recorder could not write in time.
    var recorderLost = 0
    /// Where it is kept what was set, for the next session of this name; nil where it does not come back.
    var lastValuesPath: String?
    /// What a session's folder says and could not be had before the stage played.
    var unopened: [String: ParameterValue] = [:]
    /// Told when connections came or went.
    var hearsLinks: (@Sendable () -> Void)?
    /// Takes that are begun and ended by command.
    var taking = Taking()
    /// Recordings that ended before the session, by their files, and why.
    var endedRecordings: [String: String] = [:]
    /// Whether a stage is built for another rate of the server; else the owner of this session builds another.
    let followsRate: Bool
    /// Whether the server runs at another rate than this session's stage, which is not followed.
    var isOutrun = false
    private var ending: SessionError?
    /// Whether the session was asked to end, or cannot go on.
    package private(set) var hasEnded = false
    private var waiting: CheckedContinuation<Void, Never>?
    /// Whether all is closed.
    private(set) var isOver = false
    /// Hears the present driver's events.
    var listening: Task<Void, Never>?
    /// Looks every 50 ms at what no event tells.
    private var looking: SessionBeat?
    /// The threads that compare the renditions of a programme, by its place.
    var watches: [Int: RenditionWatch] = [:]

    /// Opens trackers, driver and HRTF set, and begins to play. A second or two, with a room more; `environment` is
    /// told what is being prepared.
    package init(
        _ settings: LiveSettings, in environment: SessionEnvironment = SessionEnvironment()
    ) async throws(SessionError) {
        try await self.init(settings, in: environment, after: nil)
    }

    /// As `init(_:in:)`, going on with what another session left, its trackers among it: they end with this one.
    init(
        _ settings: LiveSettings, in environment: SessionEnvironment, after former: FormerSession?,
        followsRate: Bool = true
    ) async throws(SessionError) {
        self.settings = settings
        self.environment = environment
        self.followsRate = followsRate
        playback = former?.playback ?? PlaybackState(policy: settings.onRouteLoss)
        try Self.prepareRecordings(settings) { environment.tell(.note($0)) }
        let layout: Layout
        if let programme = settings.programme {
            layout = programme
        } else {
            layout = try settings.stage.layout(named: settings.stage.choices.layout ?? Self.usualLayout)
        }
        dynamics["main"] = settings.stage.programmes.dynamics
        for input in settings.stage.programmes.others { dynamics[input.name] = input.dynamics }
        if let former {
            (feed, journal) = (former.feed, former.feed.journal)
            taking = Taking(last: former.take.file, isByCommand: former.take.isByCommand)
        } else {
            journal = settings.recordMotion == nil ? nil : MotionJournal()
            feed = try HeadPoseFeed(settings.tracking, journal: journal, clock: environment.clock) {
                environment.tell(.note($0))
            }
            try await feed.start()
        }
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
        looking = environment.clock.beat(every: PlaybackState.interval) { [weak self] in await self?.tick() }
    }

    /// Asks the session to end; `waitForEnd` then returns.
    package func quit() { end(with: nil) }

    /// Returns when the session was asked to end; throws when it cannot go on.
    package func waitForEnd() async throws(SessionError) {
        if !hasEnded { await withCheckedContinuation { waiting = $0 } }
        if let ending { throw ending }
    }

    /// Completes the recordings, stops playing, closes everything.
    ///
    /// - Throws: what became of the recordings where not all is well; everything is closed nevertheless.
    package func end() async throws(SessionError) { try await end(keepsTrackers: false) }

    /// As `end()`; `keepsTrackers`: another session goes on with the trackers, which are not heard meanwhile.
    func end(keepsTrackers: Bool) async throws(SessionError) {
        isOver = true
        looking?.cancel()
        listening?.cancel()
        // First of all: what comes after may wait for a server that does not answer.
        let failure = finishRecordings()
        _ = await taking.completing?.value
        midi?.stop()
        feed.attach([])
        endTransition(.refused(SessionReply.ending))
        if !keepsTrackers { await feed.stop() }
        endMetering()
        stage.client.close()
        stopWatches()
        history.clear()
        if let failure { throw failure }
    }

    /// The session is to end, for this reason or by the user's word (nil); the first reason counts.
    func end(with error: SessionError?) {
        guard !hasEnded else { return }
        hasEnded = true
        ending = error
        waiting?.resume()
        waiting = nil
    }

    /// Tells the person at the terminal.
    func note(_ text: String) { environment.tell(.note(text)) }
}
