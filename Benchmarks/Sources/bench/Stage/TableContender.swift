import Convolution
import Signal

/// The product's convolution with filters from a table of spectra, as the stage calls it: one transform per source over the
/// last samples, one sum over sources for each state of the filters, two inverse transforms per state, linear fades.
final class TableContender: Contender {
    /// What of a block's work is done: all of it, or a share shown for what it costs.
    enum Share: String {
        case whole, forward, sums, inverse
    }

    let name: String
    let role: Role
    let remark: String
    private let share: Share
    private let work: StageWork
    private let block: Int
    private let states: Int
    private let fourier: OddFourier
    private let table: UnsafeMutablePointer<Float>
    /// Samples of a source: a window of `length` slides along.
    private let recent: PlanarBlock
    private let room: Int
    private var end: Int
    private let spectra: PlanarBlock
    private let sums: PlanarBlock
    private let ears: PlanarBlock
    /// 0, 1/f … of a fade of f frames.
    private let ramp: PlanarBlock
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let filters: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let inputs: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let results: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// `block`: frames worked on at once, our slice or a refresh.
    init(_ work: StageWork, block: Int, share: Share = .whole) {
        self.work = work
        self.share = share
        role = share == .whole ? .ours : .part
        self.block = block
        states = work.states(inBlock: block)
        let length = OddFourier.length(atLeast: block + work.taps - 1)
        fourier = OddFourier(length: length)
        room = length + 16 * block
        end = length
        let count = work.refresh == nil ? work.sources : FilterTable.rowCount
        let shares = [
            "forward": "of which transforms", "sums": "of which sums", "inverse": "of which inverse transforms",
        ]
        name = (shares[share.rawValue] ?? "Proscenium") + (block == work.slice ? "" : ", blocks of \(block)")
        remark = "transforms of \(length) at odd frequencies, table of \(count * length * 8 >> 10) KiB"
        table = AlignedMemory.allocate(Float.self, count: count * 2 * length)
        recent = PlanarBlock(channels: work.sources, frames: room)
        spectra = PlanarBlock(channels: work.sources, frames: length)
        sums = PlanarBlock(channels: 2 * states, frames: length)
        ears = PlanarBlock(channels: 2 * states, frames: block)
        let fade = max(16, block / max(1, states - 1))
        ramp = PlanarBlock(channels: 1, frames: fade)
        for frame in 0..<fade { ramp[0][frame] = Float(frame) / Float(fade) }
        rows = .allocate(capacity: work.sources)
        filters = .allocate(capacity: states * work.sources)
        inputs = .allocate(capacity: work.sources)
        results = .allocate(capacity: 2 * states)
        for source in 0..<work.sources { (inputs + source).initialize(to: UnsafePointer(spectra[source])) }
        for row in 0..<(2 * states) { (results + row).initialize(to: UnsafePointer(sums[row])) }
        for source in 0..<work.sources { (rows + source).initialize(to: nil) }
        fill(count)
        for state in 0..<states {
            for source in 0..<work.sources {
                (filters + state * work.sources + source).initialize(to: UnsafePointer(filter(ofRow: source % count)))
            }
        }
    }

    deinit {
        table.deallocate()
        rows.deallocate()
        filters.deallocate()
        inputs.deallocate()
        results.deallocate()
    }

    private func filter(ofRow row: Int) -> UnsafeMutablePointer<Float> { table + row * 2 * fourier.length }

    /// Transforms the table's responses, scaled for the inverse.
    private func fill(_ count: Int) {
        let length = fourier.length
        let padded = PlanarBlock(channels: 2, frames: length)
        for row in 0..<count {
            let from = work.refresh == nil ? FilterTable.row(source: row, refresh: 0) : row
            for ear in 0..<2 {
                let response = work.table.response(row: from, ear: ear)
                for tap in 0..<work.taps { padded[ear][tap] = response[tap] * 2 / Float(length) }
            }
            let responses: [UnsafePointer<Float>?] = [UnsafePointer(padded[0]), UnsafePointer(padded[1])]
            let targets: [UnsafeMutablePointer<Float>?] = [filter(ofRow: row), filter(ofRow: row) + 32]
            fourier.forward(count: 2, rows: responses, spectra: targets, stride: 64)
        }
    }

