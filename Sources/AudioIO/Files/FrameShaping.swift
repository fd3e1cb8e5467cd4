import Signal

/// Processing of a file's samples as they are read, a function of their position in the file only: the result does not
/// depend on the block size. Any thread but the audio thread.
package protocol FrameShaping: AnyObject, Sendable {
    /// Changes `frames` frames of a block from frame `offset` on; the first is the file's frame `position`.
    func shape(_ block: borrowing PlanarBlock, at offset: Int, position: Int, frames: Int)
}
