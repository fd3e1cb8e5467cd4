import AudioIO
import Foundation
import Geometry
import HRTF
import HeadTracking
import IMU
import Rendering
import Signal
import Soundstage

/// A running stage: JACK client, renderer, trackers, recorders; everything but the command line.
package actor LiveSession {
    /// What is opened anew when the server's rate changes.
    private struct Stage {
        var client: JACKClient
        var assembly: StageAssembly
    }

    private let settings: LiveSettings
    private let layout: Layout
    private let feed: HeadPoseFeed
    private var stage: Stage
    private var poseRecorder: PoseRecorder?
    private var motionRecorder: MotionRecorder?
    private let journal: MotionJournal?
    private var midi: MIDIControl?
    private var freewheeling = false
    private var recorderLost = 0
    private var ending: SessionError?
    /// Whether the session was asked to end, or cannot go on.
    package private(set) var hasEnded = false
    private var waiting: CheckedContinuation<Void, Never>?
    private var tasks: [Task<Void, Never>] = []

    /// Opens trackers, JACK and the HRTF set, and begins to play. A second or two.
    package init(_ settings: LiveSettings) async throws(SessionError) {
        self.settings = settings
        layout = try StageAssembly.layout(settings.stage.layout ?? "stereo", angles: settings.stage.angles)
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
            if let path = settings.motion {
                poses = try StageAssembly.poses(try MotionRecording(contentsOf: path), at: path)
            }
            return Stage(
                client: client,
                assembly: try StageAssembly(
                    settings.stage, layout: layout, sampleRate: client.sampleRate, poses: poses))
        } catch {
            client.close()
            throw error
        }
    }

    /// Starts to play the present stage.
    private func begin() async throws(SessionError) {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        if settings.recordPoses != nil || settings.recordMotion != nil { renderer.recordPoses(capacity: 1 << 17) }
        if let path = settings.recordPoses {
            poseRecorder = try PoseRecorder(path: path, sampleRate: client.sampleRate)
        }
        if let path = settings.recordMotion {
            motionRecorder = try MotionRecorder(
                path: path, circumstances(client), step: renderer.configuration.fadeFrames)
        }
        do throws(JACKError) {
            try client.activate(
                renderer: renderer,
                inputs: layout.loudspeakers.map { StagePort(symbol: $0.symbol, prettyName: $0.prettyName) },
                group: layout.name, start: settings.start.policy)
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
        feed.attach(renderer.mailbox)
        tasks = [
            Task { [weak self] in
                for await event in client.events { await self?.handle(event) }
            },
            Task { [weak self] in
                while !Task.isCancelled {
                    await self?.tick()
                    try? await Task.sleep(for: .milliseconds(20))
                }
            },
        ]
    }

    /// What a motion log says of this session.
    private func circumstances(_ client: JACKClient) -> MotionRecording.Circumstances {
        MotionRecording.Circumstances(
            sampleRate: client.sampleRate.hertz, slice: settings.stage.slice, period: client.periodFrames,
            layout: layout.name, hrtf: stage.assembly.report.name, head: settings.tracking.head,
            device: settings.tracking.device, yawPull: settings.tracking.yawPull)
    }

    /// Writes the poses rendered since the last call, and what the trackers said.
    private func recordMotion() throws(SessionError) {
        guard poseRecorder != nil || motionRecorder != nil else { return }
        let poses = stage.assembly.renderer.drainPoses()
        try poseRecorder?.append(poses)
        try motionRecorder?.append(poses, journal?.drain() ?? [])
    }

    /// What is playing, for the user: one fact a line.
    package var introduction: [String] {
        let report = stage.assembly.report
        var lines = [
            "stage: \(layout.name), \(layout.channelCount) inputs, JACK client '\(stage.client.name)' at "
                + "\(stage.client.sampleRate), period \(stage.client.periodFrames), slice \(settings.stage.slice)"
        ]
        lines += report.lines
        lines += [
            "levels: trim and gain \(Decibels(settings.stage.trim + settings.stage.gain)), LFE "
                + "\(Decibels(settings.stage.lfeGain)), guard \(settings.stage.limiter.rawValue)"
                + (stage.assembly.renderer.latencyFrames > 0
                    ? " (\(stage.assembly.renderer.latencyFrames) frames)" : ""),
            "head: \((settings.motion ?? settings.poses).map { "poses from \($0)" } ?? settings.tracking.head), device: \(settings.tracking.device)",
        ]
        if stage.client.name != settings.name {
            lines.append("note: the name '\(settings.name)' was taken; this client is '\(stage.client.name)'")
        }
        if stage.client.sharesName {
            lines.append("note: another client is called '\(stage.client.name)' too, which PipeWire allows; see --name")
        }
        if settings.connectOut == nil {
            lines.append("note: outputs are not connected; use --connect-out or a patchbay")
        }
        return lines
    }

    /// Carries out a command.
    package func perform(_ command: SessionCommand) async -> SessionReply {
        switch command {
        case .recentre(let axes):
            guard feed.head != nil else { return .refused("there is no head tracker to recentre") }
            return feed.recentre(axes) ? .done : .refused("the head tracker has sent nothing yet")
        case .reference(let reference): return tracking { $0.reference = reference.tracked }
        case .follow(let weights): return tracking { $0.follow = weights.vector }
        case .yawPull(let rate): return tracking { $0.yawPull = rate }
        case .start(let frame): return await start(at: frame)
        case .status: return .status(status())
        case .quit:
            quit()
            return .done
        }
    }

    /// Changes how the head is followed.
    private func tracking(_ change: (inout HeadTrackerOptions) -> Void) -> SessionReply {
        guard feed.head != nil else { return .refused("no head tracker is followed here; see --head") }
        feed.change(change)
        return .done
    }

    private func start(at frame: UInt32?) async -> SessionReply {
        do throws(JACKError) {
            // A frame ahead is waited for where the cycles pass, not here: the answer says which frame it will be.
            let started = try await stage.client.requestStart(atFrame: frame)
            return .started(frame: started, heardAt: stage.client.heardAt(frame: started))
        } catch {
            return .refused(error.description)
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
        stage.client.close()
        try recordMotion()
        try poseRecorder?.finish()
        try motionRecorder?.finish()
        if let failure { throw failure }
    }

    /// The state at this moment.
    package func status() -> SessionStatus {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        let telemetry = renderer.telemetry() ?? Telemetry()
        let pose = telemetry.headToStage
        let tracking = feed.look()
        let degrees = 180 / Double.pi
        let period = client.sampleRate.seconds(frames: max(1, telemetry.frames))
        return SessionStatus(
            client: client.name, layout: layout.name, hrtf: stage.assembly.report.name,
            sampleRate: client.sampleRate.hertz, period: client.periodFrames, slice: settings.stage.slice,
            streamFrame: Int64(telemetry.streamFrame), jackFrame: client.frameTime, heardAt: telemetry.heardAt,
            latencyFrames: renderer.latencyFrames,
            mode: settings.poses != nil || settings.motion != nil
                ? "log" : feed.head == nil ? "static" : tracking.status.mode.rawValue,
            yaw: pose.yaw * degrees, pitch: pose.pitch * degrees, roll: pose.roll * degrees,
            head: tracking.head, device: tracking.device,
            inputPeaks: (0..<layout.channelCount).map { Self.decibels(telemetry.inputMeters[$0]) },
            outputPeaks: [Self.decibels(telemetry.outputMeters.x), Self.decibels(telemetry.outputMeters.y)],
            gainReduction: Self.decibels(telemetry.guardMeter), clipped: telemetry.clippedPeriods > 0,
            nonFiniteSamples: telemetry.refusedSamples,
            load: Double(telemetry.nanoseconds) * 1e-9 / period, xruns: client.xrunCount,
            skippedFrames: client.skippedFrames,
            freewheeling: freewheeling, recorderLost: recorderLost)
    }

    /// dBFS; −200 for silence.
    private static func decibels(_ amplitude: Float) -> Double {
        max(-200, Decibels(amplitude: Double(amplitude)).value)
    }

    private func end(with error: SessionError?) {
        guard !hasEnded else { return }
        hasEnded = true
        ending = error
        waiting?.resume()
        waiting = nil
    }

    /// Every 20 ms: meters, pose record, how far ahead sound is heard.
    private func tick() {
        let client = stage.client
        // What is computed in the period to come: it begins within a period, and is heard a latency after its start.
        let period = client.periodFrames
        feed.setPlaybackLead(client.sampleRate.seconds(frames: period + max(period, client.playbackLatency)))
        do throws(SessionError) { try recordMotion() } catch { end(with: error) }
    }

    private func handle(_ event: JACKEvent) async {
        switch event {
        case .periodChanged, .xrun: break
        case .periodTooLong(let frames, let limit):
            note("the JACK period is now \(frames) frames; silence until it is at most \(limit)")
        case .freewheel(let on): freewheeling = on
        case .rateChanged(let hertz): await reopen(at: hertz)
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
            stage.client.close()
            stage = try Self.open(settings, layout)
            try await begin()
            // This runs on one of them: it ends by itself, as the closed client's events do.
            for task in outer { task.cancel() }
        } catch {
            end(with: error)
        }
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data("proscenium: \(text)\n".utf8)) }
}
