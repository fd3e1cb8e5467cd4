import Desk
import Foundation
import Gate
import Session

extension StatusText {
    /// Returns the text to print after a command of the table, given the name of its row and the answer; nil for no
    /// text.
    static func answer(to row: String, _ text: String) -> String? {
        guard let recording = RecordingStatus(json: text) else { return text.hasPrefix("done") ? nil : text }
        return switch row {
        case "record/start": recording.file
        case "record", "record/stop": Self.recording(recording)
        case "record/marker": recording.marker.map { "\($0.name) at \(time($0.seconds)) of \(recording.file)" }
        default: text
        }
    }
}

extension RecordingStatus {
    /// Decodes a session's answer; nil for an answer of another kind.
    init?(json: String) {
        guard let status = try? JSONValue.decode(RecordingStatus.self, from: json.utf8, within: .child) else {
            return nil
        }
        self = status
    }
}
