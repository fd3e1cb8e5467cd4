import Signal

/// The newest frames of several channels, to be read some frames later. For the audio thread, which reaches it by
/// pointer; made and freed elsewhere.
package struct DelayLine: ~Copyable {
    private let rows: PlanarBlock
    private let capacity: Int
    /// Where the next frame is written.
    private var position = 0
    /// The longest delay, frames.
    package let longest: Int

    /// A silent line for delays of 0…`longest` frames, written by at most `slice` frames at a time.
    package init(channels: Int, longest: Int, slice: Int) {
        self.longest = longest
        capacity = longest + slice
        rows = PlanarBlock(channels: channels, frames: capacity)
    }

    /// Begins anew with silence.
    @_noLocks
    package mutating func restart() {
        for channel in 0..<rows.channelCount { Samples.clear(rows[channel], count: capacity) }
        position = 0
    }

    /// Takes the next `count` frames of one channel; `advance` follows when all have theirs.
    @_noLocks
    package func write(_ row: UnsafePointer<Float>, channel: Int, count: Int) {
        let first = min(count, capacity - position)
        Samples.copy(row, to: rows[channel] + position, count: first)
        if count > first { Samples.copy(row + first, to: rows[channel], count: count - first) }
    }

    /// Goes on by the `count` frames written.
    @_noLocks
    package mutating func advance(_ count: Int) {
        position += count
        if position >= capacity { position -= capacity }
    }

    /// The newest `count` frames advanced over, `delay` ≤ `longest` frames late.
    @_noLocks
    package func read(channel: Int, delay: Int, to target: UnsafeMutablePointer<Float>, count: Int) {
        var start = position - count - delay
        while start < 0 { start += capacity }
        let first = min(count, capacity - start)
        Samples.copy(rows[channel] + start, to: target, count: first)
        if count > first { Samples.copy(rows[channel], to: target + first, count: count - first) }
    }

    /// Makes the next `count` frames of all channels, in place, `delay` ≤ `longest` frames late.
    @_noLocks
    package mutating func pass(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, delay: Int, count: Int
    ) {
        for channel in 0..<self.rows.channelCount { write(rows[channel], channel: channel, count: count) }
        advance(count)
        for channel in 0..<self.rows.channelCount {
            read(channel: channel, delay: delay, to: rows[channel], count: count)
        }
    }
}
