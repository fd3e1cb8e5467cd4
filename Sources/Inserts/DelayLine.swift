import Signal

/// Delay line for several channels. The audio thread uses it by pointer; other threads make and free it.
package struct DelayLine: ~Copyable {
    private let rows: PlanarBlock
    private let capacity: Int
    /// Position at which the next frame is written.
    private var position = 0
    /// Longest delay, frames.
    package let longest: Int

    /// Makes a silent line for delays of 0…`longest` frames. At most `slice` frames are written at a time.
    package init(channels: Int, longest: Int, slice: Int) {
        self.longest = longest
        capacity = longest + slice
        rows = PlanarBlock(channels: channels, frames: capacity)
    }

    /// Resets to silence.
    @_noLocks
    package mutating func restart() {
        for channel in 0..<rows.channelCount { Samples.clear(rows[channel], count: capacity) }
        position = 0
    }

    /// Writes the next `count` frames of one channel. Call `advance` when all channels are written.
    @_noLocks
    package func write(_ row: UnsafePointer<Float>, channel: Int, count: Int) {
        let first = min(count, capacity - position)
        Samples.copy(row, to: rows[channel] + position, count: first)
        if count > first { Samples.copy(row + first, to: rows[channel], count: count - first) }
    }

    /// Advances by the `count` frames that were written.
    @_noLocks
    package mutating func advance(_ count: Int) {
        position += count
        if position >= capacity { position -= capacity }
    }

    /// Reads the newest `count` frames, delayed by `delay` ≤ `longest` frames.
    @_noLocks
    package func read(channel: Int, delay: Int, to target: UnsafeMutablePointer<Float>, count: Int) {
        var start = position - count - delay
        while start < 0 { start += capacity }
        let first = min(count, capacity - start)
        Samples.copy(rows[channel] + start, to: target, count: first)
        if count > first { Samples.copy(rows[channel], to: target + first, count: count - first) }
    }

    /// Delays the next `count` frames of all channels, in place, by `delay` ≤ `longest` frames.
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
