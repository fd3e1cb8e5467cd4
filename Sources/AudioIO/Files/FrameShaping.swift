import Signal

/// Processing of a file's samples as they are read. It depends only on the samples and their position in the file, so
/// the result does not depend on the block size. May be used on any thread except the audio thread.
package protocol FrameShaping: AnyObject, Sendable {
    /// Changes `frames` frames of a block, beginning at its frame `offset`. The first of them is frame `position` of
    /// the file.
    func shape(_ block: borrowing PlanarBlock, at offset: Int, position: Int, frames: Int)
}
