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

/// Plays files through a stage and its driver: a player of its own feeds a session as any other client would.
///
/// The player's first frame is the session's stream time 0: what is heard is, sample for sample, what `render` makes of
/// the file, as long as there is no seek, pause or turn of the head.
package actor PreviewSession {
    /// An act that plays.
    private struct Playing {
        var act: Int
        var live: LiveSession
        var player: FilePlayer
    }

    /// What was asked for.
    package let settings: PreviewSettings
    private let environment: SessionEnvironment
    private let list: PreviewList
    private var playing: Playing?
    private var loops: Bool
    private var gain = 0.0
    /// Whether the user paused it; whether it waits because the ears are muted.
    private var holds = (byUser: false, whileMuted: false)
    private var isEnding = false
    /// Stages built so far: each records into a file of its own.
    private var take = 0
    /// Where to go on after this act: file and seconds; nil: the act goes on.
    private var next: (file: Int, seconds: Double)?
    /// What the last act left to the next: what was set, and the trackers.
    private var former: FormerSession?
    /// Underruns and such of acts that are over.
    private var before = (underruns: 0, missed: 0, nonFinite: 0, skipped: 0)

    /// Looks into the files; nothing plays yet. Each act's session stands in `environment`.
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

    /// Plays until the end, or until asked to quit. Reports each act's session as it begins.
    ///
    /// - Parameter begins: told what is playing; the session may be given to a control server.
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
                // A recording that is not whole is told at the end: the next file plays.
                guard next != nil, !isEnding else { throw unfinished ?? error }
                unfinished = unfinished ?? error
                environment.tell(.note((error as? SessionError)?.description ?? "\(error)"))
            }
            place = next
        }
        if let unfinished { throw unfinished }
    }

    /// Builds the stage for a file and lets it begin.
    private func open(_ file: Int, seconds: Double) async throws(SessionError) -> LiveSession {
        let act = list.act(of: file)
        var wanted = settings.live
        wanted.programme = list.acts[act].layout
        wanted.metadata = list.acts[act].metadata
        if let note = wanted.stage.programmes.upmix.follow(wanted.metadata?.known) {
            environment.tell(.note("\(list.entries[file].path): \(note)"))
        }
        // A seek leaves the stage's time as it was: the file's is followed here.
        wanted.stage.programmes.camera = nil
        wanted.record = nextTake()
        // What was begun by command replaces nothing.
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

    /// Has a player and the stage begin on the same frame, a little ahead. Where the machine stands still until that
    /// frame has gone by, another player takes the first one's place, which may be on its way already, and more time is
    /// left.
    private func begin(_ live: LiveSession, act: Int, file: Int, seconds: Double) async throws {
        // Time enough for every client's next period, and for the first frames to be read.
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
            // What comes of another rate is seen to where what plays is watched.
            if await live.isOutrun { return }
            playing = nil
        }
        throw SessionError(
            .environment,
            "the stage could not begin in time, even with eight seconds to do so; is the machine overloaded?")
    }

    /// Returns when the act is over.
    private func watch() async throws(SessionError) {
        guard let playing else { return }
        let rate = playing.player.sampleRate
        let tail = rate.seconds(frames: await playing.live.ringOutFrames) + 0.1
        var ended: Int64?
        while !isEnding, next == nil {
            if let failure = playing.player.failure { throw SessionError(failure) }
            if await playing.live.isOutrun {
                // At the server's new rate another stage and another player go on here.
                let (status, files) = (playing.player.status, list.acts[playing.act].files)
                next = (files.lowerBound + status.file, max(0, min(status.seconds, status.duration - 0.1)))
                break
            }
            if playing.player.serverIsGone { throw SessionError(.environment, "the JACK server is gone") }
            // A file can wait: nothing of it is missed while the headphones are gone.
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
                // The filters ring out, counted in stream time: in freewheel that is soon over.
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
                await playing.live.soundField?.turnCamera(camera, fileSeconds: playing.player.status.seconds)
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
        former = await done.live.remains
        try await done.live.end(keepsTrackers: true)
    }

    /// Ends the preview.
    package func quit() { isEnding = true }

    /// Carries out what a door asks: of the files here, all else by the session that plays them.
    ///
    /// - Parameter live: the session that the door speaks to; where another plays by now, or none yet, nothing but an
    ///   end is done, and the phase is told.
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
        enterPlayer(playing)
        // Told when it is in force, as everything is.
        await playing.live.enterState()
        return .done
    }

    /// Has what plays stand in the state.
    private func enterPlayer(_ playing: Playing) {
        let status = playing.player.status
        let file = list.acts[playing.act].files.lowerBound + status.file
        environment.desk.player.enter(
            (list.entries[file].path, file + 1, list.entries.count), seconds: status.seconds,
            duration: status.duration, isPaused: holds.byUser, loops: loops, gain: gain)
    }

    /// Carries out a command; those that make no sense at the moment do nothing.
    private func perform(_ command: PlayerCommand, in playing: Playing) async {
        let (player, live) = (playing.player, playing.live)
        let files = list.acts[playing.act].files
        let status = player.status
        switch command {
        case .seek(let seconds):
            player.jump(toFile: status.file, seconds: max(0, min(status.duration, status.seconds + seconds)))
        case .go(to: let seconds): player.jump(toFile: status.file, seconds: max(0, min(status.duration, seconds)))
        case .skip(let count):
            // Back goes to the file's own beginning first, as players do.
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
                // The user wants to hear it, wherever the ears go now.
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

    /// Where the next stage records; nil where it does not, as where the last did not any more.
    private func nextTake() -> String? {
        guard let take = former?.take else { return settings.live.record.map { nextTake($0) } }
        guard take.isOn, let file = take.file else { return nil }
        return take.isByCommand ? TakeName.next(after: file) : settings.live.record.map { nextTake($0) }
    }

    /// `ears.wav`, then `ears-2.wav`, `ears-3.wav` and so on, without those that are there unless they are to be
    /// replaced.
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

    /// The state at this moment; nil between acts.
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

    /// Remarks at the end, a line each; empty where all went well.
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
    /// Turns the camera of a sound field's mix to where it looked when what is heard of the file now was recorded.
    fileprivate func turnCamera(_ path: CameraPath, fileSeconds: Double) {
        guard programme.mix != nil else { return }
        let view = path.view(at: fileSeconds - sampleRate.seconds(frames: latencyFrames))
        guard controls.mix.view != view else { return }
        change { $0.mix.view = view }
    }
}
