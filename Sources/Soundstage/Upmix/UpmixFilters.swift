import CKernels
import Convolution
import Signal

/// The newest sets of masks as filters, in the order of `OddFourier`'s bins.
///
/// With linear phase a mask is the filter. Otherwise its response is truncated. The truncated response reaches back by
/// nearly half a frame, and ahead only as far as the upmixer's latency allows. The look-ahead part of the surrounds'
/// response is tapered by a parabola. The centre's response more than `ahead` samples in the past counts twice, which
/// compensates the truncation and keeps its peaks in phase. The surrounds' response is not doubled, which keeps notches
/// deep.
struct UpmixFilters: ~Copyable {
    /// Number of masks in a set. The first two are the centre's.
    let count: Int
    /// Number of sets that are kept.
    static var depth: Int { @_noLocks get { 6 } }
    /// Number of bins of a mask, N/2.
    private let bins: Int
    /// Number of bins of a filter. A set of `count` filters has 2·`count`·`filterBins` floats.
    let filterBins: Int
    private let sets: PlanarBlock
    private let responses: PlanarBlock
    /// `[centre's, surrounds'][tap]`: windows of the responses. They include the scale of the transforms.
    private let windows: PlanarBlock
    private let spectra: PlanarBlock
    private let isLinearPhase: Bool
    /// Number of taps of a response in the past, and number of taps ahead.
    private let past: Int, ahead: Int
    private let fourier: OddFourier
    private let filterFourier: OddFourier
    /// Destinations of the spectra of a set.
    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    /// Makes silent filters for `count` masks.
    init(_ tuning: UpmixTuning, count: Int) {
        self.count = count
        bins = tuning.frame / 2
        filterBins = tuning.filterLength / 2
        (past, ahead) = (tuning.filterLength - tuning.block - tuning.ahead, tuning.ahead)
        isLinearPhase = tuning.isLinearPhase
        let length = tuning.frame
        fourier = OddFourier(length: length)
        filterFourier = OddFourier(length: tuning.filterLength)
        pointers = .allocate(capacity: count)
        pointers.initialize(repeating: nil, count: count)
        sets = PlanarBlock(channels: Self.depth, frames: 2 * count * filterBins)
        responses = PlanarBlock(channels: isLinearPhase ? 0 : count, frames: length)
        spectra = PlanarBlock(channels: isLinearPhase ? 0 : count, frames: length)
        windows = PlanarBlock(channels: isLinearPhase ? 0 : 2, frames: length)
        guard !isLinearPhase else { return }
        let scale = 2 / Float(length)
        for tap in 0..<past {
            windows[0][tap] = (tap <= ahead ? 1 : 2) * scale
            windows[1][tap] = scale
        }
        for tap in 1...ahead {
            // Taper 1 − (tap/(ahead + 1))²: a parabola.
            let x = Float(tap) / Float(ahead + 1)
            windows[0][length - tap] = scale
            windows[1][length - tap] = (1 - x * x) * scale
        }
    }

    deinit { pointers.deallocate() }

    /// Returns the filters of set `index`, counted from the start. The layout is `[mask][chunk of 16 bins][re 16][im
    /// 16]`, with linear phase `[mask][bin]`.
    @_noLocks
    func set(_ index: Int) -> UnsafeMutablePointer<Float> { sets[index % Self.depth] }

    /// Makes all sets silent, as in new filters.
    @_noLocks
    func reset() { for set in 0..<Self.depth { Samples.clear(sets[set], count: 2 * count * filterBins) } }

    /// Makes set `index` from masks in order of frequency. Cost: 0.5 ns per bin. Without linear phase, two transforms
    /// per mask are added.
    @_noLocks
    func make(_ index: Int, of masks: borrowing PlanarBlock) {
        let result = set(index)
        guard !isLinearPhase else {
            for mask in 0..<count { prk_upmix_order(bins, masks[mask], 16, result + mask * bins) }
            return
        }
        // The imaginary parts stay 0.
        for mask in 0..<count { prk_upmix_order(bins, masks[mask], 32, spectra[mask]) }
        fourier.inverse(
            count: count, spectra: Self.inputs(spectra), from: 0, frames: 2 * bins, rows: Self.outputs(responses))
        for mask in 0..<count {
            let row = responses[mask]
            prk_multiply(2 * bins, row, windows[mask < 2 ? 0 : 1], row)
            // Taps ahead are at the end of the transform. The filter's transform is shorter.
            let shorter = 2 * filterBins
            Samples.copy(row + 2 * bins - ahead, to: row + shorter - ahead, count: ahead)
            pointers[mask] = result + mask * shorter
        }
        filterFourier.forward(count: count, rows: Self.inputs(responses), spectra: UnsafePointer(pointers))
    }

    @_noLocks
    static func inputs(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>?.self)
    }

    @_noLocks
    static func outputs(_ block: borrowing PlanarBlock) -> UnsafePointer<UnsafeMutablePointer<Float>?> {
        UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
    }
}
