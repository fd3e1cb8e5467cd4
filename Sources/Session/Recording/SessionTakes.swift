import AudioIO
import Desk
import Gate
import Loading
import MotionLogs
import Signal
import Synchronization
import Takes
import Trackers

/// What a session records: the sound of its ears, takes by command among it, and the logs of poses and motion.
///
/// It belongs to one session and is called on its actor alone. It knows a driver or a stage for the time of a call;
/// nothing that is heard depends on it.
final class SessionTakes {
    /// What was recorded by command.
    struct Taking {
        /// The last file.
        var last: String?
        /// Whether the present one was begun by command: no file is ever replaced by it.
        var isByCommand = false
        /// One that is being completed.
        var completing: Task<Result<Recorder.Summary?, SoundFileError>, Never>?
    }

    /// Files that are recorded into: the sound of the ears, poses and motion; nil: none.
    var files: (ears: String?, poses: String?, motion: String?)
    /// Recordings that ended before the session, by their files, and why.
    var ended: [String: String] = [:]
    /// Frames of sound that could not be written in time.
    private(set) var lostFrames = 0
    /// Takes by command.
    private(set) var taking: Taking
    /// The open logs.
    var logs: (poses: PoseRecorder?, motion: MotionRecorder?)
    /// What the trackers said since motion was last recorded; nil where it is not.
    let trackerEvents: MotionBuffer?
    /// What motion logs say of the trackers.
    let tracking: TrackingSettings
    /// Which files of their names are replaced.
    let replacement: Replacement
    let environment: SessionEnvironment

    /// Nothing is open yet; `former`: what a session left whose place this one takes.
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

    /// Looks, before anything is opened, whether what is to be recorded can be: nothing is replaced unasked, and what
    /// was cut off under a name is recovered before it is recorded anew, which is told at once: the session may fail to
    /// begin yet.
    static func prepare(_ settings: LiveSettings, tell: (String) -> Void) throws(SessionError) {
        let paths = [settings.record, settings.recordPoses, settings.recordMotion].compactMap(\.self)
        if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw SessionError(.usage, "two recordings cannot go into one file, \(twice)")
        }
        for path in paths {
            // Sound is written into a device or a pipe as it is.
            guard path != settings.record || OutputPlace(path).occupant != .device else { continue }
            try recover(path, tell: tell)
            do throws(TakeError) { try TakeFile.check(path, replaces: settings.replacement.covers(path)) } catch {
                throw SessionError(error)
            }
        }
    }

    /// Recovers what was cut off under a name that is to be recorded anew, and the markers beside it.
    private static func recover(_ path: String, tell: (String) -> Void) throws(SessionError) {
        for path in [path, MarkerLabels.path(of: path)] {
            if let recovered = try RecoveredTake(beside: path) { tell(recovered.line) }
        }
    }

    func note(_ text: String) { environment.tell(.note(text)) }

    /// A recording ended before the session did: what plays plays on, and every listener of events is told.
    func end(_ file: String, _ reason: String) {
        guard ended.updateValue(reason, forKey: file) == nil else { return }
        environment.desk.events.tell(.recordingEnded(file: file, reason: reason))
        note(reason)
    }

    /// Frames were lost so far because the disk is too slow.
    func lose(_ frames: Int) {
        lostFrames = frames
        note("recording: \(frames) frames lost so far; the disk is too slow")
    }

    /// The sound cannot be recorded any more; one that is being completed says itself what becomes of it.
    func fail(_ error: SoundFileError) { if let file = files.ears { end(file, error.description) } }

    /// What another session may go on with.
    var left: (file: String?, isOn: Bool, isByCommand: Bool) {
        (files.ears ?? taking.last, files.ears != nil, taking.isByCommand)
    }

    // MARK: With a driver

    /// Begins to record the sound of a driver that was just activated. A session that plays already plays on where that
    /// fails.
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

    /// Completes what is recorded; what is not well with it, or nil. A recording that ended early is an error still: it
    /// is not what was asked for.
    func finish(_ stage: LiveStage) -> SessionError? {
        let failures = ended.values.sorted().map { SessionError(.environment, $0) } + complete(stage)
        for failure in failures.dropFirst() { note(failure.description) }
        return failures.first
    }

    /// Returns when a take that was being completed is complete.
    func whenComplete(isolation: isolated (any Actor) = #isolation) async { _ = await taking.completing?.value }

    /// Completes what is recorded of a driver that goes; it goes on with the next, in files of the next free names.
    func goOnElsewhere(after stage: LiveStage) {
        for failure in complete(stage) { note(failure.description) }
        files = (next(after: files.ears), next(after: files.poses), next(after: files.motion))
    }

    /// The file in which a recording goes on; nil where there is none.
    func next(after path: String?) -> String? {
        guard let path, ended[path] == nil else { return nil }
        let free = TakeName.next(after: path)
        note("what was recorded until now is in \(path); it goes on in \(free)")
        return free
    }

    /// Completes what is recorded; what is not well with it.
    private func complete(_ stage: LiveStage) -> [SessionError] {
        var failures: [SessionError] = []
        do throws(SoundFileError) {
            if let summary = try stage.client.stopRecording() {
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
            // One that was told already is among them.
            if !ended.values.contains(error.description) { failures.append(SessionError(error)) }
        }
        return failures + completeLogs(of: stage)
    }

    /// Removes what was recorded of a session that could not begin.
    func discard(_ client: any StageDriver) {
        client.discardRecording()
        logs.poses?.discard()
        logs.motion?.discard()
        logs = (nil, nil)
    }
}

/// Takes of the ears that are begun and ended while a session plays.
extension SessionTakes {
    /// The file that the ears are recorded into now; nil where they are not.
    var take: String? { files.ears.flatMap { ended[$0] == nil ? $0 : nil } }

    /// Carries out what is asked of the recording. `isHere`: whether the server is there.
    func perform(
        _ command: RecordCommand, of client: any StageDriver, isHere: Bool, isolation: isolated (any Actor) = #isolation
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
            // How an earlier one of that name ended was told, and is nothing of this one's.
            ended[name] = nil
            (taking.last, taking.isByCommand, lostFrames) = (name, true, 0)
            return .recording(status(name, client))
        } catch {
            return .refused(error.description)
        }
    }

    /// The file of the first take where no name is said, in the folder of recordings.
    private var firstTake: String {
        get throws(SessionError) {
            do throws(PathRefusal) {
                return try environment.desk.commands.gate.take(RecordCommand.usualFile, from: .network)
            } catch {
                throw SessionError(.environment, error.description)
            }
        }
    }

    /// Begins a take under a name, or the next that is free; the name.
    private func begin(_ wanted: String, of client: any StageDriver) throws(SessionError) -> String {
        var name = wanted
        // One of these may be taken between the look and the opening, not all.
        for _ in 0..<16 {
            if !TakeName.isFree(name) || TakeFile.exists(MarkerLabels.path(of: name)) {
                name = TakeName.next(after: name)
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
        // What was recorded before the server went is complete.
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
            do throws(SoundFileError) { return .success(try client.stopRecording()) } catch { return .failure(error) }
        }
        return switch await Beside.run("recording's end", complete) {
        case .success(let outcome): outcome
        // The take is worth more than the moment for which the session is held up.
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
