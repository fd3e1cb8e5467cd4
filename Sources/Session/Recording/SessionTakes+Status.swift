import AudioIO
import Desk
import Signal
import Stages
import Takes

/// Status of recordings.
extension SessionTakes {
    /// Returns the status of all recordings.
    func statuses(_ client: any StageDriver) -> [RecordingStatus] {
        let others = [files.poses, files.motion].compactMap(\.self)
        let present = (files.ears.map { [$0] } ?? []) + others
        let former = ended.keys.sorted().filter { !present.contains($0) }
        return (files.ears.map { [status($0, client)] } ?? [])
            + (others + former).map { RecordingStatus(file: $0, ended: ended[$0]) }
    }

    /// Returns the status of a file with the binaural output.
    func status(_ path: String, _ client: any StageDriver) -> RecordingStatus {
        var status = RecordingStatus(file: path, ended: ended[path])
        status.number = TakeName.number(of: path)
        guard let recorder = client.recorder, recorder.path == path else { return status }
        let (rate, markers) = (client.sampleRate, recorder.markers)
        status.seconds = rate.seconds(frames: recorder.recordedFrames)
        status.markers = markers.count
        status.marker = markers.last.map {
            RecordingStatus.Marker(name: $0.name, frame: $0.frame, seconds: rate.seconds(frames: $0.frame))
        }
        return status
    }

    /// Returns the facts of the output's recording for all control interfaces, by address.
    func facts(_ client: any StageDriver) -> [String: ParameterValue] {
        var facts: [String: ParameterValue] = [StateAddress.record.text: .isOn(take != nil)]
        guard let take else { return facts }
        let status = status(take, client)
        facts["record/file"] = .word(take)
        facts["record/number"] = .number(Double(status.number ?? 1))
        facts["record/seconds"] = .number((status.seconds ?? 0).rounded(.down))
        facts["record/markers"] = .number(Double(status.markers ?? 0))
        return facts
    }
}
