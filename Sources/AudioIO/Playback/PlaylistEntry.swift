/// A sound file to be played, and which of its channels.
package struct PlaylistEntry: Hashable, Sendable {
    /// The file.
    package let path: String
    /// The file's channels that are played and their order, from 0; nil: all, as they are.
    package let channels: [Int]?

    /// An entry.
    package init(_ path: String, channels: [Int]? = nil) {
        self.path = path
        self.channels = channels
    }
}
