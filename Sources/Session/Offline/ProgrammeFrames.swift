import AudioIO
import Signal

/// Programme that is read forward in blocks, from its first frame to its last: a file, or what is made of one.
protocol ProgrammeFrames: AnyObject {
    /// Channels of a block.
    var channelCount: Int { get }
    /// Frames from the first to the last.
    var frameCount: Int { get }
    /// Frames read.
    var position: Int { get }
    /// Samples that were not finite and were replaced by silence before anybody saw them.
    var refused: Int { get }

    /// Reads up to `frames` frames into the block's beginning; returns how many there were, 0 at the end.
    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int
    /// Goes back to the first frame.
    func rewind() throws(SoundFileError)
}

extension SoundFileReader: ProgrammeFrames {
    /// None: the file's samples pass as they are.
    var refused: Int { 0 }

    func read(into block: borrowing PlanarBlock, frames: Int) throws(SoundFileError) -> Int {
        try read(into: block, at: 0, frames: frames)
    }

    func rewind() throws(SoundFileError) { try seek(to: 0) }
}
