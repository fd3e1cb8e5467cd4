import Convolution
import Signal

/// A few sets of the four masks as filters, the latest and those before it, in the order of `OddFourier`'s bins.
///
/// With linear phase a mask is the filter. Else its response is cut: to the past it reaches as far as the frame does, ahead
/// only as far as the upmixer's latency lets it, tapering as a quarter of a cosine squared. The centre's past is counted
/// twice, which makes up for what is cut and leaves its peaks in phase; the surrounds' is not, which keeps notches deep.
struct UpmixFilters: ~Copyable {
    /// Sets kept.
    static var depth: Int { @_noLocks get { 6 } }
    /// Bins of a filter, N/2; a set of four takes 4·N floats.
    let bins: Int
    private let sets: PlanarBlock
    private let responses: PlanarBlock
    /// `[centre's, surrounds'][tap]`, the transforms' scale included.
    private let windows: PlanarBlock
    private let spectra: PlanarBlock
    private let isLinearPhase: Bool
    private let fourier: OddFourier
    /// Where the four spectra of a set go.
    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    /// Filters that pass nothing.
    init(_ tuning: UpmixTuning) {
        bins = tuning.frame / 2
        isLinearPhase = tuning.isLinearPhase
        let length = tuning.frame
        fourier = OddFourier(length: length)
        pointers = .allocate(capacity: 4)
        pointers.initialize(repeating: nil, count: 4)
        sets = PlanarBlock(channels: Self.depth, frames: 4 * length)
        responses = PlanarBlock(channels: isLinearPhase ? 0 : 4, frames: length)
        spectra = PlanarBlock(channels: isLinearPhase ? 0 : 4, frames: length)
        windows = PlanarBlock(channels: isLinearPhase ? 0 : 2, frames: length)
        guard !isLinearPhase else { return }
        let (past, ahead) = (length / 2 - tuning.block, tuning.ahead)
        let scale = 2 / Float(length)
        for tap in 0..<past {
            windows[0][tap] = (tap <= ahead ? 1 : 2) * scale
            windows[1][tap] = scale
        }
        for tap in 1...ahead {
            // 1 − (tap/(ahead + 1))², the taper to first order: a parabola.
            let x = Float(tap) / Float(ahead + 1)
            windows[0][length - tap] = scale
            windows[1][length - tap] = (1 - x * x) * scale
        }
    }

    deinit { pointers.deallocate() }

    /// The filters of set `index` (counted since the start): `[mask][chunk of 16 bins][re 16][im 16]`, or with linear phase
    /// `[mask][bin]`.
    @_noLocks
    func set(_ index: Int) -> UnsafeMutablePointer<Float> { sets[index % Self.depth] }

    /// Makes set `index` of masks in order of frequency. Cost: 4 ns per bin; without linear phase eight transforms more.
    @_noLocks
    func make(_ index: Int, of masks: borrowing PrimaryAmbientMasks) {
        let result = set(index)
        guard !isLinearPhase else {
            for mask in 0..<4 {
                let (row, out) = (masks.rows[mask], result + mask * bins)
                for k in 0..<(bins / 2) { out[k] = row[2 * k] }
                for k in (bins / 2)..<bins { out[k] = row[2 * (bins - k) - 1] }
            }
            return
        }
        for mask in 0..<4 {
            let (row, out) = (masks.rows[mask], spectra[mask])
            for k in 0..<bins {
                out[k / 16 * 32 + k % 16] = k < bins / 2 ? row[2 * k] : row[2 * (bins - k) - 1]
                out[k / 16 * 32 + 16 + k % 16] = 0
            }
        }
        fourier.inverse(
            count: 4, spectra: Self.inputs(spectra), from: 0, frames: 2 * bins, rows: Self.outputs(responses))
        for mask in 0..<4 {
            let (row, window) = (responses[mask], windows[mask == 0 ? 0 : 1])
            for tap in 0..<(2 * bins) { row[tap] *= window[tap] }
        }
        let rows = pointers
        for mask in 0..<4 { rows[mask] = result + 2 * mask * bins }
        fourier.forward(count: 4, rows: Self.inputs(responses), spectra: UnsafePointer(rows))
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
