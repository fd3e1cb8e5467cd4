import AudioIO
import Desk
import Gate
import Loading
import MotionLogs
import Signal
import Synchronization
import Takes
import Trackers

/// Recordings of a session: the binaural output, takes by command included, and the logs of poses and motion.
///
/// Called on the session's actor only. Keeps no driver and no stage beyond a call. Playback does not depend on the
/// recordings.
final class SessionTakes {
    /// State of takes by command.
    struct Taking {
        /// Path of the last take.
        var last: String?
        /// Whether the present take was started by command: such a take never replaces a file.
        var isByCommand = false
        /// Task that completes a take; nil without one.
        var completing: Task<Result<Recorder.Summary?, SoundFileError>, Never>?
    }

    /// Files of the present recordings, also of those in `ended`: binaural output, poses and motion; nil without one.
    var files: (ears: String?, poses: String?, motion: String?)
    /// Reasons why recordings ended before the session, by file.
    var ended: [String: String] = [:]
    /// Frames of sound that could not be written in time.
    private(set) var lostFrames = 0
    /// State of takes by command.
    private(set) var taking: Taking
    /// The open logs.
    var logs: (poses: PoseRecorder?, motion: MotionRecorder?)
    /// Tracker samples since the last entry of the motion log; nil if motion is not recorded.
    let trackerEvents: MotionBuffer?
    /// Tracker settings for the header of motion logs.
    let tracking: TrackingSettings
    /// Existing files that recordings may replace.
    let replacement: Replacement
    let environment: SessionEnvironment

    /// Creates the recordings without opening a file. `former`: state left by the session that this one replaces.
    init(
        _ settings: LiveSettings, _ trackerEvents: MotionBuffer?, after former: FormerSession?,
        in environment: SessionEnvironment
    ) {
        files = (settings.record, settings.recordPoses, settings.recordMotion)
        taking = Taking(last: former?.take.file, isByCommand: former?.take.isByCommand ?? false)
        self.trackerEvents = trackerEvents
        (tracking, replacement) = (settings.tracking, settings.replacement)
        self.environment = environment
    }

    /// Checks the files of the recordings before anything is opened. No file is replaced unless allowed. Cut-off takes
    /// under these names are recovered, and noted at once, as the session may still fail to start.
    static func prepare(_ settings: LiveSettings, tell: (String) -> Void) throws(SessionError) {
        let paths = [settings.record, settings.recordPoses, settings.recordMotion].compactMap(\.self)
        if let (first, second) = OutputPlace.collision(paths) {
            throw SessionError(
                .usage, "two recordings cannot go into one file, \(first)\(first == second ? "" : " and \(second)")")
        }
        for path in paths {
            // A device or a pipe needs no check, and nothing is recovered.
            guard path != settings.record || OutputPlace(path).occupant != .device else { continue }
            try recover(path, tell: tell)
            do throws(TakeError) { try TakeFile.check(path, replaces: settings.replacement.covers(path)) } catch {
                throw SessionError(error)
            }
        }
    }

    /// Recovers a cut-off take, and its markers, under the name of a new recording.
    private static func recover(_ path: String, tell: (String) -> Void) throws(SessionError) {
        for path in [path, MarkerLabels.path(of: path)] {
            do throws(SoundFileError) {
                if let recovered = try RecoveredTake(beside: path) { tell(recovered.line) }
            } catch {
                throw SessionError(error)
            }
        }
    }

    func note(_ text: String) { environment.tell(.note(text)) }

    /// Notes that a recording ended before the session, and sends the event. Playback continues.
    func end(_ file: String, _ reason: String) {
        guard ended.updateValue(reason, forKey: file) == nil else { return }
        environment.desk.events.tell(.recordingEnded(file: file, reason: reason))
        note(reason)
    }

    /// Notes the number of frames lost so far because the disk is too slow.
    func lose(_ frames: Int) {
        lostFrames = frames
        note("recording: \(frames) frames lost so far; the disk is too slow")
    }

    /// Ends the recording of sound with an error. A take that is being completed reports its own result.
    func fail(_ error: SoundFileError) { if let file = files.ears { end(file, error.description) } }