    func step(_ index: Int, into output: Output) {
        for start in stride(from: 0, to: work.period, by: block) {
            if share == .whole || share == .forward { take(work.programme.block(index, from: start)) }
            if work.refresh != nil && (share == .whole || share == .sums) {
                choose((index * work.period + start) / block)
            }
            convolve()
            if share == .whole { fade(into: output.left + start, output.right + start) }
        }
    }

    /// Takes in one block of every source.
    private func take(_ blocks: UnsafePointer<UnsafePointer<Float>>) {
        let length = fourier.length
        let kept = length - block
        let isFull = end + block > room
        if isFull {
            for source in 0..<work.sources { recent[source].update(from: recent[source] + end - kept, count: kept) }
        }
        end = (isFull ? kept : end) + block
        for source in 0..<work.sources {
            let window = recent[source] + end - length
            (window + kept).update(from: blocks[source], count: block)
            rows[source] = UnsafePointer(window)
        }
    }

    /// The filters of a block.
    private func choose(_ place: Int) {
        for state in 0..<states {
            for source in 0..<work.sources {
                let row = work.row(source: source, block: place, ofFrames: block, state: state)
                filters[state * work.sources + source] = UnsafePointer(filter(ofRow: row))
            }
        }
    }

    private func convolve() {
        if share == .whole || share == .forward { transform() }
        if share == .whole || share == .sums { sum() }
        if share == .whole || share == .inverse { back() }
    }

    private func transform() {
        let count = work.sources
        inputs.withMemoryRebound(to: UnsafeMutablePointer<Float>?.self, capacity: count) {
            fourier.forward(count: count, rows: rows, spectra: $0)
        }
    }

    private func sum() {
        let count = work.sources
        results.withMemoryRebound(to: UnsafeMutablePointer<Float>?.self, capacity: 2 * states) {
            // Two states share one reading of the inputs.
            for first in stride(from: 0, to: states, by: 2) {
                SpectralSum.accumulate(
                    bins: fourier.bins, terms: count, inputs: inputs, filters: filters + first * count,
                    states: min(2, states - first), results: $0 + 2 * first, onto: false)
            }
        }
    }

    private func back() {
        UnsafeMutableRawPointer(ears.pointers).withMemoryRebound(
            to: UnsafeMutablePointer<Float>?.self, capacity: 2 * states
        ) {
            fourier.inverse(
                count: 2 * states, spectra: results, from: fourier.length - block, frames: block, rows: $0)
        }
    }

    /// Fades linearly from each state to the next.
    private func fade(into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>) {
        guard states > 1 else {
            left.update(from: ears[0], count: block)
            right.update(from: ears[1], count: block)
            return
        }
        let part = block / (states - 1)
        for segment in 0..<(states - 1) {
            let start = segment * part
            for ear in 0..<2 {
                let target = UnsafeMutableRawPointer((ear == 0 ? left : right) + start)
                let old = UnsafeRawPointer(ears[2 * segment + ear] + start)
                let new = UnsafeRawPointer(ears[2 * segment + 2 + ear] + start)
                let weights = UnsafeRawPointer(ramp[0])
                for offset in stride(from: 0, to: part * 4, by: 64) {
                    let from = old.load(fromByteOffset: offset, as: SIMD16<Float>.self)
                    let to = new.load(fromByteOffset: offset, as: SIMD16<Float>.self)
                    let weight = weights.load(fromByteOffset: offset, as: SIMD16<Float>.self)
                    target.storeBytes(of: from + weight * (to - from), toByteOffset: offset, as: SIMD16<Float>.self)
                }
            }
        }
    }
}
