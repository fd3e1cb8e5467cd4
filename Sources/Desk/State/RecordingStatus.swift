/// A recording of a running session.
package struct RecordingStatus: Codable, Sendable, Equatable {
    /// Path of the file. It has a number if the given name was taken.
    package var file: String
    /// Reason why the recording failed, or ended before the session; nil otherwise. The file, if there is one, contains
    /// the data up to that end.
    package var ended: String?
    /// Number of the take, from its file name: 2 for `ears-2.wav`, 1 for `ears.wav`. This property and all below are
    /// nil for logs of poses and motion, and for earlier recordings.
    package var number: Int?
    /// Length of the recorded sound, seconds.
    package var seconds: Double?
    /// Number of markers set.
    package var markers: Int?
    /// The last marker.
    package var marker: Marker?
    /// Frames missing from the completed file because the disk was too slow; nil if none is missing, and during the
    /// recording.
    package var lost: Int?

    /// Creates the status of a recording without a take number.
    package init(file: String, ended: String? = nil) { (self.file, self.ended) = (file, ended) }

    /// A marked position in a recording.
    package struct Marker: Codable, Sendable, Equatable {
        /// Name of the marker.
        package var name: String
        /// Position from the beginning of the recording, in frames and in seconds.
        package var frame: Int, seconds: Double

        /// Creates a marker; see the properties.
        package init(name: String, frame: Int, seconds: Double) {
            (self.name, self.frame, self.seconds) = (name, frame, seconds)
        }
    }
}
