import AudioIO
import Desk
import HeadTracking
import Loading
import MotionLogs
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Trackers

/// A running stage with its driver, renderer, trackers and recorders; everything except the command line.
///
/// Tests need neither a server nor real waits, because driver and clock are protocols.
package actor LiveSession {
    /// The client, layout and renderer.
    typealias Stage = LiveStage

    /// Settings of the session.
    var settings: LiveSettings
    /// Dependencies of the session.
    nonisolated let environment: SessionEnvironment
    /// The loudspeakers of the stage that is heard.
    var layout: Layout { stage.layout }
    /// The default layout.
    static let usualLayout = "stereo"
    /// Feed of head poses from the trackers.
    let feed: HeadPoseFeed
    /// The stage that is heard.
    var stage: Stage
    /// The stages beside the heard one: scenes and transitions.
    var staging = Staging()
    /// Route of the outputs, and the interruptions in force.
    var playback: PlaybackState
    /// The recordings.
    let takes: SessionTakes
    /// The rest of the state, in groups.
    var sound = Sound(), undo = Undo(), memory = Memory(), server = Server(), life = Life()

    /// Settings of the monitor section.
    var monitoring: MonitorSettings {
        get { sound.monitoring }
        set { sound.monitoring = newValue }
    }
    /// The outage, from the loss of the server until its return; nil without one.
    var outage: ServerOutage? {
        get { server.outage }
        set { server.outage = newValue }
    }
    /// Events of the session, for clients that watch.
    package nonisolated var events: SessionEvents { environment.desk.events }
    /// Name of the JACK client.
    package var clientName: String { stage.client.name }
    /// The input whose stage the room follows: the sound field, or the first input if there is no sound field. Nil
    /// without inputs.
    package var lead: ProgrammeRenderer? { stage.assembly.renderer.lead }
    /// File into which the outputs are recorded; nil while they are not.
    var take: String? { takes.take }
    /// Number of frames until the output is silent after the programme's last frame: the longest filter and the latency
    /// of the renderer, output limiter included.
    package var ringOutFrames: Int { stage.assembly.tapCount + stage.assembly.renderer.latencyFrames }
    /// Whether the end was requested, or an error ends the session.
    package var hasEnded: Bool { life.hasEnded }
    /// Whether the server runs at another rate than this session's stage, and the session does not follow it.
    package var isOutrun: Bool { server.isOutrun }

    /// Opens trackers, driver and HRTF set, and starts playback. Takes a second or two, longer with a room; reports the
    /// steps of the preparation to `environment`.
    package init(
        _ settings: LiveSettings, in environment: SessionEnvironment = SessionEnvironment()
    ) async throws(SessionError) {
        try await self.init(settings, in: environment, after: nil)
    }

    /// Like `init(_:in:)`, but takes over the state left by another session. This includes the other session's
    /// trackers, which end with this session unless `end(keepsTrackers:)` keeps them.
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
            var asked = settings
            // Plugins at a position that this layout lacks are kept for a layout that has it.
            if let chains = former?.values.chains?.after {
                (asked.stage.plugins, asked.stage.isForgiving) = (chains.requests, true)
            }
            var opened = try Self.open(asked, layout, in: environment)
            // The inserts hold the temporary states; the settings must not keep them longer.
            opened.settings.plugins = settings.stage.plugins
            stage = opened
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
        life.looking = environment.clock.beat(every: PlaybackState.interval) { [weak self] in await self?.tick() ?? 1 }
    }

    /// Requests the end of the session; `waitForEnd` then returns.
    package func quit() { end(with: nil) }

    /// Returns when the end is requested; throws when an error ends the session.
    package func waitForEnd() async throws(SessionError) {
        if !life.hasEnded { await withCheckedContinuation { life.waiting = $0 } }
        if let ending = life.ending { throw ending }
    }

    /// Completes the recordings, stops playback, closes everything.
    ///
    /// - Throws: the first fault of the recordings, after everything is closed.
    package func end() async throws(SessionError) { try await end(keepsTrackers: false) }

    /// Ends the session like `end()`. `keepsTrackers`: whether another session takes over the trackers; their samples
    /// are ignored meanwhile.
    package func end(keepsTrackers: Bool) async throws(SessionError) {
        life.isOver = true
        life.looking?.cancel()
        server.listening?.cancel()
        // The recordings come first: the later steps may wait for a server that does not answer.
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

    /// Requests the end with an error, or by command (nil). The first request counts.
    func end(with error: SessionError?) {
        guard !life.hasEnded else { return }
        life.hasEnded = true
        life.ending = error
        life.waiting?.resume()
        life.waiting = nil
    }

    /// Sends a remark for the user at the terminal.
    func note(_ text: String) { environment.tell(.note(text)) }
}
