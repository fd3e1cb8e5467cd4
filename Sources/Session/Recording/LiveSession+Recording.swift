import AudioIO
import MotionLogs
import Takes

extension LiveSession {
    /// Looks, before anything is opened, whether what is to be recorded can be: nothing is replaced unasked, and what was cut off
    /// under a name is recovered before it is recorded anew, which is told at once: the session may fail to begin yet.
    static func prepareRecordings(_ settings: LiveSettings, tell: (String) -> Void) throws(SessionError) {
        let paths = [settings.record, settings.recordPoses, settings.recordMotion].compactMap(\.self)
        if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw SessionError(.usage, "two recordings cannot go into one file, \(twice)")
        }
        for path in paths {
            if let recovered = try RecoveredTake(beside: path) { tell(recovered.line) }
            do throws(TakeError) { try TakeFile.check(path, replaces: settings.replacesRecordings) } catch {
                throw SessionError(error)
            }
        }
    }

    /// A recording ended before the session did: what plays plays on, and everybody is told.
    func recordingEnded(_ file: String, _ reason: String) {
        guard endedRecordings.updateValue(reason, forKey: file) == nil else { return }
        events.tell(.recordingEnded(file: file, reason: reason))
        note(reason)
    }

    /// Completes what is recorded; what is not well with it, or nil. A recording that ended early is an error still: it is not what was
    /// asked for.
    func finishRecordings() -> SessionError? {
        var failures = endedRecordings.values.sorted().map { SessionError(.environment, $0) }
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
            if !endedRecordings.values.contains(error.description) { failures.append(SessionError(error)) }
        }
        recordMotion()
        do throws(MotionLogError) { try poseRecorder?.finish() } catch { failures.append(SessionError(error)) }
        do throws(MotionLogError) { try motionRecorder?.finish() } catch { failures.append(SessionError(error)) }
        if let journal, journal.lost > 0 {
            failures.append(
                SessionError(
                    .environment,
                    "\(settings.recordMotion ?? "the motion log") lacks \(journal.lost) samples of the trackers: "
                        + "the session was held up for too long"))
        }
        journal?.close()
        (poseRecorder, motionRecorder) = (nil, nil)
        for failure in failures.dropFirst() { note(failure.description) }
        return failures.first
    }

    /// Removes what was recorded of a session that could not begin.
    func discardRecordings() {
        stage.client.discardRecording()
        poseRecorder?.discard()
        motionRecorder?.discard()
        (poseRecorder, motionRecorder) = (nil, nil)
    }

    /// What is recorded, for whoever asks.
    var recordings: [RecordingStatus] {
        [settings.record, settings.recordPoses, settings.recordMotion].compactMap(\.self).map {
            RecordingStatus(file: $0, ended: endedRecordings[$0])
        }
    }
}

extension SessionError {
    init(_ error: TakeError) {
        switch error {
        case .exists, .beingRecorded, .cutOff: self.init(.usage, error.description)
        case .stopped, .system: self.init(.environment, error.description)
        }
    }
}
