import Convolution
import Signal

/// The product's convolution with filters from a table of spectra, called as the stage calls it.
final class TableContender: Contender {
    /// Part of a slice's work that is done: all of it, or a share whose cost is listed.
    enum Share {
        case whole, transforms, sums
    }

    let name: String
    let role: Role
    let remark: String
    private let share: Share
    private let work: StageWork
    private let states: Int
    private let convolver: BinauralConvolver
    private var history: SourceHistory
    private let ears: StageEars
    private let table: StageFilters
    /// Addresses of the filters, `[state][source]`, and the start of each state's list in `lists`.
    private let filters: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let lists: UnsafeMutablePointer<FilterList>

    init(_ work: StageWork, share: Share = .whole) {
        self.work = work
        self.share = share
        role = share == .whole ? .ours : .part
        switch share {
        case .whole: name = "Proscenium"
        case .transforms: name = "of which taking in and transforming"
        case .sums: name = "of which sums and transforming back"
        }
        states = work.states(inBlock: work.slice)
        convolver = BinauralConvolver(sourceCount: work.sources, form: work.form)
        let length = work.form.length
        let count = work.refresh == nil ? work.sources : FilterTable.rowCount
        remark = "transforms of \(length) at odd frequencies, table of \(count * length * 8 >> 10) KiB"
        history = SourceHistory(sourceCount: work.sources, slice: work.slice, kept: length)
        ears = StageEars(slice: work.slice)
        table = StageFilters(sourceCount: count, chunks: work.form.chunks, versionCount: 1)
        filters = .allocate(capacity: states * work.sources)
        filters.initialize(repeating: nil, count: states * work.sources)
        lists = .allocate(capacity: states)
        for state in 0..<states {
            (lists + state).initialize(to: UnsafePointer(filters + state * work.sources))
            for source in 0..<work.sources {
                let filter = table.filter(ofSource: source % count, version: 0)
                filters[state * work.sources + source] = UnsafePointer(filter)
            }
        }
        fill(count, OddFourier(length: length))
    }

    deinit {
        filters.deallocate()
        lists.deallocate()
    }

    /// Transforms the table's responses; the inverse transform's scale is included.
    private func fill(_ count: Int, _ fourier: borrowing OddFourier) {
        let padded = PlanarBlock(channels: 2, frames: fourier.length)
        for row in 0..<count {
            let from = work.refresh == nil ? FilterTable.row(source: row, refresh: 0) : row
            for ear in 0..<2 {
                let response = work.table.response(row: from, ear: ear)
                for tap in 0..<work.taps { padded[ear][tap] = response[tap] / Float(fourier.bins) }
            }
            let filter = table.filter(ofSource: row, version: 0)
            fourier.forward(
                count: 2, rows: [UnsafePointer(padded[0]), UnsafePointer(padded[1])], spectra: [filter, filter + 32],
                stride: table.stride)
        }
    }

    func step(_ index: Int, into output: Output) {
        for start in stride(from: 0, to: work.period, by: work.slice) {
            if share != .sums { take(work.programme.block(index, from: start)) }
            if share != .transforms { convolve((index * work.period + start) / work.slice) }
            if share == .whole {
                ears.mix(
                    from: 0, count: work.slice, states: states, fade: work.refresh ?? work.slice,
                    left: output.left + start, right: output.right + start)
            }
            if share != .sums { history.advance() }
        }
    }

    /// Copies in one slice of each source and transforms it.
    private func take(_ inputs: UnsafePointer<UnsafePointer<Float>>) {
        for source in 0..<work.sources {
            Samples.copy(inputs[source], to: history.samples(ofSource: source), count: work.slice)
        }
        convolver.analyse(history)
    }

    /// Selects the filters of a slice and sums the products.
    private func convolve(_ slice: Int) {
        if work.refresh != nil {
            for state in 0..<states {
                for source in 0..<work.sources {
                    let row = work.row(source: source, block: slice, ofFrames: work.slice, state: state)
                    filters[state * work.sources + source] = UnsafePointer(table.filter(ofSource: row, version: 0))
                }
            }
        }
        convolver.render(lists, count: states, stride: table.stride, into: ears, first: 0)
    }
}
