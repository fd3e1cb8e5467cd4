import CKernels
import Signal

/// Last samples of every source, on a grid of slices, for transforms of any length up to the longest.
///
/// Each row is longer than the kept samples. A slice is appended, and the kept samples are copied back to the row's
/// start only now and then. Memory: 8·(kept + 8 slices) bytes per source.
package struct SourceHistory: ~Copyable {
    /// Sources served.
    package let sourceCount: Int
    /// Frames per slice.
    package let slice: Int
    /// Frames kept, the current slice included.
    package let kept: Int
    private let rows: PlanarBlock
    private let length: Int
    /// `[source]`: start of the window returned last.
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Frame of the rows at which the current slice begins.
    private var place: Int
    /// Number of the current slice: rises by one per slice, by two at a reset.
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

    /// Resets all samples to silence. Cost: writes all memory, so only where sound begins anew.
    @_noLocks
    package mutating func reset() {
        for source in 0..<sourceCount { Samples.clear(rows[source], count: length) }
        place = kept - slice
        number += 2
    }

    /// Returns the address for the current slice's samples of a source.
    @_noLocks
    package func samples(ofSource source: Int) -> UnsafeMutablePointer<Float> { rows[source] + place }

    /// Marks the current slice as valid up to `end`, and fills its rest with silence.
    @_noLocks
    package func complete(upTo end: Int) {
        checkCount(end, upTo: slice, "frames known of a history's slice")
        guard end < slice else { return }
        for source in 0..<sourceCount { Samples.clear(rows[source] + place + end, count: slice - end) }
    }

    /// Returns rows of the `count` ≤ kept frames that end with the current slice; valid until the next call.
    @_noLocks
    package func window(_ count: Int) -> UnsafePointer<UnsafePointer<Float>?> {
        checkCount(count, upTo: kept, "frames of a history's window")
        for source in 0..<sourceCount { windows[source] = UnsafePointer(rows[source] + place + slice - count) }
        return UnsafePointer(windows)
    }

    /// Begins the next slice. Every 16 slices or more it copies up to `kept` frames per source.
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
