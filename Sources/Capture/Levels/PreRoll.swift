import Signal

/// Ring buffer of the newest frames of all channels, stored until a take begins.
///
/// Must be used by one thread at a time, not by the audio thread.
package struct PreRoll: ~Copyable {
    private let line: PlanarBlock
    /// Greatest number of stored frames.
    package let capacity: Int
    /// Number of stored frames.
    package private(set) var count = 0
    private var next = 0

    /// Creates an empty ring buffer of `frames` ≥ 0 frames.
    package init(channels: Int, frames: Int) {
        capacity = max(0, frames)
        line = PlanarBlock(channels: channels, frames: capacity)
    }

    /// Stores the newest of `frames` frames of a block, and overwrites the oldest stored frames.
    package mutating func keep(_ block: borrowing PlanarBlock, frames: Int) {
        guard capacity > 0 else { return }
        let first = max(0, frames - capacity)
        var done = first
        while done < frames {
            let span = min(frames - done, capacity - next)
            for channel in 0..<line.channelCount {
                Samples.copy(block[channel] + done, to: line[channel] + next, count: span)
            }
            next = (next + span) % capacity
            done += span
        }
        count = min(capacity, count + frames - first)
    }

    /// Moves up to `limit` of the oldest frames into a block. Returns their number.
    package mutating func take(into block: borrowing PlanarBlock, limit: Int) -> Int {
        let taken = min(limit, count)
        var done = 0
        while done < taken {
            let place = (next - count + done + 2 * capacity) % capacity
            let span = min(taken - done, capacity - place)
            for channel in 0..<line.channelCount {
                Samples.copy(line[channel] + place, to: block[channel] + done, count: span)
            }
            done += span
        }
        count -= taken
        return taken
    }
}
