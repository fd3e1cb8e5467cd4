import Convolution
import Signal

/// Centre and ambience of a block: the programme filtered by old and new masks, faded from one to the other.
///
/// Where sound sets in within the filters' reach, what is still to come would ring ahead of it. The part of the block before
/// an onset is therefore made by the masks of the time before it, from input that ends there; the part after it by the
/// masks of the time after. Between them the fade is a step of 48 samples instead of a line over the block.
struct UpmixField: ~Copyable {
    /// `[centre, ambience left, ambience right][frame]` of the last block.
    let rows: PlanarBlock
    private let older: PlanarBlock
    private let cut: PlanarBlock
    private let spectra: PlanarBlock
    private let cutSpectra: PlanarBlock
    private let products: PlanarBlock
    private let fourier: OddFourier
    private let tuning: UpmixTuning
    /// The set of filters the last block ended with.
    private var set = -1

    /// Samples of the step at an onset.
    private static var step: Int { @_noLocks get { 48 } }

    init(_ tuning: UpmixTuning) {
        self.tuning = tuning
        rows = PlanarBlock(channels: 3, frames: tuning.block)
        older = PlanarBlock(channels: 3, frames: tuning.block)
        cut = PlanarBlock(channels: 2, frames: tuning.frame)
        spectra = PlanarBlock(channels: 2, frames: tuning.frame)
        cutSpectra = PlanarBlock(channels: 2, frames: tuning.frame)
        products = PlanarBlock(channels: 3, frames: tuning.frame)
        fourier = OddFourier(length: tuning.frame)
    }

    /// Forgets everything heard.
    @_noLocks
    mutating func reset() { set = -1 }

    /// Fills `rows` for the block that ends `ahead` before the newest sample.
    ///
    /// - Parameters:
    ///   - window: two rows of the last N samples.
    ///   - begin: position of the block's first sample.
    ///   - newest: the newest set of filters; sets before it go back a hop each.
    ///   - onsets: where sound set in; nil where masks are not stepped.
    @_noLocks
    mutating func make(
        _ window: UnsafePointer<UnsafePointer<Float>?>, begin: Int, newest: Int, filters: borrowing UpmixFilters,
        onsets: borrowing OnsetFinder
    ) {
        let end = begin + tuning.block
        let known = end + tuning.ahead
        let start = known - tuning.frame
        // A step must have risen before its onset, so one within the first 16 samples belongs to the block before.
        let own = tuning.isLinearPhase ? onsets.first(in: (begin + 16)..<(end + 16)) : nil
        let next = tuning.isLinearPhase ? onsets.first(in: (end + 16)..<max(end + 17, known)) : nil
        // A set made at position p saw nothing later; the newest was made less than a hop ago.
        let oldest = newest - UpmixFilters.depth + 1
        let wanted = next == nil ? newest : max(oldest, min(newest, (next ?? known) / tuning.hop))
        let was = max(set, oldest)
        let goesOn = wanted != was && set >= 0

        transform(window, until: next == nil ? nil : (next ?? known) - start, into: spectra)
        filter(spectra, by: filters.set(max(0, wanted)), into: rows)
        if own != nil || goesOn {
            if let own {
                transform(window, until: own - start, into: cutSpectra)
                filter(cutSpectra, by: filters.set(max(0, was)), into: older)
            } else {
                filter(spectra, by: filters.set(max(0, was)), into: older)
            }
            fade(at: own == nil ? nil : max(1, min(tuning.block, (own ?? end) - begin)))
        }
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
        let kept = max(0, min(tuning.frame, until))
        for channel in 0..<2 {
            guard let row = window[channel] else { continue }
            Samples.copy(row, to: cut[channel], count: kept)
            Samples.clear(cut[channel] + kept, count: tuning.frame - kept)
        }
        fourier.forward(count: 2, rows: UpmixFilters.inputs(cut), spectra: UpmixFilters.outputs(result))
    }

    @_noLocks
    private func filter(
        _ spectra: borrowing PlanarBlock, by masks: UnsafePointer<Float>, into result: borrowing PlanarBlock
    ) {
        let bins = tuning.frame / 2
        if tuning.isLinearPhase {
            UpmixProducts.real(bins: bins, masks: masks, left: spectra[0], right: spectra[1], results: products)
        } else {
            UpmixProducts.complex(bins: bins, masks: masks, left: spectra[0], right: spectra[1], results: products)
        }
        fourier.inverse(
            count: 3, spectra: UpmixFilters.inputs(products), from: tuning.frame - tuning.ahead - tuning.block,
            frames: tuning.block, rows: UpmixFilters.outputs(result))
        // The inverse is N/2 times as large; the filters that are not of linear phase carry their own scale besides.
        let scale = 2 / Float(tuning.frame)
        for row in 0..<3 { Samples.scale(result[row], by: scale, count: tuning.block) }
    }

    /// Fades from `older` to `rows` in a line, or in a step that has risen at sample `onset`.
    @_noLocks
    private func fade(at onset: Int?) {
        let last = onset ?? tuning.block
        let first = onset == nil ? 0 : max(0, last - Self.step)
        for row in 0..<3 {
            let (old, new) = (older[row], rows[row])
            for i in 0..<first { new[i] = old[i] }
            for i in first..<last {
                let share = (Float(i - first) + 0.5) / Float(last - first)
                new[i] = old[i] + share * (new[i] - old[i])
            }
        }
    }
}
