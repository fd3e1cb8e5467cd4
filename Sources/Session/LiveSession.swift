import AudioIO
import Foundation
import HRTF
import IMU
import Rendering
import Signal
import Soundstage

/// A running stage: JACK client, renderer, trackers, recorders; everything but the command line.
package actor LiveSession {
    /// What is opened anew when the server's rate changes.
    struct Stage {
        var client: JACKClient
        var assembly: StageAssembly
        /// What a motion log has asked of it; nil without one, or where it does not say.
        var score: [StageChange]?
    }

    /// What was asked for.
    let settings: LiveSettings
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
    /// Where the ears go, and who has the stage.
    var playback: PlaybackState
    /// What happens, for whoever watches.
    package nonisolated let events = SessionEvents()
    /// Whether the server renders as fast as it can.
    private(set) var freewheeling = false
    /// Frames the recorder could not write in time.
    private(set) var recorderLost = 0
    private var ending: SessionError?
    /// Whether the session was asked to end, or cannot go on.
    package private(set) var hasEnded = false
    private var waiting: CheckedContinuation<Void, Never>?
    private var tasks: [Task<Void, Never>] = []
    /// Those who compare the renditions of a programme, by its place.
    private(set) var watches: [Int: RenditionWatch] = [:]

    /// Opens trackers, JACK and the HRTF set, and begins to play. A second or two.
    package init(_ settings: LiveSettings) async throws(SessionError) {
        self.settings = settings
        playback = PlaybackState(policy: settings.onRouteLoss)
        if let programme = settings.programme {
            layout = programme
        } else {
            layout = try settings.stage.layout(named: settings.stage.layout ?? "stereo")
        }
        journal = settings.recordMotion == nil ? nil : MotionJournal()
        feed = try HeadPoseFeed(settings.tracking, journal: journal)
        try await feed.start()
        do throws(SessionError) {
            stage = try Self.open(settings, layout)
        } catch {
            await feed.stop()
            throw error
        }
        do throws(SessionError) {
            try await begin()
            if let words = settings.midiControl {
                let feed = self.feed
                midi = try MIDIControl(try .init(parsing: words), name: settings.name + "-control") {
                    feed.recentre(.yaw)
                }
            }
        } catch {
            for task in tasks { task.cancel() }
            endMetering()
            stage.client.close()
            await feed.stop()
            throw error
        }
    }

    /// A client and a stage at its rate, not yet playing.
    private static func open(_ settings: LiveSettings, _ layout: Layout) throws(SessionError) -> Stage {
        let client: JACKClient
        do throws(JACKError) { client = try JACKClient(name: settings.name) } catch {
            throw SessionError(error)
        }
        do throws(SessionError) {
            var poses = PoseSource.mailbox
            if let path = settings.poses { poses = try StageAssembly.poses(logAt: path) }
            var recording: MotionRecording?
            if let path = settings.motion {
                let read = try MotionRecording(contentsOf: path)
                poses = try StageAssembly.poses(read, at: path)
                recording = read
            }
            let assembly = try StageAssembly(
                settings.stage, layout: layout, sampleRate: client.sampleRate, poses: poses)
            let score = recording?.score(for: assembly.renderer.askable) ?? []
            return Stage(client: client, assembly: assembly, score: score.isEmpty ? nil : score)
        } catch {
            client.close()
            throw error
        }
    }

    /// Starts to play the present stage.
    private func begin() async throws(SessionError) {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        try beginMotion()
        holdIfLost(renderer)
        // All that is asked for is in force from the first frame.
        renderer.setRoom(on: playsRoom)
        try beginDynamics()
        repeatWishes(to: renderer)
        applyInterruptions()
        stage.score.map(renderer.follow)
        do throws(JACKError) {
            try client.activate(
                renderer: renderer,
                inputs: stage.assembly.ports, start: settings.start.policy,
                mutesOnRouteLoss: settings.onRouteLoss.mutes)
            if let pattern = settings.connectOut { try client.connectOutputs(to: pattern) }
        } catch {
            throw SessionError(error)
        }
        if let path = settings.record {
            do throws(SoundFileError) {
                try client.record(to: path, waitsForStart: settings.start != .now)
            } catch {
                throw SessionError(error)
            }
        }
        startWatches()
        feed.attach(renderer.mailbox)
        try beginMetering()
        tasks = [
            Task { [weak self] in
                for await event in client.events { await self?.handle(event) }
            },
            Task { [weak self] in
                while !Task.isCancelled {
                    await self?.tick()
                    try? await Task.sleep(for: .seconds(PlaybackState.interval))
                }
            },
        ]
    }

    /// Compares renditions where a programme has two; what compared those of a former stage ends.
    private func startWatches() {
        for watch in watches.values { watch.stop() }
        watches = [:]
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

    /// Asks the session to end; `waitForEnd` then returns.
    package func quit() { end(with: nil) }

    /// Returns when the session was asked to end; throws when it cannot go on.
    package func waitForEnd() async throws(SessionError) {
        if !hasEnded { await withCheckedContinuation { waiting = $0 } }
        if let ending { throw ending }
    }

    /// Stops playing, completes the recordings, closes everything.
    package func end() async throws(SessionError) {
        for task in tasks { task.cancel() }
        midi?.stop()
        feed.attach(nil)
        await feed.stop()
        var failure: SessionError?
        do throws(SoundFileError) {
            if let summary = try stage.client.stopRecording(), summary.droppedFrames > 0 {
                failure = SessionError(
                    .environment,
                    "\(settings.record ?? "the recording") lacks \(summary.droppedFrames) frames: the disk was too slow"
                )
            }
        } catch {
            failure = SessionError(error)
        }
        endMetering()
        stage.client.close()
        for watch in watches.values { watch.stop() }
        try recordMotion()
        try poseRecorder?.finish()
        try motionRecorder?.finish()
        if let failure { throw failure }
    }

    func end(with error: SessionError?) {
        guard !hasEnded else { return }
        hasEnded = true
        ending = error
        waiting?.resume()
        waiting = nil
    }

    /// Every 50 ms: pose record, how far ahead sound is heard, what changed.
    private func tick() {
        let client = stage.client
        // What is computed in the period to come: it begins within a period, and is heard a latency after its start.
        let period = client.periodFrames
        feed.setPlaybackLead(client.sampleRate.seconds(frames: period + max(period, client.playbackLatency)))
        do throws(SessionError) { try recordMotion() } catch { end(with: error) }
        lookAtPlayback()
    }

    private func handle(_ event: JACKEvent) async {
        switch event {
        case .periodChanged, .xrun: break
        case .periodTooLong(let frames, let limit):
            note("the JACK period is now \(frames) frames; silence until it is at most \(limit)")
        case .freewheel(let on): freewheeling = on
        case .rateChanged(let hertz): await reopen(at: hertz)
        case .connectionsChanged: connectionsChanged()
        case .routeLost(let links): routeLost(links)
        case .serverLost(let reason):
            end(with: SessionError(.environment, "the JACK server is gone: \(reason)"))
        case .recordingFailed(let error): end(with: SessionError(error))
        case .recordingOverflow(let dropped):
            recorderLost = dropped
            note("recording: \(dropped) frames lost so far; the disk is too slow")
        }
    }

    /// The server runs at another rate: a client and a stage for it take the place of the old.
    private func reopen(at hertz: Double) async {
        note("the JACK server now runs at \(Int(hertz)) Hz; the stage is prepared anew")
        do throws(SessionError) {
            guard settings.record == nil, settings.recordPoses == nil, settings.recordMotion == nil else {
                throw SessionError(
                    .environment,
                    "the JACK server's rate changed to \(Int(hertz)) Hz; a recording cannot change its rate")
            }
            let outer = tasks
            feed.attach(nil)
            endMetering()
            let former = (links: links, name: stage.client.name)
            stage.client.close()
            stage = try Self.open(settings, layout)
            try await begin()
            restore(former.links, of: former.name)
            // This runs on one of them: it ends by itself, as the closed client's events do.
            for task in outer { task.cancel() }
        } catch {
            end(with: error)
        }
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data("proscenium: \(text)\n".utf8)) }
}
