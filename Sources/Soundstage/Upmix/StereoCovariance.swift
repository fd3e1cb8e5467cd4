import Convolution
import Signal

/// Spectra of the newest frame of a stereo programme as powers and cross-power, smoothed over frequency.
///
/// Bins are in the order of their frequency, (j + ½)·fs/N for j < N/2, unlike those of `OddFourier`, which interleaves them
/// with conjugates of the upper half. Powers are summed over boxes in double precision: a sum that runs over a hundred
/// decibels would leave nothing of the weak bins in single.
struct StereoCovariance: ~Copyable {
    /// Bins, N/2.
    let bins: Int
    /// `[left power, right power, cross re, cross im][bin]`, smoothed over a box of the estimator's bandwidth.
    let smooth: PlanarBlock
    /// Power of both channels over a wide box, `[bin]`.
    let wide: UnsafeMutablePointer<Float>
    /// Independent bins a box averages: its width over the correlation of neighbours.
    let independence: UnsafeMutablePointer<Float>
    private let window: UnsafeMutablePointer<Float>
    private let windowed: PlanarBlock
    private let spectra: PlanarBlock
    private let raw: PlanarBlock
    private let sums: UnsafeMutablePointer<Double>
    private let halfWidths: UnsafeMutablePointer<Int32>
    private let wideWidths: UnsafeMutablePointer<Int32>
    private let fourier: OddFourier

    /// Frames of `tuning.frame` samples at a rate; the window rises and falls as a quarter of a sine each.
    init(_ tuning: UpmixTuning, sampleRate: SampleRate) {
        let length = tuning.frame
        bins = length / 2
        fourier = OddFourier(length: length)
        windowed = PlanarBlock(channels: 2, frames: length)
        spectra = PlanarBlock(channels: 2, frames: length)
        raw = PlanarBlock(channels: 4, frames: bins)
        smooth = PlanarBlock(channels: 4, frames: bins)
        wide = AlignedMemory.allocate(Float.self, count: bins)
        wide.initialize(repeating: 0, count: bins)
        independence = AlignedMemory.allocate(Float.self, count: bins)
        sums = AlignedMemory.allocate(Double.self, count: 4 * (bins + 1))
        sums.initialize(repeating: 0, count: 4 * (bins + 1))
        window = AlignedMemory.allocate(Float.self, count: length)
        let rise = length - tuning.fall
        for i in 0..<length {
            let phase = i < rise ? (Float(i) + 0.5) / Float(rise) : (Float(length - i) - 0.5) / Float(tuning.fall)
            window[i] = Self.quarterSine(phase)
        }
        halfWidths = .allocate(capacity: bins)
        wideWidths = .allocate(capacity: bins)
        let spacing = sampleRate.hertz / Double(length)
        for bin in 0..<bins {
            // Glasberg and Moore's bandwidth, Hearing Research 47, 1990, equation 3.
            let bandwidth = 24.7 * (4.37e-3 * (Double(bin) + 0.5) * spacing + 1)
            let half = max(1, Int((UpmixTuning.bandwidths * bandwidth / spacing / 2).rounded()))
            halfWidths[bin] = Int32(half)
            wideWidths[bin] = Int32(max(2 * half, 6))
            independence[bin] = Float(2 * half + 1) / 1.5
        }
    }

    deinit {
        wide.deallocate()
        independence.deallocate()
        sums.deallocate()
        window.deallocate()
        halfWidths.deallocate()
        wideWidths.deallocate()
    }

    /// Takes a frame: two rows of N samples, anywhere. Cost: two transforms and about 20 ns per bin.
    @_noLocks
    mutating func take(_ rows: UnsafePointer<UnsafePointer<Float>?>) {
        let length = 2 * bins
        for channel in 0..<2 {
            guard let row = rows[channel] else { continue }
            let out = windowed[channel]
            for i in 0..<length { out[i] = row[i] * window[i] }
        }
        let inputs = UnsafeRawPointer(windowed.pointers).assumingMemoryBound(to: UnsafePointer<Float>?.self)
        let outputs = UnsafeRawPointer(spectra.pointers).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
        fourier.forward(count: 2, rows: inputs, spectra: outputs)
        multiply()
        smoothOver()
    }

    /// Powers of the raw bins, put into the order of frequency.
    @_noLocks
    private func multiply() {
        let (left, right) = (spectra[0], spectra[1])
        let (pl, pr, re, im) = (raw[0], raw[1], raw[2], raw[3])
        for k in 0..<bins {
            let at = k / 16 * 32 + k % 16
            let (a, b, c, d) = (left[at], left[at + 16], right[at], right[at + 16])
            let isUpper = k >= bins / 2
            let j = isUpper ? 2 * (bins - k) - 1 : 2 * k
            pl[j] = a * a + b * b
            pr[j] = c * c + d * d
            re[j] = a * c + b * d
            let cross = b * c - a * d
            im[j] = isUpper ? -cross : cross
        }
    }

    @_noLocks
    private func smoothOver() {
        let (pl, pr, re, im) = (raw[0], raw[1], raw[2], raw[3])
        var total = SIMD4<Double>()
        let sums = UnsafeMutableRawPointer(self.sums).assumingMemoryBound(to: SIMD4<Double>.self)
        sums[0] = total
        for k in 0..<bins {
            total += SIMD4(Double(pl[k]), Double(pr[k]), Double(re[k]), Double(im[k]))
            sums[k + 1] = total
        }
        for k in 0..<bins {
            let half = Int(halfWidths[k])
            let (low, high) = (max(0, k - half), min(bins, k + half + 1))
            let mean = (sums[high] - sums[low]) / Double(high - low)
            smooth[0][k] = Float(mean.x)
            smooth[1][k] = Float(mean.y)
            smooth[2][k] = Float(mean.z)
            smooth[3][k] = Float(mean.w)
        }
        Self.widen(sums, widths: wideWidths, bins: bins, into: wide)
    }

    /// The mean of left and right power over wide boxes, from running sums.
    @_noLocks
    private static func widen(
        _ sums: UnsafePointer<SIMD4<Double>>, widths: UnsafePointer<Int32>, bins: Int,
        into wide: UnsafeMutablePointer<Float>
    ) {
        for k in 0..<bins {
            let half = Int(widths[k])
            let (low, high) = (max(0, k - half), min(bins, k + half + 1))
            let sum = sums[high] - sums[low]
            wide[k] = Float((sum.x + sum.y) / Double(high - low))
        }
    }

    /// The mean of a row over the same wide boxes; `result` may not be `row`.
    @_noLocks
    func widen(_ row: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>) {
        var total = 0.0
        sums[0] = 0
        for k in 0..<bins {
            total += Double(row[k])
            sums[k + 1] = total
        }
        for k in 0..<bins {
            let half = Int(wideWidths[k])
            let (low, high) = (max(0, k - half), min(bins, k + half + 1))
            result[k] = Float((sums[high] - sums[low]) / Double(high - low))
        }
    }

    /// sin(π/2·x) for 0 ≤ x ≤ 1, to 1e-7 (Taylor's series to x¹¹).
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
