import Signal

/// The filters of all sources in one state: a pointer per source to a version in `StageFilters`.
package typealias FilterList = UnsafePointer<UnsafePointer<Float>?>

/// Filters all sources and sums them for two ears, by overlap-save with one transform per source.
///
/// Overlap-save (Oppenheim & Schafer, Discrete-Time Signal Processing, §8.7.3) with a transform long enough for the whole
/// filter: filters may then be moved in time by a phase (see `HRTF.SpectralField`), and only the sums, two per state, are
/// transformed back. Made off the audio thread; owned by one thread.
package struct BinauralConvolver: ~Copyable {
    private let fourier: OddFourier
    private let sourceCount: Int
    private let slice: Int
    private let inputs: UnsafeMutablePointer<Float>
    private let inputRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let filterRows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let sums: PlanarBlock
    private let sumRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let timeRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    /// For filters of up to `tapCount` taps. Memory: 8·bins bytes per source.
    package init(sourceCount: Int, slice: Int, tapCount: Int) {
        fourier = OddFourier(length: BinauralConvolver.transformLength(slice: slice, tapCount: tapCount))
        self.sourceCount = sourceCount
        self.slice = slice
        let count = max(1, sourceCount) * fourier.length
        inputs = AlignedMemory.allocate(Float.self, count: count)
        inputs.initialize(repeating: 0, count: count)
        inputRows = .allocate(capacity: max(1, sourceCount))
        for source in 0..<sourceCount { (inputRows + source).initialize(to: inputs + 32 * source) }
        filterRows = .allocate(capacity: 2 * max(1, sourceCount))
        filterRows.initialize(repeating: nil, count: 2 * max(1, sourceCount))
        sums = PlanarBlock(channels: 4, frames: fourier.length)
        sumRows = .allocate(capacity: 4)
        timeRows = .allocate(capacity: 4)
        timeRows.initialize(repeating: nil, count: 4)
        for output in 0..<4 { (sumRows + output).initialize(to: sums[output]) }
    }

    deinit {
        inputs.deallocate()
        inputRows.deallocate()
        filterRows.deallocate()
        sumRows.deallocate()
        timeRows.deallocate()
    }

    /// The length of the transforms that filters of `tapCount` taps take on a grid of `slice` frames: the next there is from
    /// slice + tapCount − 1 on.
    package static func transformLength(slice: Int, tapCount: Int) -> Int {
        OddFourier.length(atLeast: slice + tapCount - 1)
    }

    /// Bins of inputs and filters.
    package var bins: Int { @_noLocks get { fourier.bins } }

    /// Transforms the newest samples of all sources. Cost: one transform per source.
    @_noLocks
    package func analyse(_ history: borrowing SourceHistory) {
        guard sourceCount > 0 else { return }
        fourier.forward(
            count: sourceCount, rows: history.window(fourier.length), spectra: UnsafePointer(inputRows),
            stride: 32 * sourceCount)
    }

    /// Renders `count` states of the filters (laid out with `stride`) into `ears` from state `first` on.
    ///
    /// Two states are summed together, so that inputs are read once. Cost per state: 8 multiply-adds per bin and source,
    /// two inverse transforms.
    @_noLocks
    package func render(
        _ states: UnsafePointer<FilterList>, count: Int, stride: Int, into ears: borrowing StageEars, first: Int
    ) {
        guard sourceCount > 0 else {
            for row in (2 * first)..<(2 * (first + count)) { Samples.clear(ears.row(row / 2, row % 2), count: slice) }
            return
        }
        var done = 0
        while done < count {
            let together = min(2, count - done)
            for state in 0..<together {
                for source in 0..<sourceCount {
                    filterRows[state * sourceCount + source] = states[done + state][source]
                }
            }
            SpectralSum.accumulate(
                bins: bins, terms: sourceCount,
                inputs: UnsafeRawPointer(inputRows).assumingMemoryBound(to: UnsafePointer<Float>?.self),
                inputStride: 32 * max(1, sourceCount), filters: UnsafePointer(filterRows), filterStride: stride,
                states: together, results: UnsafePointer(sumRows), onto: false)
            for output in 0..<(2 * together) { timeRows[output] = ears.row(first + done + output / 2, output % 2) }
            fourier.inverse(
                count: 2 * together,
                spectra: UnsafeRawPointer(sumRows).assumingMemoryBound(to: UnsafePointer<Float>?.self),
                from: fourier.length - slice, frames: slice, rows: UnsafePointer(timeRows))
            done += together
        }
    }
}
