import Glibc
import Signal

// Spectra of the delay interpolator at the frequencies of the transforms.
extension SpectralField {
    /// Returns θ_k² of the bins `some` of a spectrum with `bins` bins. θ_k = π(2k + ½)/bins is the frequency of bin k,
    /// radians per sample, folded at the Nyquist frequency. Bins below 0 are negative frequencies.
    static func makeSquares(_ some: Range<Int>, of bins: Int) -> ConstantMemory<Float> {
        let squares = some.map { k in
            let theta = .pi * (2 * Double(k) + 0.5) / Double(bins)
            let folded = min(theta, 2 * .pi - theta)
            return Float(folded * folded)
        }
        return ConstantMemory(squares)
    }

    /// Range, relative to the Nyquist frequency, over which the interpolator's computed spectrum is faded in. In the
    /// range, the spectrum's ripples and its image are at most −104 dB. Below the range the interpolator counts as 1
    /// and its image as 0. In the mirrored range above the Nyquist frequency the computed spectrum is faded out. Above
    /// the mirrored range the interpolator counts as 0 and its image as 1.
    private static let onset = (from: 0.7, to: 0.8)

    /// Returns the chunks of 16 bins from the start of `onset` to its mirror above the Nyquist frequency. In all other
    /// chunks the interpolator and its image count as 1 or 0.
    static func blendedChunks(bins: Int) -> Range<Int> {
        // θ_k/π = (2k + ½)/bins.
        let first = max(0, Int(((onset.from * Double(bins) - 0.5) / 2).rounded(.down)))
        let last = min(bins - 1, Int((((2 - onset.from) * Double(bins) - 0.5) / 2).rounded(.up)))
        return (first / 16)..<(last / 16 + 1)
    }

    /// Returns the interpolator's spectrum at θ_k = 2π(2k + ½)/n and at θ_k − 2π, faded in over `onset`; n = 2·bins.
    /// Each chunk holds 16 values at θ_k, and then 16 at θ_k − 2π.
    ///
    /// It is the Fourier transform of sinc(t)·w(t), the continuous function that `DelayKernel` samples, computed by the
    /// trapezoidal rule in double precision and divided by its value at 0 Hz. Further images are below the window's
    /// −100 dB.
    static func makeImages(bins: Int, chunks: Range<Int>) -> UnsafeMutablePointer<Float> {
        let steps = 32 * DelayKernel.taps / 2
        let kernel = (0...steps).map { DelayKernel.value(at: Double($0) / 32) }
        func transform(_ theta: Double) -> Double {
            var sum = kernel[0]
            // cos by recurrence: cos((i + 1)a) = 2 cos a · cos ia − cos((i − 1)a).
            let a = theta / 32
            let twice = 2 * cos(a)
            var (before, now) = (1.0, cos(a))
            for i in 1...steps {
                sum += 2 * kernel[i] * now
                (before, now) = (now, twice * now - before)
            }
            return sum
        }
        let level = transform(0)
        let images = AlignedMemory.allocate(Float.self, count: 32 * chunks.count)
        for k in (16 * chunks.lowerBound)..<(16 * chunks.upperBound) {
            let theta = .pi * (2 * Double(k) + 0.5) / Double(bins)
            let at = images + (k / 16 - chunks.lowerBound) * 32 + k % 16
            let u = max(0, min(1, (1 - abs(theta / .pi - 1) - onset.from) / (onset.to - onset.from)))
            let share = u * u * (3 - 2 * u)
            let passes = theta < .pi ? (1.0, 0.0) : (0.0, 1.0)
            at.initialize(to: Float(passes.0 + share * (transform(theta) / level - passes.0)))
            (at + 16).initialize(to: Float(passes.1 + share * (transform(theta - 2 * .pi) / level - passes.1)))
        }
        return images
    }
}
