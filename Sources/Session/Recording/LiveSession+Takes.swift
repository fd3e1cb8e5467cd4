import AudioIO
import Desk
import Foundation
import Gate
import Loading
import Signal
import Stages
import Takes

/// Takes of the ears that are begun and ended while a session plays. What is heard knows nothing of it.
extension LiveSession {
    /// What became of takes so far.
    struct Taking {
        /// The last file.
        var last: String?
        /// Whether the present one was begun by command: no file is ever replaced by it.
        var isByCommand = false
        /// One that is being completed.
        var completing: Task<Result<Recorder.Summary?, SoundFileError>, Never>?
    }

    /// The file that the ears are recorded into now; nil where they are not.
    var take: String? { settings.record.flatMap { recording.endedRecordings[$0] == nil ? $0 : nil } }

    /// Carries out what is asked of the recording.
    func perform(_ command: RecordCommand) async -> SessionReply {
        switch command {
        case .start(let file): return startTake(file)
        case .stop: return await stopTake()
        case .turn(let wanted):
            let isOn = take != nil
            if wanted ?? !isOn == isOn { return .done }
            return isOn ? await stopTake() : startTake(nil)
        case .marker(let name): return mark(name)
        }
    }

    private func startTake(_ file: String?) -> SessionReply {
        guard outage == nil else { return .refused("the JACK server is gone; record when it is back") }
        if let take { return .refused("\(take) is being recorded; 'record stop' completes it") }
        guard recording.taking.completing == nil else { return .refused("the last take is being completed; ask again") }
        do throws(SessionError) {
            let wanted: String
            if let known = file ?? recording.taking.last ?? settings.record {
                wanted = known
            } else {
                wanted = try firstTake
            }
            try Self.recoverTakes(of: wanted) { note($0) }
            let name = try beginTake(wanted)
            settings.record = name
            // How an earlier one of that name ended was told, and is nothing of this one's.
            recording.endedRecordings[name] = nil
            (recording.taking.last, recording.taking.isByCommand, recording.recorderLost) = (name, true, 0)
            return .recording(earsStatus(name))
        } catch {
            return .refused(error.description)
        }
    }

    /// The file of the first take where no name is said, in the folder of recordings.
    private var firstTake: String {
        get throws(SessionError) {
            let gate = environment.desk.commands.gate
            do throws(PathRefusal) { return try gate.take(RecordCommand.usualFile, from: .network) } catch {
                throw SessionError(.environment, error.description)
            }
        }
    }

    /// Begins a take under a name, or the next that is free; the name.
    private func beginTake(_ wanted: String) throws(SessionError) -> String {
        var name = wanted
        // One of these may be taken between the look and the opening, not all.
        for _ in 0..<16 {
            if !TakeName.isFree(name) || TakeFile.exists(MarkerLabels.path(of: name)) {
                name = TakeName.next(after: name)
            }
            do throws(SoundFileError) {
                try stage.client.record(to: name, waitsForStart: false, replaces: false)
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

    private func stopTake() async -> SessionReply {
        guard let path = settings.record else { return .refused("nothing is recorded") }
        var status = earsStatus(path)
        settings.record = nil
        recording.taking.last = path
        // What was recorded before the server went is complete.
        guard outage == nil else { return .done }
        let client = stage.client
        let completing = Task { await Self.completion(of: client) }
        recording.taking.completing = completing
        let outcome = await completing.value
        recording.taking.completing = nil
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
            return .recording(status)
        case .failure(let error):
            recordingEnded(path, error.description)
            status.ended = recording.endedRecordings[path]
            return .recording(status)
        }
    }

    /// Completes a driver's recording on a thread of its own: a disk may be slow.
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

    private func mark(_ name: String?) -> SessionReply {
        guard let take, let recorder = stage.client.recorder else {
            return .refused("nothing is recorded that could have a marker; 'record start' begins a take")
        }
        let heard = stage.client.frameTime &- UInt32(clamping: stage.client.playbackLatency)
        do throws(SoundFileError) {
            guard try recorder.mark(name, atClock: heard) != nil else {
                return .refused("\(take) has \(Recorder.mostMarkers) markers, and room for no more")
            }
            return .recording(earsStatus(take))
        } catch {
            return .refused(error.description)
        }
    }

    /// The recording of the ears, as it is told.
    func earsStatus(_ path: String) -> RecordingStatus {
        var status = RecordingStatus(file: path, ended: recording.endedRecordings[path])
        status.number = TakeName.number(of: path)
        guard let recorder = stage.client.recorder, recorder.path == path else { return status }
        let (rate, markers) = (stage.client.sampleRate, recorder.markers)
        status.seconds = rate.seconds(frames: recorder.recordedFrames)
        status.markers = markers.count
        status.marker = markers.last.map {
            RecordingStatus.Marker(name: $0.name, frame: $0.frame, seconds: rate.seconds(frames: $0.frame))
        }
        return status
    }

    /// What all doors see of the recording of the ears, by address.
    var recordingFacts: [String: ParameterValue] {
        var facts: [String: ParameterValue] = [StateAddress.record: .isOn(take != nil)]
        guard let take else { return facts }
        let status = earsStatus(take)
        facts["record/file"] = .word(take)
        facts["record/number"] = .number(Double(status.number ?? 1))
        facts["record/seconds"] = .number((status.seconds ?? 0).rounded(.down))
        facts["record/markers"] = .number(Double(status.markers ?? 0))
        return facts
    }
}
