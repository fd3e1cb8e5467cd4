import CKernels
import Signal

/// Newest samples of every source, on a grid of slices, for transforms of different lengths.
///
/// Each source has a row that is longer than the samples to be kept. Each slice is written after the last one. When the
/// row is full, which takes at least 16 slices, the kept samples are copied back to its start. Memory: 8·(kept +
/// 8·slice) bytes per source.
package struct SourceHistory: ~Copyable {
    /// Number of sources.
    package let sourceCount: Int
    /// Frames per slice.
    package let slice: Int
    /// Frames that are kept, including the current slice.
    package let kept: Int
    private let rows: PlanarBlock
    private let length: Int
    /// `[source]`: start of the window that was returned last.
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Frame of the rows at which the current slice begins.
    private var place: Int
    /// Number of the current slice. It rises by one per slice, and by two at a reset.
    package private(set) var number = 0

    /// Allocates a silent history of `kept` ≥ slice frames.
    package init(sourceCount: Int, slice: Int, kept: Int) {
        precondition(sourceCount >= 0 && slice > 0 && kept >= slice)
        self.sourceCount = sourceCount
        self.slice = slice
        self.kept = kept
        length = 2 * kept + 16 * slice
        rows = PlanarBlock(channels: sourceCount, frames: length)
        windows = .allocate(capacity: max(1, sourceCount))
        windows.initialize(repeating: nil, count: max(1, sourceCount))
        place = kept - slice
    }

    deinit { windows.deallocate() }

    /// Resets all samples to silence. It writes all of the memory, so call it only when sound begins again.
    @_noLocks
    package mutating func reset() {
        for source in 0..<sourceCount { Samples.clear(rows[source], count: length) }
        place = kept - slice
        number += 2
    }

    /// Returns where the current slice's samples of a source are to be written.
    @_noLocks
    package func samples(ofSource source: Int) -> UnsafeMutablePointer<Float> { rows[source] + place }

    /// Fills the current slice from frame `end` on with silence, because these samples have not arrived yet.
    @_noLocks
    package func complete(upTo end: Int) {
        checkCount(end, upTo: slice, "frames known of a history's slice")
        guard end < slice else { return }
        for source in 0..<sourceCount { Samples.clear(rows[source] + place + end, count: slice - end) }
    }

    /// Returns pointers to the last `count` ≤ kept frames of each source, the current slice included. The next call of
    /// `window` overwrites the pointers.
    @_noLocks
    package func window(_ count: Int) -> UnsafePointer<UnsafePointer<Float>?> {
        checkCount(count, upTo: kept, "frames of a history's window")
        for source in 0..<sourceCount { windows[source] = UnsafePointer(rows[source] + place + slice - count) }
        return UnsafePointer(windows)
    }

    /// Begins the next slice. At intervals of 16 slices or more it copies up to `kept` frames per source.
    @_noLocks
    package mutating func advance() {
        place += slice
        number += 1
        guard place + slice > length else { return }
        let past = kept - slice
        for source in 0..<sourceCount {
            Samples.copy(rows[source] + place - past, to: rows[source], count: past)
        }
        place = past
    }
}
