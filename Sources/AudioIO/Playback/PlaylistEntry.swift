/// Sound file to be played, and the channels of it that are used.
package struct PlaylistEntry: Equatable, Sendable {
    /// Path of the file.
    package let path: String
    /// Indices of the file's channels to play, in this order. Nil plays all channels in their order.
    package let channels: [Int]?
    /// Processing of the samples at the file's own sample rate; nil without processing.
    package let shaping: (any FrameShaping)?

    /// Makes an entry; see the properties.
    package init(_ path: String, channels: [Int]? = nil, shaping: (any FrameShaping)? = nil) {
        self.path = path
        self.channels = channels
        self.shaping = shaping
    }

    /// Returns whether path, channels and shaping are equal.
    package static func == (a: PlaylistEntry, b: PlaylistEntry) -> Bool {
        a.path == b.path && a.channels == b.channels && a.shaping === b.shaping
    }
}
