import AudioIO
import Signal

/// A programme that is produced in blocks and read in pieces of any length. The latency at the beginning is dropped, so
/// that the programme is time-aligned with its source and of the same length.
struct MadeBlocks: ~Copyable {
    /// The newest block.
    package let block: PlanarBlock
    /// Count of frames delivered.
    package private(set) var position = 0
    /// Count of delivered frames of the block, and count of frames in it.
    private var used = 0
    private var made = 0
    private var toDrop: Int
    private let channelCount: Int

    /// Creates blocks of up to `frames` frames; drops the first `latency` frames.
    package init(channels: Int, frames: Int, latency: Int) {
        block = PlanarBlock(channels: channels, frames: frames)
        channelCount = channels
        toDrop = latency
    }

    /// Restarts at the first frame.
    package mutating func rewind(latency: Int) { (position, used, made, toDrop) = (0, 0, 0, latency) }

    /// Copies up to `frames` of the remaining `total` frames into the start of another block; returns their count.
    ///
    /// - Parameter make: fills the block and returns its frame count, including silence after the end.
    package mutating func read(
        into target: borrowing PlanarBlock, frames: Int, of total: Int,
        make: (borrowing PlanarBlock) throws(SoundFileError) -> Int
    ) throws(SoundFileError) -> Int {
        var done = 0
        while done < frames, position < total {
            guard used < made else {
                made = try make(block)
                used = min(toDrop, made)
                toDrop -= used
                continue
            }
            let count = min(frames - done, made - used, total - position)
            for channel in 0..<channelCount {
                Samples.copy(block[channel] + used, to: target[channel] + done, count: count)
            }
            used += count
            done += count
            position += count
        }
        return done
    }
}
