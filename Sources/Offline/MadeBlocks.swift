import AudioIO
import Signal

/// Programme that is made in blocks and read in any pieces: what it begins with late is dropped, so that it is aligned
/// with what it was made of and as long.
struct MadeBlocks: ~Copyable {
    /// The newest block.
    package let block: PlanarBlock
    /// Frames given away.
    package private(set) var position = 0
    /// Frames of the block that were given away, of those it has.
    private var used = 0
    private var made = 0
    private var toDrop: Int
    private let channelCount: Int

    /// Blocks of up to `frames` frames, of whose beginning `latency` frames are dropped.
    package init(channels: Int, frames: Int, latency: Int) {
        block = PlanarBlock(channels: channels, frames: frames)
        channelCount = channels
        toDrop = latency
    }

    /// Begins anew.
    package mutating func rewind(latency: Int) { (position, used, made, toDrop) = (0, 0, 0, latency) }

    /// Fills the beginning of another block with up to `frames` of the `total` frames there are; returns how many.
    ///
    /// - Parameter make: fills the block and returns its frames, silence behind the end included.
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
