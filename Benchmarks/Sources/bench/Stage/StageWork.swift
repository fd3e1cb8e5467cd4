import Convolution

/// What a stage cell asks of all engines: filters from a table, the head still or turning.
struct StageWork {
    let sources: Int
    /// Frames per call of the engine.
    let period: Int
    /// Frames of the grid: the smaller of the period and 256.
    let slice: Int
    /// Frames from one state of the filters to the next, over which they fade linearly; the slice, but 128 at most (what
    /// keeps the motion's measures). nil: the head is still.
    let refresh: Int?
    let table: FilterTable
    let programme: Programme

    /// `refresh` may be given as two slices.
    init(sources: Int, period: Int, taps: Int, isMoving: Bool, refresh given: Int? = nil) {
        self.sources = sources
        self.period = period
        slice = min(period, 256)
        refresh = isMoving ? given ?? min(slice, 128) : nil
        table = FilterTable(taps: taps)
        programme = Programme(channels: sources, period: period)
    }

    var taps: Int { table.taps }

    /// How ours cuts the filters up.
    var form: FilterForm { FilterForm(slice: slice, tapCount: taps) }

    /// Filter states heard in a block of so many frames.
    func states(inBlock frames: Int) -> Int { refresh.map { max(1, frames / $0) + 1 } ?? 1 }

    /// Slices after which ours hears a still head through filters cut up for it: what is compared and measured.
    var slicesToRest: Int {
        refresh != nil ? 0 : BinauralConvolver(sourceCount: sources, form: form).slicesToRest
    }

    /// The row of the table that a source hears in a state of a block, counted in blocks of so many frames.
    func row(source: Int, block: Int, ofFrames frames: Int, state: Int) -> Int {
        guard let refresh else { return FilterTable.row(source: source, refresh: 0) }
        return FilterTable.row(source: source, refresh: block * frames / refresh + state)
    }

    /// The cell's conditions.
    func facts(_ machine: Machine) -> Facts {
        var facts = Facts()
        // Ours: 8 bytes per sample of a transform, for two ears.
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
