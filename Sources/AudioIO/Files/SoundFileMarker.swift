/// A named place in the sound.
package struct SoundFileMarker: Equatable, Sendable {
    /// Frames from the file's beginning.
    package var frame: Int
    /// May be empty.
    package var name: String

    /// A marker at a frame.
    package init(frame: Int, name: String = "") {
        self.frame = frame
        self.name = name
    }
}
