import Signal

/// What is done to the samples of a file as they are read, by their place in the file alone: the same whatever the
/// pieces they are read in. Any thread but the audio thread.
package protocol FrameShaping: AnyObject, Sendable {
    /// Changes `frames` frames of a block from frame `offset` on, the first of which is the file's frame `position`.
    func shape(_ block: borrowing PlanarBlock, at offset: Int, position: Int, frames: Int)
}
