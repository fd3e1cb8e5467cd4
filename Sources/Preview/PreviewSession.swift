import AudioIO
import AudioMix
import Desk
import Foundation
import Loading
import Rendering
import Session
import Signal
import Soundstage
import Stages
import Takes
import Trackers

/// Plays files through a stage and its driver. A player, which is a JACK client of its own, feeds the session.
///
/// The player's first frame is at the session's stream time 0. Without seeks, pauses and head movements, the output
/// therefore equals that of `render` for the file, sample by sample.
package actor PreviewSession {
    /// The act that plays: successive files with one stage.
    private struct Playing {
        var act: Int
        var live: LiveSession
        var player: FilePlayer
    }

    /// Settings of the preview.
    package let settings: PreviewSettings
    private let environment: SessionEnvironment
    private let list: PreviewList
    private var playing: Playing?
    private var loops: Bool
    private var gain = 0.0
    /// Pause by the user, and pause while the outputs are muted.
    private var holds = (byUser: false, whileMuted: false)
    private var isEnding = false
    /// Number of file names that recordings have used or skipped. Each stage records into a file of its own.
    private var take = 0
    /// File, and position in seconds, at which the next act begins; nil while this act goes on.
    private var next: (file: Int, seconds: Double)?
    /// State that the last act left to the next: set values, plugins and trackers.
    private var former: FormerSession?
    /// Numbers of faults in completed acts.
    private var before = (underruns: 0, missed: 0, nonFinite: 0, skipped: 0)

    /// Checks the files; nothing plays yet. Each act's session uses `environment`.
    package init(
        _ settings: PreviewSettings, in environment: SessionEnvironment = SessionEnvironment()
    ) throws(SessionError) {
        self.settings = settings
        self.environment = environment
        list = try PreviewList(settings)
        loops = settings.loops
        holds.byUser = settings.startsPaused
    }

    /// Remarks about the files, a line each.
    package var remarks: [String] { list.remarks }

    /// Plays until the end, or until `quit`.
    ///
    /// - Parameter begins: called with each act's session as it starts, for use by a control server.
    package func play(begins: @Sendable (LiveSession) async throws -> Void) async throws {
        do {
            try await playActs(begins)
        } catch {
            await former?.feed.stop()
            throw error
        }
        await former?.feed.stop()
    }

    private func playActs(_ begins: @Sendable (LiveSession) async throws -> Void) async throws {
        var place: (file: Int, seconds: Double)? = (0, settings.from)
        var unfinished: (any Error)?
        while let here = place, !isEnding {
            next = nil
            let live = try await open(here.file, seconds: here.seconds)
            do {
                try await begins(live)
                try await watch()
            } catch {
                try? await close()
                throw error
            }
            do { try await close() } catch {
                // An incomplete recording is an error only at the end; the next file still plays.
                guard next != nil, !isEnding else { throw unfinished ?? error }
                unfinished = unfinished ?? error
                environment.tell(.note((error as? SessionError)?.description ?? "\(error)"))
            }
            place = next
        }
        if let unfinished { throw unfinished }
    }

    /// Builds the stage for a file and starts it.
    private func open(_ file: Int, seconds: Double) async throws(SessionError) -> LiveSession {
        let act = list.act(of: file)
        var wanted = settings.live
        wanted.programme = list.acts[act].layout
        wanted.metadata = list.acts[act].metadata
        if let note = wanted.stage.programmes.upmix.follow(wanted.metadata?.known) {
            environment.tell(.note("\(list.entries[file].path): \(note)"))
        }
        if list.sparesUpmix(act, wanted.stage.programmes.upmix) {
            wanted.stage.programmes.upmix.mode = nil
            environment.tell(
                .note(
                    "\(list.entries[file].path): \(wanted.programme?.name ?? "it") is played as it is; the upmix is for stereo and mono"
                ))
        }
        // A seek does not change the stage's stream time. Therefore `watch` turns the camera by the file's time.
        wanted.stage.programmes.camera = nil
        wanted.record = nextTake()
        // A recording that was started by a command replaces no file.
        if former?.take.isByCommand == true { wanted.replacement = .nothing }
        wanted.start = .onRequest
        let live = try await LiveSession(wanted, in: environment, after: former, followsRate: false)
        do {
            try await begin(live, act: act, file: file, seconds: seconds)
        } catch {
            playing = nil
            try? await live.end()
            throw (error as? SoundFileError).map { SessionError($0) } ?? (error as? JACKError).map { SessionError($0) }
                ?? (error as? SessionError) ?? SessionError(.environment, "\(error)")
        }
        return live
    }

    /// Starts a player and the stage on the same frame, half a second ahead. If that frame passes before the stage is
    /// ready, a new player is opened with twice the time, up to 8 s.
    private func begin(_ live: LiveSession, act: Int, file: Int, seconds: Double) async throws {
        // The lead must cover every client's next period, and the reading of the first frames.
        for lead in [0.5, 1, 2, 4, 8] {
            let player = try environment.server.openPlayer(
                Array(list.entries[list.acts[act].files]), name: settings.live.name + "-player",
                firstFile: file - list.acts[act].files.lowerBound, seconds: seconds)
            try player.connect(to: await live.clientName)
            player.setGain(Decibels(gain))
            player.pause(holds.byUser || holds.whileMuted)
            player.setLoop(loops && list.acts.count == 1)
            playing = Playing(act: act, live: live, player: player)
            let frame = player.cycle(after: lead)
            player.play(atFrame: frame)
            if try await live.begins(atFrame: frame) { return }
            // A change of the sample rate is handled in `watch`.
            if await live.isOutrun { return }
            playing = nil
        }
        throw SessionError(
            .environment,
            "the stage could not begin in time, even with eight seconds to do so; is the machine overloaded?")
    }

    /// Returns at the end of the act.
    private func watch() async throws(SessionError) {
        guard let playing else { return }
        let rate = playing.player.sampleRate
        let tail = rate.seconds(frames: await playing.live.ringOutFrames) + 0.1
        var ended: Int64?
        while !isEnding, next == nil {
            if let failure = playing.player.failure { throw SessionError(failure) }
            if await playing.live.isOutrun {
                // Another stage and player go on at the server's new sample rate.
                let (status, files) = (playing.player.status, list.acts[playing.act].files)
                next = (files.lowerBound + status.file, max(0, min(status.seconds, status.duration - 0.1)))
                break
            }
            if playing.player.serverIsGone { throw SessionError(.environment, "the JACK server is gone") }
            // A file is paused while the headphones are disconnected.
            let isHeld = await playing.live.isHeld
            if isHeld != holds.whileMuted {
                holds.whileMuted = isHeld
                playing.player.pause(holds.byUser || holds.whileMuted)
            }
            if await playing.live.hasEnded {
                try await playing.live.waitForEnd()
                isEnding = true
            }
            if playing.player.status.hasEnded {
                // The decay of the filters is counted in stream time, which passes quickly in freewheel.
                let now = await playing.live.status().streamFrame
                let since = ended ?? now
                ended = since
                if rate.seconds(frames: Int(now - since)) >= tail {
                    let following = list.acts[playing.act].files.upperBound
                    guard following < list.entries.count || loops else { return }
                    next = (following % list.entries.count, 0)
                }
            } else {
                ended = nil
            }
            enterPlayer(playing)
            if let camera = settings.live.stage.programmes.camera {
                await playing.live.lead?.turnCamera(camera, fileSeconds: playing.player.status.seconds)
            }
            await environment.clock.pause(0.02)
        }
    }

    private func close() async throws {
        guard let done = playing else { return }
        playing = nil
        environment.desk.player.leave()
        let status = done.player.status
        before.underruns += status.underruns
        before.missed += status.missedFrames
        before.nonFinite += status.nonFiniteSamples
        before.skipped += await done.live.status().skippedFrames
        former = await done.live.remains(withPlugins: next != nil && !isEnding)
        try await done.live.end(keepsTrackers: true)
    }

    /// Requests the end of the preview.
    package func quit() { isEnding = true }

    /// Carries out a command: here if it is about the files, otherwise in the session that plays them.
    ///
    /// - Parameter live: session that the control interface addresses. If this session does not play, only `quit` is
    ///   carried out. The reply to any other command states the phase.
    package func perform(_ command: SessionCommand, in live: LiveSession?) async -> SessionReply {
        if case .quit = command {
            quit()
            return .done
        }
        guard let playing, playing.live === live else {
            return environment.desk.phase.answer(to: command, in: isEnding ? .ending : .starting)
        }
        guard case .preview(let request) = command else { return await playing.live.perform(command) }
        await perform(request, in: playing)
        enterPlayer(playing, hasJumped: request.moves)
        // The reply follows once the command is in force.
        await playing.live.enterState()
        return .done
    }

    /// Publishes the state of the player.
    private func enterPlayer(_ playing: Playing, hasJumped: Bool = false) {
        let status = playing.player.status
        let file = list.acts[playing.act].files.lowerBound + status.file
        environment.desk.player.enter(
            (list.entries[file].path, file + 1, list.entries.count), seconds: status.seconds,
            duration: status.duration, isPaused: holds.byUser, loops: loops, gain: gain, hasJumped: hasJumped)
    }

    /// Carries out a player command. A skip beyond the last file is ignored, unless the list repeats.
    private func perform(_ command: SessionCommand.Player, in playing: Playing) async {
        let (player, live) = (playing.player, playing.live)
        let files = list.acts[playing.act].files
        let status = player.status
        switch command {
        case .seek(let seconds):
            player.jump(toFile: status.file, seconds: max(0, min(status.duration, status.seconds + seconds)))
        case .go(to: let seconds): player.jump(toFile: status.file, seconds: max(0, min(status.duration, seconds)))
        case .skip(let count):
            // After the first 3 s of a file, skipping back goes to the start of this file first.
            let isRestart = count < 0 && status.seconds > 3
            let request = files.lowerBound + status.file + (isRestart ? count + 1 : count)
            let target =
                loops ? (request % list.entries.count + list.entries.count) % list.entries.count : max(0, request)
            guard target < list.entries.count else { return }
            if files.contains(target) {
                player.jump(toFile: target - files.lowerBound, seconds: 0)
            } else {
                next = (target, 0)
            }
        case .pause(let wanted):
            holds.byUser = wanted ?? !(holds.byUser || holds.whileMuted)
            if !holds.byUser {
                // A resume by the user also ends the pause and the muting after a lost connection.
                holds.whileMuted = false
                _ = await live.perform(.playback(.resume))
            }
            player.pause(holds.byUser || holds.whileMuted)
        case .loop(let wanted):
            loops = wanted ?? !loops
            player.setLoop(loops && list.acts.count == 1)
        case .gain(let change):
            gain = max(-60, min(20, gain + change))
            player.setGain(Decibels(gain))
        }
    }

    /// Returns the file of the next stage's recording; nil if there is none, if the recording ended during the last
    /// act, or if no name is free.
    private func nextTake() -> String? {
        guard let take = former?.take else { return settings.live.record.map { nextTake($0) } }
        guard take.isOn, let file = take.file else { return nil }
        guard take.isByCommand else { return settings.live.record.map { nextTake($0) } }
        let free = TakeName.next(after: file)
        if free == nil {
            environment.tell(.note(TakeError.stopped(path: file, reason: TakeName.exhaustion).description))
        }
        return free
    }

    /// Returns `ears.wav`, then `ears-2.wav`, `ears-3.wav` and so on. Skips names of files that must not be replaced.
    private func nextTake(_ path: String) -> String {
        defer { take += 1 }
        guard take > 0 else { return path }
        while case let name = TakeName.numbered(path, take + 1), TakeFile.exists(name),
            !settings.live.replacement.covers(name)
        {
            take += 1
        }
        return TakeName.numbered(path, take + 1)
    }

    /// The session that plays; nil between acts.
    var live: LiveSession? { playing?.live }

    /// Returns the status at this moment; nil between acts.
    package func status() async -> PreviewStatus? {
        guard let playing else { return nil }
        let session = await playing.live.status()
        let status = playing.player.status
        let file = list.acts[playing.act].files.lowerBound + status.file
        return PreviewStatus(
            file: list.entries[file].path, number: file + 1, count: list.entries.count, seconds: status.seconds,
            duration: status.duration, isPaused: holds.byUser, loops: loops, gain: gain,
            underruns: before.underruns + status.underruns, missedFrames: before.missed + status.missedFrames,
            nonFiniteSamples: before.nonFinite + status.nonFiniteSamples, session: session)
    }

    /// Closing remarks, a line each; empty without faults.
    package var closing: [String] {
        var lines: [String] = []
        if before.underruns > 0 {
            lines.append(
                "\(before.underruns) times the file could not be read in time (\(before.missed) frames of silence); is the disk busy?"
            )
        }
        if before.skipped > 0 {
            lines.append("the JACK server skipped \(before.skipped) frames; longer periods or a quieter machine help")
        }
        if before.nonFinite > 0 { lines.append(Samples.replacement(before.nonFinite)) }
        return lines
    }
}

extension ProgrammeRenderer {
    /// Turns a mix's view to the camera's recorded direction at the file time that is heard now.
    fileprivate func turnCamera(_ path: CameraPath, fileSeconds: Double) {
        guard programme.mix != nil else { return }
        let view = path.view(at: fileSeconds - sampleRate.seconds(frames: latencyFrames))
        guard controls.mix.view != view else { return }
        change { $0.mix.view = view }
    }
}
