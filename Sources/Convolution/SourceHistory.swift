import CKernels
import Signal

/// The last samples of every source, on a grid of slices: what transforms of any length up to the longest look back on.
///
/// Each row is longer than what is kept, so that a slice is appended and what is kept copied back only now and then.
/// Memory: 8·(kept + 8 slices) bytes per source.
package struct SourceHistory: ~Copyable {
    /// Sources served.
    package let sourceCount: Int
    /// Frames per slice.
    package let slice: Int
    /// Frames kept, the current slice included.
    package let kept: Int
    private let rows: PlanarBlock
    private let length: Int
    /// `[source]`: where the window last asked for begins.
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Frame of the rows at which the current slice begins.
    private var place: Int
    /// Counts slices: the next one's is one more, and the first one's after a reset two more.
    package private(set) var number = 0

    /// A silent history of `kept` ≥ slice frames.
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

    /// Forgets everything heard. Cost: all memory once, so only where sound begins anew.
    @_noLocks
    package mutating func reset() {
        for source in 0..<sourceCount { Samples.clear(rows[source], count: length) }
        place = kept - slice
        number += 2
    }

    /// Where the current slice's samples of a source are to be written.
    @_noLocks
    package func samples(ofSource source: Int) -> UnsafeMutablePointer<Float> { rows[source] + place }

    /// Says that the current slice is known up to `end`; what comes after counts as silence.
    @_noLocks
    package func complete(upTo end: Int) {
        checkCount(end, upTo: slice, "frames known of a history's slice")
        guard end < slice else { return }
        for source in 0..<sourceCount { Samples.clear(rows[source] + place + end, count: slice - end) }
    }

    /// Rows of the `count` ≤ kept frames up to the end of the current slice; valid until the next call.
    @_noLocks
    package func window(_ count: Int) -> UnsafePointer<UnsafePointer<Float>?> {
        checkCount(count, upTo: kept, "frames of a history's window")
        for source in 0..<sourceCount { windows[source] = UnsafePointer(rows[source] + place + slice - count) }
        return UnsafePointer(windows)
    }

    /// Begins the next slice. Seldom (every 16 slices or more) `kept` frames per source are copied.
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
