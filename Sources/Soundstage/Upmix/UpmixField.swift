import CKernels
import Convolution
import Signal

/// What masks take out of a block, centre and ambience or a matrix's sources: the programme filtered by old and new
/// masks, faded from one to the other.
///
/// Where sound sets in within the filters' reach, what is still to come would ring ahead of it. The part of the block
/// before an onset is therefore made by the masks of the time before it, from input that ends there; the part after it
/// by the masks of the time after. Between them the fade is a step of 48 samples instead of a line over the block.
struct UpmixField: ~Copyable {
    /// `[centre, ambience left, ambience right][frame]` (or the sources of a matrix) of the last block, and behind them
    /// by the older masks.
    let rows: PlanarBlock
    private let cut: PlanarBlock
    private let spectra: PlanarBlock
    private let cutSpectra: PlanarBlock
    private let products: PlanarBlock
    private let fourier: OddFourier
    private let tuning: UpmixTuning
    /// Rows by one set of masks, and whether they are a matrix's.
    private let count: Int
    private let isMatrix: Bool
    /// Samples per transform.
    private let length: Int
    /// The set of filters the last block ended with.
    private var set = -1

    /// Samples of the step at an onset.
    private static var step: Int { @_noLocks get { 48 } }

    /// For `matrixSources` of a matrix, or for centre and ambience.
    init(_ tuning: UpmixTuning, matrixSources: Int? = nil) {
        self.tuning = tuning
        count = matrixSources ?? 3
        isMatrix = matrixSources != nil
        rows = PlanarBlock(channels: 2 * count, frames: tuning.block)
        length = tuning.filterLength
        cut = PlanarBlock(channels: 2, frames: length)
        spectra = PlanarBlock(channels: 2, frames: length)
        cutSpectra = PlanarBlock(channels: 2, frames: length)
        products = PlanarBlock(channels: 2 * count, frames: length)
        fourier = OddFourier(length: length)
    }

    /// Forgets everything heard.
    @_noLocks
    mutating func reset() { set = -1 }

    /// Fills `rows` for the block that ends `ahead` before the newest sample.
    ///
    /// - Parameters:
    ///   - window: two rows of the last samples, as many as a transform takes.
    ///   - begin: position of the block's first sample.
    ///   - newest: the newest set of filters; sets before it go back a hop each.
    ///   - onsets: where sound set in.
    @_noLocks
    mutating func make(
        _ window: UnsafePointer<UnsafePointer<Float>?>, begin: Int, newest: Int, filters: borrowing UpmixFilters,
        onsets: borrowing OnsetFinder
    ) {
        let end = begin + tuning.block
        let known = end + tuning.ahead
        let start = known - length
        // A step must have risen before its onset, so one within the first 16 samples belongs to the block before.
        let own = onsets.first(in: (begin + 16)..<(end + 16))
        let next = onsets.first(in: (end + 16)..<max(end + 17, known))
        // A set made at position p saw nothing later; the newest was made less than a hop ago.
        let oldest = newest - UpmixFilters.depth + 1
        let wanted = next == nil ? newest : max(oldest, min(newest, (next ?? known) / tuning.hop))
        let was = max(set, oldest)
        let goesOn = wanted != was && set >= 0

        transform(window, until: next == nil ? nil : (next ?? known) - start, into: spectra)
        multiply(spectra, by: filters.set(max(0, wanted)), into: 0)
        let fades = own != nil || goesOn
        if let own {
            transform(window, until: own - start, into: cutSpectra)
            multiply(cutSpectra, by: filters.set(max(0, was)), into: count)
        } else if goesOn {
            multiply(spectra, by: filters.set(max(0, was)), into: count)
        }
        invert(fades ? 2 * count : count)
        if tuning.hold > 0 {
            hold(1, onsets, begin: begin, end: end)
            // Input that ends before an onset knows nothing of it.
            if fades && own == nil { hold(count + 1, onsets, begin: begin, end: end) }
        }
        if fades { fade(at: own == nil ? nil : max(1, min(tuning.block, (own ?? end) - begin))) }
        set = wanted
    }

    /// Spectra of the window, of its first `until` samples and silence if that is given.
    @_noLocks
    private func transform(
        _ window: UnsafePointer<UnsafePointer<Float>?>, until: Int?, into result: borrowing PlanarBlock
    ) {
        guard let until else {
            fourier.forward(count: 2, rows: window, spectra: UpmixFilters.outputs(result))
            return
        }
        let kept = max(0, min(length, until))
        for channel in 0..<2 {
            guard let row = window[channel] else { continue }
            Samples.copy(row, to: cut[channel], count: kept)
            Samples.clear(cut[channel] + kept, count: length - kept)
        }
        fourier.forward(count: 2, rows: UpmixFilters.inputs(cut), spectra: UpmixFilters.outputs(result))
    }

    /// Products of spectra and masks, to `count` rows from `first` on.
    @_noLocks
    private func multiply(_ spectra: borrowing PlanarBlock, by masks: UnsafePointer<Float>, into first: Int) {
        let bins = length / 2
        let results = UnsafePointer(UpmixFilters.outputs(products) + first)
        if isMatrix {
            if tuning.isLinearPhase {
                prk_matrix_real(bins, count, masks, spectra[0], spectra[1], results)
            } else {
                prk_matrix_complex(bins, count, masks, spectra[0], spectra[1], results)
            }
        } else if tuning.isLinearPhase {
            UpmixProducts.real(bins: bins, masks: masks, left: spectra[0], right: spectra[1], results: results)
        } else {
            UpmixProducts.complex(bins: bins, masks: masks, left: spectra[0], right: spectra[1], results: results)
        }
    }

    /// The block's samples of the first `count` products.
    @_noLocks
    private func invert(_ count: Int) {
        fourier.inverse(
            count: count, spectra: UpmixFilters.inputs(products), from: length - tuning.ahead - tuning.block,
            frames: tuning.block, rows: UpmixFilters.outputs(rows))
        // The inverse is N/2 times as large; the filters that are not of linear phase carry their own scale besides.
        let scale = 2 / Float(length)
        for row in 0..<count { Samples.scale(rows[row], by: scale, count: tuning.block) }
    }

    /// Takes the ambience out of two rows, `first` and the next, from the step before an onset on until the masks know
    /// what began.
    @_noLocks
    private func hold(_ first: Int, _ onsets: borrowing OnsetFinder, begin: Int, end: Int) {
        guard let onset = onsets.last(before: end + 16), begin < onset + tuning.hold + tuning.comeback else { return }
        let per = 1 / Float(tuning.comeback)
        for i in 0..<tuning.block {
            let after = begin + i - onset
            guard after >= -Self.step else { continue }
            let gain = max(0, min(1, Float(after - tuning.hold) * per))
            rows[first][i] *= gain
            rows[first + 1][i] *= gain
        }
    }

    /// Fades from the older rows to the new in a line, or in a step that has risen at sample `onset`.
    @_noLocks
    private func fade(at onset: Int?) {
        let last = onset ?? tuning.block
        let first = onset == nil ? 0 : max(0, last - Self.step)
        let step = 1 / Float(last - first)
        for row in 0..<count {
            let (old, new) = (rows[row + count], rows[row])
            Samples.copy(old, to: new, count: first)
            prk_cross_fade(last - first, step / 2, step, old + first, new + first, new + first)
        }
    }
}