    /// State of the takes for a session that replaces this one.
    var left: (file: String?, isOn: Bool, isByCommand: Bool) {
        (files.ears ?? taking.last, files.ears != nil, taking.isByCommand)
    }

    // MARK: With a driver

    /// Starts to record the output of a newly activated driver, if a recording is requested. Throws an error only at
    /// the first start of a session; later, playback continues without the recording.
    func beginSound(of client: any StageDriver, waitsForStart: Bool, isFirst: Bool) throws(SessionError) {
        guard let path = files.ears else { return }
        do throws(SoundFileError) {
            try client.record(
                to: path, waitsForStart: waitsForStart, replaces: replacement.covers(path) && !taking.isByCommand)
        } catch {
            guard !isFirst else { throw SessionError(error) }
            end(path, SessionError(error).description)
        }
    }

    /// Completes the recordings. Returns the first fault, or nil. A recording that ended early counts as a fault,
    /// because it is incomplete.
    func finish(_ stage: LiveStage) -> SessionError? {
        let failures = ended.values.sorted().map { SessionError(.environment, $0) } + complete(stage)
        for failure in failures.dropFirst() { note(failure.description) }
        return failures.first
    }

    /// Returns when the take that is being completed is complete.
    func whenComplete(isolation: isolated (any Actor) = #isolation) async { _ = await taking.completing?.value }

    /// Completes the recordings of a driver that will be replaced, and selects the next free file names for the next
    /// driver.
    func goOnElsewhere(after stage: LiveStage) {
        for failure in complete(stage) { note(failure.description) }
        files = (next(after: files.ears), next(after: files.poses), next(after: files.motion))
    }

    /// Returns the file in which a recording is continued; nil if the recording has ended, or ends here because no name
    /// is free.
    func next(after path: String?) -> String? {
        guard let path, ended[path] == nil else { return nil }
        guard let free = TakeName.next(after: path) else {
            end(path, TakeError.stopped(path: path, reason: TakeName.exhaustion).description)
            return nil
        }
        note("the recording so far is in \(path); the recording continues in \(free)")
        return free
    }

    /// Completes the recordings. Returns their faults.
    private func complete(_ stage: LiveStage) -> [SessionError] {
        var failures: [SessionError] = []
        do throws(SoundFileError) {
            let summary = try stage.client.stopRecording { note("waiting for the disk, to complete \($0)") }
            if let summary {
                if let path = summary.path, path != files.ears {
                    note("there was a \(files.ears ?? ""); the recording is \(path)")
                }
                if summary.droppedFrames > 0 {
                    let file = summary.path ?? "the recording"
                    failures.append(
                        SessionError(
                            .environment, "\(file) lacks \(summary.droppedFrames) frames: the disk was too slow"))
                }
            }
        } catch {
            // A fault may have been noted already.
            if !ended.values.contains(error.description) { failures.append(SessionError(error)) }
        }
        return failures + completeLogs(of: stage)
    }

    /// Removes the recordings of a session that failed to start.
    func discard(_ client: any StageDriver) {
        client.discardRecording()
        logs.poses?.discard()
        logs.motion?.discard()
        logs = (nil, nil)
    }
}

/// Takes of the binaural output, started and ended while a session plays.
extension SessionTakes {
    /// File into which the outputs are recorded; nil while they are not.
    var take: String? { files.ears.flatMap { ended[$0] == nil ? $0 : nil } }

    /// Carries out a command of the recording. `isHere`: whether the server runs.
    func perform(
        _ command: SessionCommand.Recording, of client: any StageDriver, isHere: Bool,
        isolation: isolated (any Actor) = #isolation
    ) async -> SessionReply {
        switch command {
        case .start(let file): return start(file, of: client, isHere: isHere)
        case .stop: return await stop(client, isHere: isHere)
        case .turn(let wanted):
            let isOn = take != nil
            if wanted ?? !isOn == isOn { return .done }
            return isOn ? await stop(client, isHere: isHere) : start(nil, of: client, isHere: isHere)
        case .marker(let name): return mark(name, client)
        }
    }

