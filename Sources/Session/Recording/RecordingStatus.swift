/// A recording of a running session.
package struct RecordingStatus: Codable, Sendable, Equatable {
    /// The file, as it was named.
    package var file: String
    /// Why it ended before the session did; nil while it goes on. What was recorded until then is in the file.
    package var ended: String?

    /// A recording.
    package init(file: String, ended: String? = nil) {
        self.file = file
        self.ended = ended
    }
}
