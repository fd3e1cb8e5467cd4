import Signal

/// Filters all sources and sums them for two ears, by overlap-save with one transform per source.
///
/// Overlap-save (Oppenheim & Schafer, Discrete-Time Signal Processing, §8.7.3) uses a transform long enough for the
/// whole filter. A phase factor on the spectrum can therefore delay a filter (see `HRTF.SpectralField`). Only the sums,
/// two for each filter state of a slice, are transformed back. Filters that do not change use shorter transforms
/// (`RestingFilters`). One thread owns the convolver; it is not made on the audio thread.
package struct BinauralConvolver: ~Copyable {
    private let fourier: OddFourier
    private let sourceCount: Int
    private let slice: Int
    /// Number of chunks of 16 bins in a filter, including its low parts.
    private let chunks: Int
    /// Number of low parts of a filter.
    private let lowParts: Int
    private let lowBins: LowBins
    private let lowInputs: LowInputs
    /// Number of input frames on which the output of a slice depends, including the slice.
    private let reach: Int
    private let inputs: UnsafeMutablePointer<Float>
    private let inputRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let filterRows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let sums: PlanarBlock
    private let sumRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let timeRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let progress: UnsafeMutablePointer<Progress>
    /// Convolution with unchanged filters. It is nil without sources, and if the filters fit into one slice.
    private let resting: UnsafeMutablePointer<RestingFilters>?

    /// State of the current slice.
    private struct Progress: BitwiseCopyable {
        /// Input windows of the slice.
        var rows: UnsafePointer<UnsafePointer<Float>?>?
        /// Number of the slice in the history.
        var number = 0
        /// Whether `inputs` has the spectra of these windows.
        var isTransformed = false
    }

    /// Makes a convolver for filters of one form. Memory: 128 bytes per chunk and source, and 24 bytes per tap and
    /// source for unchanged filters.
    package init(sourceCount: Int, form: FilterForm) {
        fourier = OddFourier(length: form.length)
        self.sourceCount = sourceCount
        slice = form.slice
        (chunks, lowParts) = (form.chunks, form.lowOffsets.count)
        lowBins = LowBins(form)
        lowInputs = LowInputs(sources: sourceCount, form: form)
        reach = form.reach
        let count = max(1, sourceCount) * 32 * form.chunks
        inputs = AlignedMemory.allocate(Float.self, count: count)
        inputs.initialize(repeating: 0, count: count)
        inputRows = .allocate(capacity: max(1, sourceCount))
        for source in 0..<sourceCount { (inputRows + source).initialize(to: inputs + 32 * source) }
        filterRows = .allocate(capacity: 2 * max(1, sourceCount))
        filterRows.initialize(repeating: nil, count: 2 * max(1, sourceCount))
        sums = PlanarBlock(channels: 4, frames: 32 * form.chunks)
        sumRows = .allocate(capacity: 4)
        timeRows = .allocate(capacity: 4)
        timeRows.initialize(repeating: nil, count: 4)
        for output in 0..<4 { (sumRows + output).initialize(to: sums[output]) }
        progress = .allocate(capacity: 1)
        progress.initialize(to: Progress())
        if sourceCount > 0 && form.tapCount > slice {
            let memory = UnsafeMutablePointer<RestingFilters>.allocate(capacity: 1)
            memory.initialize(to: RestingFilters(sources: sourceCount, form: form))
            resting = memory
        } else {
            resting = nil
        }
    }

    deinit {
        inputs.deallocate()
        inputRows.deallocate()
        filterRows.deallocate()
        sumRows.deallocate()
        timeRows.deallocate()
        progress.deallocate()
        resting?.deinitialize(count: 1)
        resting?.deallocate()
    }

    /// Number of slices after which unchanged filters are rendered through the shorter transforms; 0 if they never are.
    package var slicesToRest: Int { resting.map { $0.pointee.slicesToBeReady } ?? 0 }

    /// Reads the newest samples of all sources. Cost: one transform per source, or none once `RestingFilters` is ready.
    @_noLocks
    package func analyse(_ history: borrowing SourceHistory) {
        guard sourceCount > 0 else { return }
        checkCount(reach, upTo: history.kept, "frames that a convolver looks back on")
        progress.pointee = Progress(rows: history.window(fourier.length), number: history.number)
        if let resting, resting.pointee.isReady { return }
        transform()
    }

    /// Transforms the windows, at most once per slice.
    @_noLocks
    private func transform() {
        guard !progress.pointee.isTransformed, let rows = progress.pointee.rows else { return }
        fourier.forward(
            count: sourceCount, rows: rows, spectra: UnsafePointer(inputRows), stride: 32 * sourceCount)
        if lowParts > 0 {
            lowInputs.complete(inputs, number: progress.pointee.number, windows: rows, fourier: fourier)
        }
        progress.pointee.isTransformed = true
    }

    /// Renders a slice with one filter state through the shorter transforms. Returns false, without output, if
    /// `resting` is nil or the filters have not been unchanged for long enough.
    @_noLocks
    private func rest(_ state: FilterList, stride: Int, into ears: borrowing StageEars, first: Int) -> Bool {
        guard let resting, let rows = progress.pointee.rows else { return false }
        guard
            resting.pointee.follow(
                state, stride: stride, number: progress.pointee.number, rows: rows, fourier: fourier)
        else { return false }
        for ear in 0..<2 { timeRows[ear] = ears.row(first, ear) }
        resting.pointee.render(UnsafePointer(timeRows))
        return true
    }

    /// Renders `count` states of the filters into the states of `ears` from `first` on. `stride` counts the floats from
    /// one chunk of a filter to the next.
    ///
    /// Two states are summed in one pass, so that inputs are read once. Cost per state: 8 multiply-adds per bin and
    /// source, and two inverse transforms. `RestingFilters` has the cost of one unchanged state.
    @_noLocks
    package func render(
        _ states: UnsafePointer<FilterList>, count: Int, stride: Int, into ears: borrowing StageEars, first: Int
    ) {
        guard sourceCount > 0 else {
            for row in (2 * first)..<(2 * (first + count)) { Samples.clear(ears.row(row / 2, row % 2), count: slice) }
            return
        }
        if count == 1 {
            if rest(states[0], stride: stride, into: ears, first: first) { return }
        } else {
            resting?.pointee.leave(number: progress.pointee.number)
        }
        transform()
        var done = 0
        while done < count {
            let together = min(2, count - done)
            for state in 0..<together {
                for source in 0..<sourceCount {
                    filterRows[state * sourceCount + source] = states[done + state][source]
                }
            }
            SpectralSum.accumulate(
                bins: 16 * chunks, terms: sourceCount,
                inputs: UnsafeRawPointer(inputRows).assumingMemoryBound(to: UnsafePointer<Float>?.self),
                inputStride: 32 * max(1, sourceCount), filters: UnsafePointer(filterRows), filterStride: stride,
                states: together, results: UnsafePointer(sumRows), onto: false)
            for output in 0..<(2 * together) {
                for part in 0..<lowParts {
                    lowBins.add(
                        sums[output] + fourier.length + 32 * part * lowBins.chunks, stride: 32, to: sums[output],
                        spectrumStride: 32)
                }
            }
            for output in 0..<(2 * together) { timeRows[output] = ears.row(first + done + output / 2, output % 2) }
            fourier.inverse(
                count: 2 * together,
                spectra: UnsafeRawPointer(sumRows).assumingMemoryBound(to: UnsafePointer<Float>?.self),
                from: fourier.length - slice, frames: slice, rows: UnsafePointer(timeRows))
            done += together
        }
    }
}
