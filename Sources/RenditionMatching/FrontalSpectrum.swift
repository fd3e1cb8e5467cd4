import Foundation
import HRTF
import Metering

/// Power of a stage's feeds in third octaves, at the ears of a head that faces the front. The listener's head movements
/// have no effect.
///
/// Blocks of all feeds are transformed, multiplied by the responses from their loudspeakers to the ears and by the K
/// weighting of ITU-R BS.1770-5, and summed, so that no second rendering is needed. The power is that of the sum of the
/// feeds, so that a phantom centre has the power that is heard.
struct FrontalSpectrum {
    /// Frames per block; longer responses are truncated to as many taps.
    static let block = 1024

    /// Centres of the bands, Hz.
    let centres: [Double]
    private let transform: FourierTransform
    /// Spectra of the responses, `[feed][ear][bin]`, with the K weighting.
    private let ears: [[(real: [Double], imaginary: [Double])]]
    /// Power gain of the K weighting in each bin.
    private let weighting: [Double]
    /// Band of each bin.
    private let bands: [Int]

    /// Makes the analysis for a sample rate in hertz.
    ///
    /// - Parameter responses: impulse responses from each feed to the left and right ear.
    init(responses: [(left: [Float], right: [Float])], sampleRate: Double) {
        let transform = FourierTransform(minimumCount: 2 * Self.block)
        self.transform = transform
        let hertz = (0...transform.count / 2).map { max(0.5, Double($0)) * sampleRate / Double(transform.count) }
        let lowest = 62.5
        bands = hertz.map { max(0, Int((3 * log2($0 / lowest)).rounded())) }
        centres = (0...bands[bands.count - 1]).map { lowest * pow(2, Double($0) / 3) }
        let filter = KWeighting(sampleRate: sampleRate)
        let weights = hertz.map(filter.magnitude)
        weighting = weights.map { $0 * $0 }
        ears = responses.map { response in
            [response.left, response.right].map { taps in
                var real = [Double](repeating: 0, count: transform.count)
                var imaginary = real
                for (i, tap) in taps.prefix(Self.block).enumerated() { real[i] = Double(tap) }
                transform.forward(&real, &imaginary)
                return (zip(real, weights).map { $0 * $1 }, zip(imaginary, weights).map { $0 * $1 })
            }
        }
    }

    /// Returns the K-weighted mean square of one block in each band, summed over both ears. `rows` is `[feed][frame]`.
    func powers(_ rows: UnsafePointer<UnsafeMutablePointer<Float>>) -> [Double] {
        let bins = transform.count / 2 + 1
        var sums = [Double](repeating: 0, count: 4 * bins)
        let heard = ears.indices.filter { feed in (0..<Self.block).contains { rows[feed][$0] != 0 } }
        for pair in stride(from: 0, to: heard.count, by: 2) {
            // One complex transform for two real signals.
            let (one, other) = (heard[pair], pair + 1 < heard.count ? heard[pair + 1] : nil)
            var real = [Double](repeating: 0, count: transform.count)
            var imaginary = real
            for i in 0..<Self.block {
                real[i] = Double(rows[one][i])
                if let other { imaginary[i] = Double(rows[other][i]) }
            }
            transform.forward(&real, &imaginary)
            add(real, imaginary, of: one, isSecond: false, to: &sums)
            if let other { add(real, imaginary, of: other, isSecond: true, to: &sums) }
        }
        var powers = [Double](repeating: 0, count: centres.count)
        // Parseval's theorem over half the bins.
        let scale = 2 / Double(transform.count) / Double(Self.block)
        for k in 0..<bins {
            var power = 0.0
            for part in 0..<4 { power += sums[part * bins + k] * sums[part * bins + k] }
            powers[bands[k]] += scale * power
        }
        return powers
    }

    /// K-weighted powers of a pair of channels, by bands: of left and right, and their cross-power.
    struct Pair { var left: [Double], right: [Double], both: [Double] }

    /// Returns the powers of one block of a pair, without the responses to the ears.
    func powers(left: UnsafePointer<Float>, right: UnsafePointer<Float>) -> Pair {
        let count = transform.count
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for i in 0..<Self.block { (real[i], imaginary[i]) = (Double(left[i]), Double(right[i])) }
        transform.forward(&real, &imaginary)
        let none = [Double](repeating: 0, count: centres.count)
        var pair = Pair(left: none, right: none, both: none)
        let scale = 0.5 / Double(count) / Double(Self.block)
        for k in bands.indices {
            let m = (count - k) & (count - 1)
            let (lr, li) = (real[k] + real[m], imaginary[k] - imaginary[m])
            let (rr, ri) = (imaginary[k] + imaginary[m], real[m] - real[k])
            let weight = scale * weighting[k]
            pair.left[bands[k]] += weight * (lr * lr + li * li)
            pair.right[bands[k]] += weight * (rr * rr + ri * ri)
            pair.both[bands[k]] += weight * (lr * rr + li * ri)
        }
        return pair
    }

    /// Adds the spectrum of one feed at both ears to `sums`, `[ear][real, imaginary][bin]`. `isSecond` selects the
    /// second of the two feeds that were transformed together.
    private func add(
        _ real: [Double], _ imaginary: [Double], of feed: Int, isSecond: Bool, to sums: inout [Double]
    ) {
        let (count, bins) = (transform.count, transform.count / 2 + 1)
        for ear in 0..<2 {
            let response = ears[feed][ear]
            sums.withUnsafeMutableBufferPointer { sums in
                let (sumReal, sumImaginary) = (2 * ear * bins, (2 * ear + 1) * bins)
                for k in 0..<bins {
                    let m = (count - k) & (count - 1)
                    let x = isSecond ? imaginary[k] + imaginary[m] : real[k] + real[m]
                    let y = isSecond ? real[m] - real[k] : imaginary[k] - imaginary[m]
                    let (hr, hi) = (response.real[k], response.imaginary[k])
                    sums[sumReal + k] += 0.5 * (x * hr - y * hi)
                    sums[sumImaginary + k] += 0.5 * (x * hi + y * hr)
                }
            }
        }
    }
}
