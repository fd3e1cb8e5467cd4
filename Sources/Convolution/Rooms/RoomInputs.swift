import Signal

/// What a room's sources have sounded: the slice at work and as much of the past as its longest transform reads.
///
/// Rows 0..<sources are the sources'; where a mix is asked for, row `sources` is their sum. The past is a ring of
/// `capacity` frames, a multiple of every block, so that each block of the past stands in one piece.
package struct RoomInputs: ~Copyable {
    /// Sources.
    package let sources: Int
    /// Frames of a slice.
    package let slice: Int
    /// Rows, the mix included.
    package let rows: Int
    private let capacity: Int
    /// `[source][slice before, current slice]`.
    private let near: PlanarBlock
    /// `[row][frame mod capacity]`.
    private let past: PlanarBlock
    /// Where the current slice goes in the ring.
    private var end = 0

    /// Silence. `longest`: the largest block that will be asked for, a multiple of the slice.
    package init(sources: Int, slice: Int, longest: Int, mixes: Bool) {
        self.sources = sources
        self.slice = slice
        rows = sources + (mixes ? 1 : 0)
        // Two blocks are read while the next is written.
        capacity = 4 * max(longest, slice)
        near = PlanarBlock(channels: sources, frames: 2 * slice)
        past = PlanarBlock(channels: rows, frames: capacity)
    }

    /// The current slice of a source; the slice before precedes it in memory.
    @_noLocks
    package func current(_ source: Int) -> UnsafeMutablePointer<Float> { near[source] + slice }

    /// `frames` frames of a row that end `before` frames before the slice at work begins. In one piece where both are
    /// multiples of a block and the stream's position is one.
    @_noLocks
    package func window(_ row: Int, ending before: Int, frames: Int) -> UnsafePointer<Float> {
        checkCount(before + frames, upTo: capacity, "frames of a room's past")
        let start = end - before - frames
        let place = start < 0 ? start + capacity : start
        checkCount(place + frames, upTo: capacity, "frames of a room's past in one piece")
        return UnsafePointer(past[row] + place)
    }

    /// Bytes of samples.
    package var byteCount: Int { 4 * (2 * sources * slice + rows * capacity) }

    /// The slice is complete: it joins the past.
    @_noLocks
    package mutating func advance() {
        for source in 0..<sources {
            Samples.copy(near[source] + slice, to: near[source], count: slice)
            Samples.copy(near[source], to: past[source] + end, count: slice)
        }
        if rows > sources {
            let mix = past[sources] + end
            Samples.clear(mix, count: slice)
            for source in 0..<sources { Samples.add(near[source], gain: 1, to: mix, count: slice) }
        }
        end = end + slice == capacity ? 0 : end + slice
    }

    /// Silence again. Cost: a quarter of the memory once, so only where sound begins anew.
    @_noLocks
    package mutating func reset() {
        for source in 0..<sources { Samples.clear(near[source], count: 2 * slice) }
        // No window reaches farther back than a block before the beginning.
        for row in 0..<rows { Samples.clear(past[row] + capacity / 4 * 3, count: capacity / 4) }
        end = 0
    }
}
