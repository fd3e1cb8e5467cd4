import Signal

/// The newest seconds of what comes in, kept until a take begins.
///
/// One thread; not the audio thread.
package struct PreRoll: ~Copyable {
    private let line: PlanarBlock
    /// Frames that are kept at most.
    package let capacity: Int
    /// Frames that are kept.
    package private(set) var count = 0
    private var next = 0

    /// Nothing kept yet; `frames` ≥ 0 at most will be.
    package init(channels: Int, frames: Int) {
        capacity = max(0, frames)
        line = PlanarBlock(channels: channels, frames: capacity)
    }

    /// Keeps the newest of `frames` frames of a block.
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

    /// Takes up to `limit` of the oldest frames into a block, and keeps them no more; how many.
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
