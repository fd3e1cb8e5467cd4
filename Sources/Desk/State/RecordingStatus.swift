/// A recording of a running session.
package struct RecordingStatus: Codable, Sendable, Equatable {
    /// File name, as it was given.
    package var file: String
    /// Reason for an end before that of the session; nil while recording. The file holds the sound up to the end.
    package var ended: String?
    /// Number of the take under its name; nil for poses and motion, as are all the following properties.
    package var number: Int?
    /// Length of the recorded sound, seconds.
    package var seconds: Double?
    /// Number of markers set.
    package var markers: Int?
    /// The last marker.
    package var marker: Marker?
    /// Frames missing from the file because the disk was too slow; nil without any.
    package var lost: Int?

    /// Creates a status; see the properties.
    package init(
        file: String, ended: String? = nil, number: Int? = nil, seconds: Double? = nil, markers: Int? = nil,
        marker: Marker? = nil, lost: Int? = nil
    ) {
        (self.file, self.ended, self.number, self.seconds) = (file, ended, number, seconds)
        (self.markers, self.marker, self.lost) = (markers, marker, lost)
    }

    /// A marked position in a recording.
    package struct Marker: Codable, Sendable, Equatable {
        /// Name of the marker.
        package var name: String
        /// Position from the beginning of the recording, in frames and in seconds.
        package var frame: Int, seconds: Double

        /// Creates a marker; see the properties.
        package init(
            name: String, frame: Int, seconds: Double
        ) {
            (self.name, self.frame, self.seconds) = (name, frame, seconds)
        }
    }

    /// Creates the status of a recording without a take number.
    package init(file: String, ended: String? = nil) {
        self.file = file
        self.ended = ended
    }
}
