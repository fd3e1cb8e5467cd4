import Convolution

/// Task of a stage cell, the same for all engines: filters from a table, the head still or turning.
struct StageWork {
    let sources: Int
    /// Frames per call of the engine.
    let period: Int
    /// Frames per slice of the product: the smaller of the period and 256.
    let slice: Int
    /// Interval between filter states, frames; the filters fade linearly over it. The slice, but at most 128, unless
    /// given; nil with a still head.
    let refresh: Int?
    let table: FilterTable
    let programme: Programme

    /// Creates the task. Without `given`, `refresh` is the slice, at most 128 frames; `given` may be two slices.
    init(sources: Int, period: Int, taps: Int, isMoving: Bool, refresh given: Int? = nil) {
        self.sources = sources
        self.period = period
        slice = min(period, 256)
        refresh = isMoving ? given ?? min(slice, 128) : nil
        table = FilterTable(taps: taps)
        programme = Programme(channels: sources, period: period)
    }

    var taps: Int { table.taps }

    /// Partition of the product's filters.
    var form: FilterForm { FilterForm(slice: slice, tapCount: taps) }

    /// Returns the number of filter states in a block of `frames` frames.
    func states(inBlock frames: Int) -> Int { refresh.map { max(1, frames / $0) + 1 } ?? 1 }

    /// Number of slices after which the product plays a still head through its longer partition, the one that is
    /// measured; 0 with a turning head.
    var slicesToRest: Int {
        refresh != nil ? 0 : BinauralConvolver(sourceCount: sources, form: form).slicesToRest
    }

    /// Returns the table's row for a source in filter state `state` of block `block`; blocks have `frames` frames.
    func row(source: Int, block: Int, ofFrames frames: Int, state: Int) -> Int {
        guard let refresh else { return FilterTable.row(source: source, refresh: 0) }
        return FilterTable.row(source: source, refresh: block * frames / refresh + state)
    }

    /// Returns the conditions of the cell.
    func facts(_ machine: Machine) -> Facts {
        var facts = Facts()
        // The product: 8 bytes per sample of a transform, for two ears.
        let rows = refresh == nil ? sources : FilterTable.rowCount
        let tableBytes = rows * 8 * form.length
        facts.sources = sources
        facts.period = period
        facts.slice = slice
        facts.refresh = refresh
        facts.taps = taps
        facts.tableBytes = tableBytes
        facts.tablePlace = machine.place(ofBytes: tableBytes)
        facts.directions = refresh == nil ? "still" : FilterTable.sequence
        facts.filters = "table of \(FilterTable.rowCount) directions, ready as spectra"
        return facts
    }
}
