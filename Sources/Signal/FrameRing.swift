import Synchronization

/// Queue of frames of fixed capacity, with a row for each channel, between one writing and one reading thread. Neither
/// thread waits.
///
/// Writing has two steps, so that the rows may be copied from different buffers: `write` for each channel, then
/// `publish`. Reading has two steps as well: `read` for each channel, then `release`. The callers handle a full or
/// empty queue. In real time, frames that do not fit are dropped and counted. In freewheel (JACK's mode without real
/// time) the audio thread waits.
///
/// Invariant (why it may be shared unchecked): that of `RingPositions`. Frame n lies in slot n mod `capacity` of every
/// row. This value is a handle: copies refer to the same queue.
package struct FrameRing: @unchecked Sendable {
    /// Number of channels in a frame.
    package let channelCount: Int
    private let mask: Int
    private let positions: UnsafeMutablePointer<RingPositions>
    /// `[channel][slot]`: the frames in the queue.
    private let samples: UnsafeMutablePointer<Float>

    /// Makes a silent queue for at least `minimumCapacity` frames. Free it with `deallocate()`.
    package init(channels: Int, minimumCapacity: Int) {
        precondition(channels >= 0 && minimumCapacity >= 1)
        channelCount = channels
        let capacity = RingPositions.capacity(atLeast: minimumCapacity)
        mask = capacity - 1
        positions = .allocate(capacity: 1)
        positions.initialize(to: RingPositions())
        samples = AlignedMemory.allocate(Float.self, count: channels * capacity)
        samples.initialize(repeating: 0, count: channels * capacity)
    }

    /// Frees the queue. No thread may use it afterwards.
    package func deallocate() {
        positions.deinitialize(count: 1)
        positions.deallocate()
        samples.deallocate()
    }

    /// Capacity in frames, a power of two.
    package var capacity: Int { @_noLocks get { mask + 1 } }

    /// Frames published since the beginning, without those that `takeBack` discarded. On another thread than the
    /// writing one the number may already be larger.
    package var published: Int { @_noLocks get { positions.pointee.head.load(ordering: .acquiring) } }

    /// Frames released since the beginning. On another thread than the reading one the number may already be larger.
    package var released: Int { @_noLocks get { positions.pointee.tail.load(ordering: .acquiring) } }

    /// Frames that wait to be read. The reading thread can read at least as many. On the writing thread some may
    /// already be released. On any other thread the number may be too small.
    package var waiting: Int { @_noLocks get { published - released } }

    /// Free frames. The writing thread can write at least as many. On any other thread the number may be too large.
    package var room: Int { @_noLocks get { capacity - waiting } }

    // MARK: The writing thread

    /// Copies `count` ≤ `room` samples of a channel after the published ones. They become visible with `publish`.
    @_noLocks
    package func write(_ row: UnsafePointer<Float>, channel: Int, count: Int) {
        let (line, slot, whole) = span(channel, at: published, count)
        Samples.copy(row, to: line + slot, count: whole)
        if whole < count { Samples.copy(row + whole, to: line, count: count - whole) }
    }

    /// Copies samples of a channel after the published ones, with 0 in place of infinities and NaN, and with limited
    /// magnitudes (`Samples.cleanse`).
    @_noLocks
    package func write(finite row: UnsafePointer<Float>, channel: Int, count: Int) {
        let (line, slot, whole) = span(channel, at: published, count)
        _ = Samples.cleanse(row, to: line + slot, count: whole)
        if whole < count { _ = Samples.cleanse(row + whole, to: line, count: count - whole) }
    }

    /// Copies samples of all channels after the published ones, from interleaved frames.
    package func write(interleaved frames: UnsafePointer<Float>, count: Int) {
        let first = published
        for channel in 0..<channelCount {
            let (line, _, _) = span(channel, at: first, count)
            for i in 0..<count { line[(first + i) & mask] = frames[i * channelCount + channel] }
        }
    }

    /// Writes one value `count` times after the published samples of a channel.
    @_noLocks
    package func write(repeating value: Float, channel: Int, count: Int) {
        let first = published
        let (line, _, _) = span(channel, at: first, count)
        for i in 0..<count { line[(first + i) & mask] = value }
    }

    /// Publishes `count` frames to the reading thread. All channels of these frames must have been written.
    @_noLocks
    package func publish(_ count: Int) {
        checkCount(count, upTo: room, "frames published beyond a ring's room")
        positions.pointee.head.store(published + count, ordering: .releasing)
    }

    /// Discards the frames that wait. The reading thread must not use the queue meanwhile.
    package func takeBack() { positions.pointee.head.store(released, ordering: .releasing) }

    // MARK: The reading thread

    /// Copies the oldest `count` ≤ `waiting` samples of a channel.
    @_noLocks
    package func read(into row: UnsafeMutablePointer<Float>, channel: Int, count: Int) {
        let (line, slot, whole) = span(channel, at: released, count)
        Samples.copy(line + slot, to: row, count: whole)
        if whole < count { Samples.copy(line, to: row + whole, count: count - whole) }
    }

    /// Copies the oldest `count` ≤ `waiting` frames of all channels, interleaved.
    package func read(interleaved frames: UnsafeMutablePointer<Float>, count: Int) {
        let first = released
        for channel in 0..<channelCount {
            let (line, _, _) = span(channel, at: first, count)
            for i in 0..<count { frames[i * channelCount + channel] = line[(first + i) & mask] }
        }
    }

    /// Returns whether the oldest `count` samples of a channel are all equal to `value`.
    package func holds(_ value: Float, channel: Int, count: Int) -> Bool {
        let first = released
        let (line, _, _) = span(channel, at: first, count)
        return (0..<count).allSatisfy { line[(first + $0) & mask] == value }
    }

    /// Returns the address of a channel's oldest frames. It is valid until they are released. Only the first
    /// `adjoining` frames are contiguous.
    package func oldest(channel: Int) -> UnsafePointer<Float> {
        let (line, slot, _) = span(channel, at: released, 0)
        return UnsafePointer(line + slot)
    }

    /// Returns how many of the oldest `count` ≤ `waiting` frames are contiguous.
    package func adjoining(_ count: Int) -> Int { min(count, capacity - (released & mask)) }

    /// Releases the oldest `count` frames. Their slots become free.
    @_noLocks
    package func release(_ count: Int) {
        checkCount(count, upTo: waiting, "frames released beyond those that wait in a ring")
        positions.pointee.tail.store(released + count, ordering: .releasing)
    }

    /// Returns a channel's row, the slot of `frame`, and how many of the `count` frames from this slot on lie before
    /// the row's end.
    @_noLocks
    private func span(_ channel: Int, at frame: Int, _ count: Int) -> (UnsafeMutablePointer<Float>, Int, Int) {
        checkIndex(channel, below: channelCount, "channel of a ring")
        checkCount(count, upTo: capacity, "frames of a ring")
        let slot = frame & mask
        return (samples + channel * capacity, slot, min(count, capacity - slot))
    }
}
