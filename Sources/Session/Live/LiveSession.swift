import AudioIO
import HRTF
import HeadTracking
import IMU
import MotionLogs
import Rendering
import Signal
import Soundstage

/// A running stage: driver, renderer, trackers, recorders; everything but the command line.
///
/// It knows its driver by protocol and its time by its clock, so that all it does can be tried without a server and without waiting.
package actor LiveSession {
    /// What is opened anew when the server's rate changes.
    struct Stage {
        var client: any StageDriver
        var assembly: StageAssembly
        /// What a motion log has asked of it; nil without one, or where it does not say.
        var score: [StageChange]?
    }

    /// What was asked for.
    let settings: LiveSettings
    /// What drives it, what time it is, and who is told how it goes.
    let environment: SessionEnvironment
    /// The loudspeakers.
    let layout: Layout
    /// The trackers and what they say.
    let feed: HeadPoseFeed
    /// What plays now.
    private(set) var stage: Stage
    /// Where poses and motion are recorded, while they are.
    var poseRecorder: PoseRecorder?, motionRecorder: MotionRecorder?
    /// What the trackers said since motion was last recorded.
    let journal: MotionJournal?
    private var midi: MIDIControl?
    /// Whether the room plays, where there is one.
    var playsRoom = true
    /// The loudness meters.
    var monitor: LoudnessMonitor?
    /// What is said of the programmes' loudness and dynamics, by name.
    var dynamics: [String: DynamicsSettings] = [:]
    /// What was done to the main programme's level, place and width before it began, one fact a line.
    var levels: [String] = []
    /// What was asked of the programmes since the session began, by name.
    var wishes: [String: ProgrammeControls] = [:]
    /// Changes of inputs that were done, for a session that goes on in this one's place.
    var changes: [ParameterChange] = []
    /// Where the ears go, and who has the stage.
    var playback: PlaybackState
    /// What happens, for whoever watches.
    package nonisolated let events = SessionEvents()
    /// Whether the server renders as fast as it can.
    var freewheeling = false
    /// Frames the recorder could not write in time.
    var recorderLost = 0
    /// Recordings that ended before the session, by their files, and why.
    var endedRecordings: [String: String] = [:]
    /// Whether a stage is built for another rate of the server; else whoever plays through this session builds another.
    private let followsRate: Bool
    /// Whether the server runs at another rate than this session's stage, which is not followed.
    private(set) var isOutrun = false
    private var ending: SessionError?
    /// Whether the session was asked to end, or cannot go on.
    package private(set) var hasEnded = false
    private var waiting: CheckedContinuation<Void, Never>?
    /// Hears the present driver's events.
    private var listening: Task<Void, Never>?
    /// Looks every 50 ms at what no event tells.
    private var looking: SessionBeat?
    /// Those who compare the renditions of a programme, by its place.
    private(set) var watches: [Int: RenditionWatch] = [:]

    /// Opens trackers, driver and HRTF set, and begins to play. A second or two, with a room more; `environment` is told what is
    /// being prepared.
    package init(
        _ settings: LiveSettings, in environment: SessionEnvironment = SessionEnvironment()
    ) async throws(SessionError) {
        try await self.init(settings, in: environment, after: nil)
    }

    /// As `init(_:in:)`, going on with what another session left, its trackers among it: they end with this one.
    init(
        _ settings: LiveSettings, in environment: SessionEnvironment, after legacy: SessionLegacy?,
        followsRate: Bool = true
    ) async throws(SessionError) {
        self.settings = settings
        self.environment = environment
        self.followsRate = followsRate
        playback = legacy?.playback ?? PlaybackState(policy: settings.onRouteLoss)
        try Self.prepareRecordings(settings) { environment.tell(.note($0)) }
        if let programme = settings.programme {
            layout = programme
        } else {
            layout = try settings.stage.layout(named: settings.stage.layout ?? "stereo")
        }
        if let legacy {
            (feed, journal) = (legacy.feed, legacy.feed.journal)
            (playsRoom, dynamics) = (legacy.playsRoom, legacy.dynamics)
        } else {
            journal = settings.recordMotion == nil ? nil : MotionJournal()
            feed = try HeadPoseFeed(settings.tracking, journal: journal) { environment.tell(.note($0)) }
            try await feed.start()
        }
        do throws(SessionError) {
            stage = try Self.open(settings, layout, in: environment)
        } catch {
            await feed.stop()
            throw error
        }
        do throws(SessionError) {
            try begin(after: legacy)
            if let words = settings.midiControl {
                let feed = self.feed
                midi = try MIDIControl(try .init(parsing: words), name: settings.name + "-control") {
                    feed.recentre(.yaw)
                }
            }
        } catch {
            abandon()
            await feed.stop()
            throw error
        }
        environment.tell(.ready)
        looking = environment.clock.beat(every: PlaybackState.interval) { [weak self] in await self?.tick() }
    }

    /// A driver and a stage at its rate, not yet playing.
    private static func open(
        _ settings: LiveSettings, _ layout: Layout, in environment: SessionEnvironment
    ) throws(SessionError) -> Stage {
        try settings.ensureWanted()
        let client: any StageDriver
        do throws(JACKError) { client = try environment.server.openStage(name: settings.name) } catch {
            throw SessionError(error)
        }
        do throws(SessionError) {
            var poses = PoseSource.mailbox
            if let path = settings.poses { poses = try StageAssembly.poses(logAt: path) }
            var recording: MotionRecording?
            if let path = settings.motion {
                let read = try StageAssembly.recording(logAt: path)
                poses = try StageAssembly.poses(read, at: path)
                recording = read
            }
            let says = { environment.tell(.preparing($0)) }
            let assembly = try StageAssembly(
                settings.stage, layout: layout, set: try environment.fields(settings.stage, client.sampleRate, says),
                poses: poses, says: says)
            let score = recording?.score(for: assembly.renderer.askable) ?? []
            return Stage(client: client, assembly: assembly, score: score.isEmpty ? nil : score)
        } catch {
            client.close()
            throw error
        }
    }

    /// Starts to play the present stage.
    ///
    /// - Parameter legacy: what a session left that played another programme.
    private func begin(after legacy: SessionLegacy? = nil) throws(SessionError) {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        try settings.ensureWanted()
        try beginMotion()
        holdIfLost(renderer)
        // All that is asked for is in force from the first frame.
        renderer.setRoom(on: playsRoom)
        if let legacy { keepDynamics(of: legacy) }
        try beginDynamics()
        repeatWishes(to: renderer)
        if let legacy { follow(legacy) }
        applyInterruptions()
        stage.score.map(renderer.follow)
        do throws(JACKError) {
            try client.activate(
                renderer: renderer,
                inputs: stage.assembly.ports, start: settings.start,
                mutesOnRouteLoss: settings.onRouteLoss.mutes)
            // Whoever moved the ears elsewhere wants them there still.
            if let pattern = settings.connectOut, legacy?.ears.isEmpty ?? true {
                try client.connectOutputs(to: pattern)
            }
            if let pattern = settings.connectIn { try client.connectInputs(from: pattern) }
        } catch {
            throw SessionError(error)
        }
        if let path = settings.record {
            do throws(SoundFileError) {
                try client.record(
                    to: path, waitsForStart: settings.start != .firstCycle, replaces: settings.replacesRecordings)
            } catch {
                throw SessionError(error)
            }
        }
        startWatches()
        feed.attach(renderer.mailbox)
        try beginMetering()
        if let legacy { restore(legacy.ears, of: legacy.client) }
        // A closed driver's events end, and with them whoever hears them.
        listening = Task { [weak self] in
            for await event in client.events { await self?.handle(event, of: client) }
        }
    }

    /// Gives up what `begin` had begun when it failed.
    private func abandon() {
        listening?.cancel()
        feed.attach(nil)
        discardRecordings()
        endMetering()
        stage.client.close()
        stopWatches()
    }

    /// Compares renditions where a programme has two; what compared those of a former stage ends.
    private func startWatches() {
        stopWatches()
        for (index, programme) in stage.assembly.renderer.programmes.enumerated() {
            guard
                let watch = RenditionWatch(
                    programme, field: stage.assembly.field,
                    lowFrequencyGain: Float(Decibels(settings.stage.lfeGain).amplitude))
            else { continue }
            watch.start()
            watches[index] = watch
        }
    }

    private func stopWatches() {
        for watch in watches.values { watch.stop() }
        watches = [:]
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
    /// - Parameter keepsRecordings: false where the session could not begin, and what was recorded is of no use to anybody.
    /// - Throws: what became of the recordings where not all is well; everything is closed nevertheless.
    package func end(keepsRecordings: Bool = true) async throws(SessionError) {
        try await end(keepsRecordings: keepsRecordings, keepsTrackers: false)
    }

    /// As `end(keepsRecordings:)`; `keepsTrackers`: another session goes on with the trackers, which nobody hears meanwhile.
    func end(keepsRecordings: Bool = true, keepsTrackers: Bool) async throws(SessionError) {
        looking?.cancel()
        listening?.cancel()
        if !keepsRecordings { discardRecordings() }
        // First of all: what comes after may wait for a server that does not answer.
        let failure = finishRecordings()
        midi?.stop()
        feed.attach(nil)
        if !keepsTrackers { await feed.stop() }
        endMetering()
        stage.client.close()
        stopWatches()
        if let failure { throw failure }
    }

    func end(with error: SessionError?) {
        guard !hasEnded else { return }
        hasEnded = true
        ending = error
        waiting?.resume()
        waiting = nil
    }

    /// The server runs at another rate: a driver and a stage for it take the place of the old.
    func reopen(at hertz: Double) {
        // Where the stream began by the user's word, another word begins the new one.
        let begins = settings.start == .ctl && followsRate ? ", and is silent until 'ctl start' is said again" : ""
        note("the JACK server now runs at \(Int(hertz)) Hz; the stage is prepared anew\(begins)")
        guard followsRate else { return isOutrun = true }
        do throws(SessionError) {
            guard settings.record == nil, settings.recordPoses == nil, settings.recordMotion == nil else {
                throw SessionError(
                    .environment,
                    "the JACK server's rate changed to \(Int(hertz)) Hz; a recording cannot change its rate")
            }
            feed.attach(nil)
            endMetering()
            let former = (links: links, name: stage.client.name)
            stage.client.close()
            stage = try Self.open(settings, layout, in: environment)
            do throws(SessionError) { try begin() } catch {
                abandon()
                throw error
            }
            restore(former.links, of: former.name)
            environment.tell(.ready)
        } catch {
            end(with: error)
        }
    }

    /// Tells the person at the terminal.
    func note(_ text: String) { environment.tell(.note(text)) }
}
