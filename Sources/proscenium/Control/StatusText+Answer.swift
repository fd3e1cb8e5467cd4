import Desk
import Foundation
import Session

extension StatusText {
    /// What is printed of the answer to a command of the table, by the row's name; nil: nothing.
    static func answer(to row: String, _ text: String) -> String? {
        guard let recording = RecordingStatus(json: text) else { return text.hasPrefix("done") ? nil : text }
        return switch row {
        case "record/start": recording.file
        case "record/stop": Self.recording(recording)
        case "record/marker": recording.marker.map { "\($0.name) at \(time($0.seconds)) of \(recording.file)" }
        default: text
        }
    }
}

extension RecordingStatus {
    /// As a session answers; nil for another answer.
    init?(json: String) {
        guard let status = try? JSONDecoder().decode(RecordingStatus.self, from: Data(json.utf8)) else { return nil }
        self = status
    }
}