    private func start(_ file: String?, of client: any StageDriver, isHere: Bool) -> SessionReply {
        guard isHere else { return .refused("the JACK server is gone; record when it is back") }
        if let take { return .refused("\(take) is being recorded; 'record stop' completes it") }
        guard taking.completing == nil else { return .refused("the last take is being completed; ask again") }
        do throws(SessionError) {
            let wanted: String
            if let known = file ?? taking.last ?? files.ears { wanted = known } else { wanted = try firstTake }
            try Self.recover(wanted) { note($0) }
            let name = try begin(wanted, of: client)
            files.ears = name
            // An earlier take of that name may have ended early. That was reported, and does not concern this take.
            ended[name] = nil
            (taking.last, taking.isByCommand, lostFrames) = (name, true, 0)
            return .recording(status(name, client))
        } catch {
            return .refused(error.description)
        }
    }

    /// Path of the first take if the command names none, in the folder of recordings.
    private var firstTake: String {
        get throws(SessionError) {
            do throws(PathRefusal) {
                return try environment.desk.commands.gate.take(SessionCommand.Recording.usualFile, from: .network)
            } catch {
                throw SessionError(.environment, error.description)
            }
        }
    }

    /// Starts a take under a name, or under the next free one; returns the name.
    private func begin(_ wanted: String, of client: any StageDriver) throws(SessionError) -> String {
        var name = wanted
        // Another program may take a name between the check and the opening, but hardly sixteen times in a row.
        for _ in 0..<16 {
            if !TakeName.isFree(name) || TakeFile.exists(MarkerLabels.path(of: name)) {
                guard let free = TakeName.next(after: name) else { break }
                name = free
            }
            do throws(SoundFileError) {
                try client.record(to: name, waitsForStart: false, replaces: false)
                return name
            } catch {
                switch error {
                case .exists, .beingRecorded, .cutOff: continue
                default: throw SessionError(error)
                }
            }
        }
        throw SessionError(.environment, "there is no free name for a take of \(wanted)")
    }

    private func stop(
        _ client: any StageDriver, isHere: Bool, isolation: isolated (any Actor) = #isolation
    ) async -> SessionReply {
        guard let path = files.ears else { return .refused("nothing is recorded") }
        var status = status(path, client)
        files.ears = nil
        taking.last = path
        // The recording was completed when the server was lost.
        guard isHere else { return .done }
        let completing = Self.completing(client)
        taking.completing = completing
        let outcome = await completing.value
        taking.completing = nil
        switch outcome {
        case .success(let summary):
            status.seconds = summary.map { client.sampleRate.seconds(frames: $0.frames) }
            guard let file = summary?.path else {
                status.ended = "nothing was recorded, and there is no file"
                return .recording(status)
            }
            if file != path { note("there was a \(path); the recording is \(file)") }
            status.file = file
            if let lost = summary?.droppedFrames, lost > 0 {
                status.lost = lost
                note("\(file) lacks \(lost) frames: the disk was too slow")
            }
        case .failure(let error):
            end(path, error.description)
            status.ended = ended[path]
        }
        return .recording(status)
    }

    /// Completes a driver's recording on a thread of its own: a disk may be slow.
    private static func completing(
        _ client: any StageDriver
    ) -> Task<Result<Recorder.Summary?, SoundFileError>, Never> { Task { await completion(of: client) } }

    private static func completion(of client: any StageDriver) async -> Result<Recorder.Summary?, SoundFileError> {
        let complete: @Sendable () -> Result<Recorder.Summary?, SoundFileError> = {
            do throws(SoundFileError) { return .success(try client.stopRecording { _ in }) } catch {
                return .failure(error)
            }
        }
        return switch await Worker.beside("recording's end", complete) {
        case .success(let outcome): outcome
        // If no thread is available, the completion blocks the session, because losing the take would be worse.
        case .failure: complete()
        }
    }

    private func mark(_ name: String?, _ client: any StageDriver) -> SessionReply {
        guard let take, let recorder = client.recorder else {
            return .refused("nothing is recorded that could have a marker; 'record start' begins a take")
        }
        let heard = client.frameTime &- UInt32(clamping: client.playbackLatency)
        do throws(SoundFileError) {
            guard try recorder.mark(name, atClock: heard) != nil else {
                return .refused("\(take) has \(Recorder.mostMarkers) markers, and room for no more")
            }
            return .recording(status(take, client))
        } catch {
            return .refused(error.description)
        }
    }
}
