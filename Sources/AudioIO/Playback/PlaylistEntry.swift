/// A sound file to be played, and the channels used.
package struct PlaylistEntry: Equatable, Sendable {
    /// Path of the file.
    package let path: String
    /// Indices of the file's channels to play, in this order; nil: all, in order.
    package let channels: [Int]?
    /// Processing of the samples at the file's own rate; nil without any.
    package let shaping: (any FrameShaping)?

    /// Sets all fields.
    package init(_ path: String, channels: [Int]? = nil, shaping: (any FrameShaping)? = nil) {
        self.path = path
        self.channels = channels
        self.shaping = shaping
    }

    /// Whether path, channels and shaping are equal.
    package static func == (a: PlaylistEntry, b: PlaylistEntry) -> Bool {
        a.path == b.path && a.channels == b.channels && a.shaping === b.shaping
    }
}
