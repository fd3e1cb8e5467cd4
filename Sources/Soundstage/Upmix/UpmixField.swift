import CKernels
import Convolution
import Signal

/// Centre and ambience of a block, or a matrix's sources. The programme is filtered by the old and by the new masks,
/// with a crossfade between both.
///
/// An onset within the reach of the filters would cause pre-ringing. The part of the block before the onset is
/// therefore filtered by the masks from before the onset, with an input that ends at the onset. The part after the
/// onset is filtered by the masks from after the onset. Between the two parts the fade is a step of 48 samples instead
/// of a line over the block.
struct UpmixField: ~Copyable {
    /// `[centre, ambience left, ambience right][frame]` (or a matrix's sources) of the last block, then the same rows
    /// made with the older masks.
    let rows: PlanarBlock
    /// The window up to an onset, followed by silence.
    private let cut: PlanarBlock
    private let spectra: PlanarBlock
    /// Spectra of `cut`.
    private let cutSpectra: PlanarBlock
    private let products: PlanarBlock
    private let fourier: OddFourier
    private let tuning: UpmixTuning
    /// Number of rows that one set of masks makes.
    private let count: Int
    /// Whether the rows are the sources of a matrix.
    private let isMatrix: Bool
    /// Samples per transform.
    private let length: Int
    /// Index of the filter set that was in force at the end of the last block; −1 before the first.
    private var set = -1

    /// Length of the step at an onset, samples.
    private static var step: Int { @_noLocks get { 48 } }

    /// Makes a field of `matrixSources` sources of a matrix, or of centre and ambience if `matrixSources` is nil.
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

    /// Clears all state.
    @_noLocks
    mutating func reset() { set = -1 }

    /// Fills `rows` for the block that ends `ahead` samples before the newest sample.
    ///
    /// - Parameters:
    ///   - window: Two rows of the newest samples, as long as one transform.
    ///   - begin: Position of the block's first sample.
    ///   - newest: Index of the newest filter set. Each earlier set is one hop older.
    ///   - onsets: Onsets of the input.
    @_noLocks
    mutating func make(
        _ window: UnsafePointer<UnsafePointer<Float>?>, begin: Int, newest: Int, filters: borrowing UpmixFilters,
        onsets: borrowing OnsetFinder
    ) {
        let end = begin + tuning.block
        let known = end + tuning.ahead
        let start = known - length
        // A step ends at its onset. An onset within the first 16 samples therefore belongs to the previous block.
        let own = onsets.first(in: (begin + 16)..<(end + 16))
        let next = onsets.first(in: (end + 16)..<max(end + 17, known))
        // A set that was made at position p contains no later input. The newest set was made less than a hop ago.
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
            hold(1, onsets, begin: begin, before: end + 16)
            // The input of the older rows ends before an onset of this block. Only earlier onsets mute their ambience.
            if fades { hold(count + 1, onsets, begin: begin, before: own ?? end + 16) }
        }
        if fades { fade(at: own == nil ? nil : max(1, min(tuning.block, (own ?? end) - begin))) }
        set = wanted
    }

    /// Computes the spectra of the window, or of its first `until` samples followed by silence.
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

    /// Multiplies spectra by masks, and writes `count` rows from row `first` on.
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

    /// Transforms the first `count` products back to the block's samples.
    @_noLocks
    private func invert(_ count: Int) {
        fourier.inverse(
            count: count, spectra: UpmixFilters.inputs(products), from: length - tuning.ahead - tuning.block,
            frames: tuning.block, rows: UpmixFilters.outputs(rows))
        // The inverse transform scales by N/2. Filters without linear phase contain their own scale.
        let scale = 2 / Float(length)
        for row in 0..<count { Samples.scale(rows[row], by: scale, count: tuning.block) }
    }

    /// Mutes the ambience in row `first` and in the next row. This is done for each onset before `limit`, from the
    /// beginning of the step that ends at the onset until the masks contain the new sound. With `tuning.roll` it is
    /// done only for onsets that closely follow another.
    ///
    /// Each frame has the smallest gain of all onsets. Gains rise with the time since the onset, so that the smallest
    /// one is that of the newest onset whose step has begun.
    @_noLocks
    private func hold(_ first: Int, _ onsets: borrowing OnsetFinder, begin: Int, before limit: Int) {
        let per = 1 / Float(tuning.comeback)
        // End of the frames that no newer onset mutes.
        var until = tuning.block
        var found = onsets.last(before: limit)
        while let onset = found, until > 0, begin < onset + tuning.hold + tuning.comeback {
            found = onsets.last(before: onset)
            if let roll = tuning.roll, !onsets.follows(onset, within: roll) { continue }
            let start = max(0, onset - Self.step - begin)
            guard start < until else { continue }
            for i in start..<until {
                let gain = max(0, min(1, Float(begin + i - onset - tuning.hold) * per))
                rows[first][i] *= gain
                rows[first + 1][i] *= gain
            }
            until = start
        }
    }

    /// Crossfades from the older rows to the new ones, by a line over the block or by a step that ends at sample
    /// `onset`.
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
