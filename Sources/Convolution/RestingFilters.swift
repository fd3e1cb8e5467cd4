import Signal

/// Convolution with a stage's filters while they are unchanged. The same responses are divided into partitions of one
/// slice.
///
/// While filters move, one long transform per source costs least, because only long spectra can be delayed by a phase
/// factor. For unchanged filters, short transforms that all partitions share take two thirds of the time or less.
///
/// After `patience` unchanged slices the filters are partitioned, one source per slice. Meanwhile the long transforms
/// still give the output. When all sources are ready, the short transforms give the output. Any movement switches back
/// to the long transforms in the same slice. Both compute the same convolution of the same history, so the switch is
/// inaudible. One thread uses the value; it is not made on the audio thread.
struct RestingFilters: ~Copyable {
    /// Number of slices for which filters must be unchanged before they are partitioned.
    static var patience: Int { @_noLocks get { 16 } }

    private let sources: Int
    private let slice: Int
    private let partitions: Int
    private let length: Int
    private var inputs: SliceSpectra
    /// Spectra of the partitions, in the layout of `SliceSpectra`.
    private let filters: UnsafeMutablePointer<Float>
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// `[source]`: the filter in the last slice; nil if the slice had several states.
    private let kept: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Taps of one source's filter.
    private let taps: FilterTaps
    /// `[partition][ear]`: a partition's taps, then silence.
    private let parts: WorkRows
    private let sums: WorkRows
    /// Number of the slice that was followed last, as in the history.
    private var number = Int.min
    /// Number of unchanged slices, at most `patience` + 1.
    private var stayed = 0
    /// Number of sources whose filters are partitioned.
    private var prepared = 0

    /// Allocates memory for filters of one form.
    init(sources: Int, form: FilterForm) {
        self.sources = sources
        slice = form.slice
        length = form.length
        partitions = (form.tapCount + slice - 1) / slice
        inputs = SliceSpectra(sources: sources, slice: slice, partitions: partitions)
        let count = 4 * slice * partitions * sources
        filters = AlignedMemory.allocate(Float.self, count: count)
        filters.initialize(repeating: 0, count: count)
        windows = .allocate(capacity: sources)
        windows.initialize(repeating: nil, count: sources)
        kept = .allocate(capacity: sources)
        kept.initialize(repeating: nil, count: sources)
        taps = FilterTaps(form, count: partitions * slice)
        parts = WorkRows(count: 2 * partitions, length: 2 * slice)
        sums = WorkRows(count: 2, length: 2 * slice)
    }

    deinit {
        filters.deallocate()
        windows.deallocate()
        kept.deallocate()
    }

    /// Largest number of slices from the first one with unchanged filters to the first one that is rendered in
    /// partitions.
    var slicesToBeReady: Int { RestingFilters.patience + max(sources, partitions) + 1 }

    /// Whether the next slice can be rendered in partitions, if no filter moves.
    var isReady: Bool { @_noLocks get { prepared == sources && inputs.isComplete } }

    /// Discards the partitions, because a filter moves in slice `number`.
    @_noLocks
    mutating func leave(number: Int) {
        self.number = number
        stayed = 0
        prepared = 0
        for source in 0..<sources { kept[source] = nil }
    }

    /// Follows slice `number`, which has `list` as its only filter state. Returns whether `render` can render the
    /// slice.
    ///
    /// - Parameters:
    ///   - list: The filter of each source.
    ///   - stride: Floats from chunk to chunk of the filters.
    ///   - number: Number of the slice in the history.
    ///   - rows: The last `length` samples of each source.
    ///   - fourier: The transform of the filters' spectra.
    ///
    /// Cost: one comparison per source. From `patience` slices on, one short transform per source is added. In each new
    /// slice the filters of one more source are prepared, until all are ready.
    @_noLocks
    mutating func follow(
        _ list: FilterList, stride: Int, number: Int, rows: UnsafePointer<UnsafePointer<Float>?>,
        fourier: borrowing OddFourier
    ) -> Bool {
        var stays = number == self.number || number == self.number + 1
        for source in 0..<sources where kept[source] != list[source] { stays = false }
        guard stays else {
            leave(number: number)
            for source in 0..<sources { kept[source] = list[source] }
            return false
        }
        if number != self.number {
            self.number = number
            stayed += 1
            if stayed == RestingFilters.patience { inputs.reset() }
            if stayed > RestingFilters.patience {
                inputs.advance()
                if prepared < sources { prepare(stride, fourier) }
                stayed = RestingFilters.patience + 1
            }
        }
        guard stayed >= RestingFilters.patience else { return false }
        for source in 0..<sources {
            guard let row = rows[source] else { return false }
            windows[source] = row + (length - 2 * slice)
        }
        inputs.analyse(windows)
        return isReady
    }

    /// Renders both ears of the slice that was passed to `follow` last.
    @_noLocks
    func render(_ ears: UnsafePointer<UnsafeMutablePointer<Float>?>) {
        inputs.sum(UnsafePointer(filters), partitions: 0..<partitions, left: sums[0], right: sums[1], onto: false)
        inputs.inverse(count: 2, spectra: sums.read, rows: ears)
    }

    /// Partitions the filters of the next source that is not ready.
    @_noLocks
    private mutating func prepare(_ stride: Int, _ fourier: borrowing OddFourier) {
        guard let filter = kept[prepared] else { return }
        taps.read(filter, stride: stride, fourier: fourier)
        for row in 0..<(2 * partitions) {
            Samples.copy(taps[row % 2] + row / 2 * slice, to: parts[row], count: slice)
            Samples.scale(parts[row], by: 1 / Float(slice), count: slice)
        }
        inputs.prepare(source: prepared, rows: parts.read, filters: filters)
        prepared += 1
    }
}

/// Filters of all sources in one state. Each source has a pointer to a version in `StageFilters`.
package typealias FilterList = UnsafePointer<UnsafePointer<Float>?>
