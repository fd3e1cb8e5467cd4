import Signal

/// Input samples of a room's sources: the current slice, and as much of the past as the longest transform reads.
///
/// Rows 0..<sources belong to the sources. With a mix, row `sources` is their sum. The past is a ring of `capacity`
/// frames. The capacity is a multiple of every block, so that each block of the past is contiguous.
package struct RoomInputs: ~Copyable {
    /// Number of sources.
    package let sources: Int
    /// Frames of a slice.
    package let slice: Int
    /// Number of rows, including the mix.
    package let rows: Int
    private let capacity: Int
    /// `[source]`: the previous slice, then the current one.
    private let near: PlanarBlock
    /// `[row][frame mod capacity]`: past frames.
    private let past: PlanarBlock
    /// Frame of the ring at which the current slice will be stored.
    private var end = 0

    /// Allocates silent inputs. `longest` is the largest block, a multiple of the slice. `mixes` adds the row of the
    /// sum.
    package init(sources: Int, slice: Int, longest: Int, mixes: Bool) {
        self.sources = sources
        self.slice = slice
        rows = sources + (mixes ? 1 : 0)
        // Two blocks are read while the next one is written.
        capacity = 4 * max(longest, slice)
        near = PlanarBlock(channels: sources, frames: 2 * slice)
        past = PlanarBlock(channels: rows, frames: capacity)
    }

    /// Returns the current slice of a source. The previous slice precedes it in memory.
    @_noLocks
    package func current(_ source: Int) -> UnsafeMutablePointer<Float> { near[source] + slice }

    /// Returns `frames` frames of a row that end `before` frames before the current slice. The frames must be
    /// contiguous in the ring. This is so if `before`, `frames` and the stream's position are multiples of a block.
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

    /// Completes the current slice and appends it to the past.
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

    /// Resets to silence. It writes a quarter of the memory, so call it only when sound begins again.
    @_noLocks
    package mutating func reset() {
        for source in 0..<sources { Samples.clear(near[source], count: 2 * slice) }
        // No window reaches further back than one block before the stream's start.
        for row in 0..<rows { Samples.clear(past[row] + capacity / 4 * 3, count: capacity / 4) }
        end = 0
    }
}
