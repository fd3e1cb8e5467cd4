import AudioIO
import Desk
import HRTF
import HeadTracking
import Loading
import MotionLogs
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Takes

extension LiveSession {
    /// Looks, before anything is opened, whether what is to be recorded can be: nothing is replaced unasked, and what
    /// was cut off under a name is recovered before it is recorded anew, which is told at once: the session may fail to
    /// begin yet.
    static func prepareRecordings(_ settings: LiveSettings, tell: (String) -> Void) throws(SessionError) {
        let paths = [settings.record, settings.recordPoses, settings.recordMotion].compactMap(\.self)
        if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw SessionError(.usage, "two recordings cannot go into one file, \(twice)")
        }
        for path in paths {
            // Sound is written into a device or a pipe as it is.
            guard path != settings.record || OutputPlace(path).occupant != .device else { continue }
            try recoverTakes(of: path, tell: tell)
            do throws(TakeError) { try TakeFile.check(path, replaces: settings.replacement.covers(path)) } catch {
                throw SessionError(error)
            }
        }
    }

    /// Recovers what was cut off under a name that is to be recorded anew, and the markers beside it.
    static func recoverTakes(of path: String, tell: (String) -> Void) throws(SessionError) {
        for path in [path, MarkerLabels.path(of: path)] {
            if let recovered = try RecoveredTake(beside: path) { tell(recovered.line) }
        }
    }

    /// A recording ended before the session did: what plays plays on, and every listener of events is told.
    func recordingEnded(_ file: String, _ reason: String) {
        guard recording.endedRecordings.updateValue(reason, forKey: file) == nil else { return }
        events.tell(.recordingEnded(file: file, reason: reason))
        note(reason)
    }

    /// Completes what is recorded; what is not well with it, or nil. A recording that ended early is an error still: it
    /// is not what was asked for.
    func finishRecordings() -> SessionError? {
        let failures =
            recording.endedRecordings.values.sorted().map { SessionError(.environment, $0) } + completeRecordings()
        for failure in failures.dropFirst() { note(failure.description) }
        return failures.first
    }

    /// Completes what is recorded; it goes on with the next driver, in files of the next free names.
    func continueRecordingsElsewhere() {
        for failure in completeRecordings() { note(failure.description) }
        settings.record = nextTake(after: settings.record)
        settings.recordPoses = nextTake(after: settings.recordPoses)
        settings.recordMotion = nextTake(after: settings.recordMotion)
    }

    /// The file in which a recording goes on; nil where there is none.
    private func nextTake(after path: String?) -> String? {
        guard let path, recording.endedRecordings[path] == nil else { return nil }
        let free = TakeName.next(after: path)
        note("what was recorded until now is in \(path); it goes on in \(free)")
        return free
    }

    /// Another stage is about to be heard: the logs of the present one are completed, and go on in files of the next
    /// free names, whose heads name the new one. The sound goes on in its file.
    func beginMotionElsewhere(of next: Stage) {
        guard recording.poseRecorder != nil || recording.motionRecorder != nil else { return }
        for failure in completeMotion() { note(failure.description) }
        settings.recordPoses = nextTake(after: settings.recordPoses)
        settings.recordMotion = nextTake(after: settings.recordMotion)
        // What it did unheard does not count.
        _ = (next.assembly.renderer.drainPoses(), next.assembly.renderer.drainTurns())
        let present = stage
        stage = next
        defer { stage = present }
        do throws(SessionError) { try beginMotion() } catch { motionEnded(error) }
    }

    /// Logs of poses and motion cannot go on.
    func motionEnded(_ error: SessionError) {
        for file in [settings.recordPoses, settings.recordMotion].compactMap(\.self) {
            recordingEnded(file, error.description)
        }
    }

    /// Has a renderer note what logs of motion are made of; before it plays.
    func armMotion(_ renderer: StageRenderer) {
        if settings.recordPoses != nil || settings.recordMotion != nil { renderer.recordPoses(capacity: 1 << 17) }
        guard settings.recordMotion != nil else { return }
        renderer.recordTurns(capacity: 1 << 17)
        renderer.recordChanges(capacity: 1 << 12)
    }

    /// Completes what is recorded; what is not well with it.
    private func completeRecordings() -> [SessionError] {
        var failures: [SessionError] = []
        do throws(SoundFileError) {
            if let summary = try stage.client.stopRecording() {
                if let path = summary.path, path != settings.record {
                    note("there was a \(settings.record ?? ""); the recording is \(path)")
                }
                if summary.droppedFrames > 0 {
                    failures.append(
                        SessionError(
                            .environment,
                            "\(summary.path ?? "the recording") lacks \(summary.droppedFrames) frames: the disk was too slow"
                        ))
                }
            }
        } catch {
            // One that was told already is among them.
            if !recording.endedRecordings.values.contains(error.description) { failures.append(SessionError(error)) }
        }
        return failures + completeMotion()
    }

    /// Completes the logs of poses and motion; what is not well with them.
    private func completeMotion() -> [SessionError] {
        var failures: [SessionError] = []
        recordMotion()
        do throws(MotionLogError) { try recording.poseRecorder?.finish() } catch {
            failures.append(SessionError(error))
        }
        do throws(MotionLogError) { try recording.motionRecorder?.finish() } catch {
            failures.append(SessionError(error))
        }
        if let journal = recording.journal, journal.lost > 0 {
            failures.append(
                SessionError(
                    .environment,
                    "\(settings.recordMotion ?? "the motion log") lacks \(journal.lost) samples of the trackers: "
                        + "the session was held up for too long"))
        }
        recording.journal?.close()
        (recording.poseRecorder, recording.motionRecorder) = (nil, nil)
        return failures
    }

    /// Removes what was recorded of a session that could not begin.
    func discardRecordings() {
        stage.client.discardRecording()
        recording.poseRecorder?.discard()
        recording.motionRecorder?.discard()
        (recording.poseRecorder, recording.motionRecorder) = (nil, nil)
    }

    /// What is recorded.
    var recordings: [RecordingStatus] {
        let others = [settings.recordPoses, settings.recordMotion].compactMap(\.self)
        let present = (settings.record.map { [$0] } ?? []) + others
        let former = recording.endedRecordings.keys.sorted().filter { !present.contains($0) }
        return (settings.record.map { [earsStatus($0)] } ?? [])
            + (others + former).map { RecordingStatus(file: $0, ended: recording.endedRecordings[$0]) }
    }
}

