/// A sound file to be played, and which of its channels.
package struct PlaylistEntry: Equatable, Sendable {
    /// The file.
    package let path: String
    /// The file's channels that are played and their order, from 0; nil: all, as they are.
    package let channels: [Int]?
    /// What is done to its samples at the file's own rate; nil: nothing.
    package let shaping: (any FrameShaping)?

    /// An entry.
    package init(_ path: String, channels: [Int]? = nil, shaping: (any FrameShaping)? = nil) {
        self.path = path
        self.channels = channels
        self.shaping = shaping
    }

    /// Whether two are played alike: by one and the same shaping.
    package static func == (a: PlaylistEntry, b: PlaylistEntry) -> Bool {
        a.path == b.path && a.channels == b.channels && a.shaping === b.shaping
    }
}
