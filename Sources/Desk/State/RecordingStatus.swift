/// A recording of a running session.
package struct RecordingStatus: Codable, Sendable, Equatable {
    /// The file, as it was named.
    package var file: String
    /// Why it ended before the session did; nil while it goes on. What was recorded until then is in the file.
    package var ended: String?
    /// Which take of its name it is; nil for poses and motion, as all that follows.
    package var number: Int?
    /// Seconds of sound in it.
    package var seconds: Double?
    /// How many markers were set.
    package var markers: Int?
    /// The last of them.
    package var marker: Marker?
    /// Frames that are not in it, because the disk was too slow; nil where all are.
    package var lost: Int?

    /// All of it; see the properties.
    package init(
        file: String, ended: String? = nil, number: Int? = nil, seconds: Double? = nil, markers: Int? = nil,
        marker: Marker? = nil, lost: Int? = nil
    ) {
        (self.file, self.ended, self.number, self.seconds) = (file, ended, number, seconds)
        (self.markers, self.marker, self.lost) = (markers, marker, lost)
    }

    /// A place in a recording.
    package struct Marker: Codable, Sendable, Equatable {
        /// What it is called.
        package var name: String
        /// Frames from the recording's beginning, and the same in seconds.
        package var frame: Int, seconds: Double

        /// All of it; see the properties.
        package init(
            name: String, frame: Int, seconds: Double
        ) {
            (self.name, self.frame, self.seconds) = (name, frame, seconds)
        }
    }

    /// A recording.
    package init(file: String, ended: String? = nil) {
        self.file = file
        self.ended = ended
    }
}