/// A take that was cut off, as by a power failure, and what was recovered of it.
package struct RecoveredTake: Codable, Sendable {
    /// What it was called, `NAME.part`.
    package var part: String
    /// The file it is in now, the same one where it was finished; nil: nothing had been recorded, and the `.part` is
    /// removed.
    package var path: String?
    /// Seconds of sound; nil for poses and motion.
    package var seconds: Double?

    /// For the user.
    package var line: String {
        if path == part { return "\(part) is finished: there is nothing to recover" }
        guard let path else { return "\(part), a take that was cut off before anything was recorded, is removed" }
        let length = seconds.map { $0 < 10 ? "\((10 * $0).rounded() / 10) s" : "\(Int($0)) s" }
        return
            "\(part), a take that was cut off: \(length.map { "\($0) of it are" } ?? "what was written of it is") in \(path)"
    }

    /// Ends a take that was cut off where its header says, or at its last whole line, and gives it a name of its own
    /// (`ears-recovered.wav`). Nothing is copied.
    package init(recovering part: String) throws(SessionError) {
        do throws(SoundFileError) {
            let found = try CutOffTake.recover(part)
            (self.part, path, seconds) = (part, found.path, found.seconds)
        } catch {
            throw SessionError(error)
        }
    }

    /// A file that is a whole recording already, and is left as it is; nil where it is none, or where one that was cut
    /// off lies beside it.
    package init?(finished path: String) {
        guard !path.hasSuffix(".part"), !CutOffTake.isBeside(path), let whole = CutOffTake.whole(path) else {
            return nil
        }
        (part, self.path, seconds) = (path, path, whole.seconds)
    }

    /// Recovers what was cut off under a name that is to be recorded anew; nil where nothing was.
    init?(beside path: String) throws(SessionError) {
        guard let part = CutOffTake.beside(path) else { return nil }
        try self.init(recovering: part)
    }
}

extension LiveSession {
    /// Has the renderer record what was asked to be recorded of motion, before it plays.
    func beginMotion() throws(SessionError) {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        armMotion(renderer)
        do throws(MotionLogError) {
            if let path = settings.recordPoses {
                recording.poseRecorder = try PoseRecorder(
                    path: path, sampleRate: client.sampleRate, replaces: settings.replacement.covers(path))
            }
            if let path = settings.recordMotion {
                recording.motionRecorder = try MotionRecorder(
                    path: path, circumstances(client), step: renderer.configuration.fadeFrames,
                    names: renderer.programmes.map(\.programme.name), replaces: settings.replacement.covers(path))
                recording.journal?.open()
            }
        } catch {
            throw SessionError(error)
        }
    }

    /// What a motion log says of this session.
    private func circumstances(_ client: any StageDriver) -> MotionRecording.Circumstances {
        MotionRecording.Circumstances(
            sampleRate: client.sampleRate.hertz, slice: settings.stage.slice, period: client.periodFrames,
            layout: layout.name, hrtf: stage.assembly.report.name, head: settings.tracking.head,
            device: settings.tracking.device, yawPull: settings.tracking.options.yawPull,
            room: stage.assembly.roomWord, upmix: stage.assembly.upmixWord,
            headphones: stage.assembly.headphonesWord)
    }

    /// Writes the poses rendered since the last call, and what the trackers said. A recording that cannot be written on
    /// ends.
    func recordMotion() {
        guard recording.poseRecorder != nil || recording.motionRecorder != nil else { return }
        let poses = stage.assembly.renderer.drainPoses()
        do throws(MotionLogError) { try recording.poseRecorder?.append(poses) } catch {
            recording.poseRecorder = nil
            recordingEnded(settings.recordPoses ?? "", error.description)
        }
        // Poses first: what was asked for and expected before them is there by then.
        let turns = stage.assembly.renderer.drainTurns()
        let changes = stage.assembly.renderer.drainChanges()
        do throws(MotionLogError) {
            try recording.motionRecorder?.append(
                poses, recording.journal?.drain() ?? [], changes, turns, plugins: stage.assembly.plugins.recorded,
                headphones: stage.assembly.headphonesWord)
        } catch {
            recording.motionRecorder = nil
            recording.journal?.close()
            recordingEnded(settings.recordMotion ?? "", error.description)
        }
    }
}
