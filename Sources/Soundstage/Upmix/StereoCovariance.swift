import CKernels
import Convolution
import Signal

/// Powers and cross-power of the newest frame of a stereo programme, smoothed over frequency.
///
/// Bins are in order of frequency, (j + ½)·fs/N for j < N/2. `OddFourier` instead interleaves them with conjugates of
/// the upper half. The sum over each box (the range of bins for one mean) is computed separately, because a running sum
/// over bins whose levels differ by 100 dB would lose the weak ones. All bins in a chunk of 16 have boxes of the same
/// width.
struct StereoCovariance: ~Copyable {
    /// Number of bins, N/2.
    let bins: Int
    /// `[left power, right power, cross re, cross im][bin]`, smoothed over a box of the estimator's bandwidth.
    let smooth: PlanarBlock
    /// `[bin]`: power of both channels over a wide box.
    let wide: UnsafeMutablePointer<Float>
    /// `[bin]`: number of independent bins in a box. It is the box's width divided by the correlation length of
    /// neighbouring bins.
    let independence: UnsafeMutablePointer<Float>
    private let window: UnsafeMutablePointer<Float>
    private let windowed: PlanarBlock
    private let spectra: PlanarBlock
    /// Rows with `margin` silent bins before and after, so that boxes may extend past the ends.
    private let raw: PlanarBlock
    private let starts: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// Half widths of the boxes of each chunk, in bins.
    private let halves: UnsafeMutablePointer<UInt8>, wideHalves: UnsafeMutablePointer<UInt8>
    /// `[bin]`: factors from sum to mean, for the narrow and for the wide boxes.
    private let shares: UnsafeMutablePointer<Float>, wideShares: UnsafeMutablePointer<Float>
    private let fourier: OddFourier

    /// Makes covariances for frames of `tuning.frame` samples. Rise and fall of the window are each a quarter of a
    /// sine.
    init(_ tuning: UpmixTuning, sampleRate: SampleRate) {
        let length = tuning.frame
        bins = length / 2
        fourier = OddFourier(length: length)
        windowed = PlanarBlock(channels: 2, frames: length)
        spectra = PlanarBlock(channels: 2, frames: length)
        raw = PlanarBlock(channels: 5, frames: bins + 2 * Self.margin)
        starts = .allocate(capacity: 4)
        for row in 0..<4 { (starts + row).initialize(to: raw[row] + Self.margin) }
        smooth = PlanarBlock(channels: 4, frames: bins)
        wide = AlignedMemory.allocate(Float.self, count: bins)
        wide.initialize(repeating: 0, count: bins)
        independence = AlignedMemory.allocate(Float.self, count: bins)
        window = AlignedMemory.allocate(Float.self, count: length)
        let rise = length - tuning.fall
        for i in 0..<length {
            let phase = i < rise ? (Float(i) + 0.5) / Float(rise) : (Float(length - i) - 0.5) / Float(tuning.fall)
            window[i] = Self.quarterSine(phase)
        }
        halves = .allocate(capacity: bins / 16)
        wideHalves = .allocate(capacity: bins / 16)
        shares = AlignedMemory.allocate(Float.self, count: bins)
        wideShares = AlignedMemory.allocate(Float.self, count: bins)
        let spacing = sampleRate.hertz / Double(length)
        for bin in 0..<bins {
            // Bandwidth by Glasberg and Moore, Hearing Research 47, 1990, equation 3.
            let bandwidth = 24.7 * (4.37e-3 * Double(bin / 16 * 16 + 8) * spacing + 1)
            let half = min(Self.margin / 2, max(1, Int((UpmixTuning.bandwidths * bandwidth / spacing / 2).rounded())))
            let wideHalf = max(2 * half, 6)
            halves[bin / 16] = UInt8(half)
            wideHalves[bin / 16] = UInt8(wideHalf)
            func share(_ half: Int) -> Float { 1 / Float(min(bins, bin + half + 1) - max(0, bin - half)) }
            (shares + bin).initialize(to: share(half))
            (wideShares + bin).initialize(to: share(wideHalf))
            independence[bin] = Float(2 * half + 1) / 1.5
        }
    }

    deinit {
        wide.deallocate()
        independence.deallocate()
        window.deallocate()
        starts.deallocate()
        halves.deallocate()
        wideHalves.deallocate()
        shares.deallocate()
        wideShares.deallocate()
    }

    /// Analyses a frame: two rows of N samples at any address. Cost: two transforms, and about 2 ns per bin.
    @_noLocks
    mutating func take(_ rows: UnsafePointer<UnsafePointer<Float>?>) {
        let length = 2 * bins
        for channel in 0..<2 {
            guard let row = rows[channel] else { continue }
            prk_multiply(length, row, window, windowed[channel])
        }
        let inputs = UnsafeRawPointer(windowed.pointers).assumingMemoryBound(to: UnsafePointer<Float>?.self)
        let outputs = UnsafeRawPointer(spectra.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
        fourier.forward(count: 2, rows: inputs, spectra: outputs)
        prk_upmix_powers(bins, spectra[0], spectra[1], starts)
        for row in 0..<4 {
            guard let start = starts[row] else { return }
            prk_upmix_box(bins, halves, shares, start, smooth[row])
        }
        let (left, right, both) = (raw[0] + Self.margin, raw[1] + Self.margin, raw[4] + Self.margin)
        Samples.copy(left, to: both, count: bins)
        prk_multiply_add(bins, 1, right, both)
        widen(both, into: wide)
    }

    /// Number of silent bins before and after a row. It is at least half of the widest box.
    static var margin: Int { @_noLocks get { 128 } }

    /// Computes the mean of a row over the wide boxes. The row must have `margin` silent bins at both ends, and must
    /// not be `wide`.
    @_noLocks
    func widen(_ row: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>) {
        prk_upmix_box(bins, wideHalves, wideShares, row, result)
    }

    /// Returns sin(π/2·x) for 0 ≤ x ≤ 1, within 1e-7 (Taylor's series).
    private static func quarterSine(_ x: Float) -> Float {
        let angle = Double(x) * .pi / 2
        var (sum, term) = (angle, angle)
        for n in 1...6 {
            term *= -angle * angle / Double(2 * n * (2 * n + 1))
            sum += term
        }
        return Float(sum)
    }
}
