import Glibc

/// Curves of stored responses for display: levels over frequency, energy over time, and onsets. Nothing is equalised.
/// Must be used by one thread at a time.
package struct ResponseCurves {
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// Frequencies of the levels, hertz, 24 per octave. The lowest is the lowest that the length of the responses
    /// resolves, within 20…100 Hz. The highest is 20 kHz or 0.45 of the rate, whichever is lower.
    package let frequencies: [Double]

    private let transform: FourierTransform
    private var detector: OnsetDetector
    private var real: [Double]
    private var imaginary: [Double]

    /// Prepares for responses of `sampleCount` samples.
    package init(sampleRate: Double, sampleCount: Int) {
        self.sampleRate = sampleRate
        transform = FourierTransform(minimumCount: max(1024, 2 * sampleCount))
        detector = OnsetDetector(count: max(256, transform.count), sampleRate: sampleRate)
        real = [Double](repeating: 0, count: transform.count)
        imaginary = real
        let bottom = max(20, min(100, sampleRate / Double(max(1, sampleCount))))
        let top = min(20_000, 0.45 * sampleRate)
        let steps = max(1, Int(24 * log2(top / bottom)))
        frequencies = (0...steps).map { bottom * pow(top / bottom, Double($0) / Double(steps)) }
    }

    /// Curves of one pair of responses.
    package struct Pair: Sendable {
        /// Levels at `frequencies`, dB relative to 1, `[ear][frequency]`: mean power over a twelfth of an octave.
        package var levels: [[Double]]
        /// Squared envelope (magnitude of the analytic signal) without delays, `[ear][sample]`.
        package var energies: [[Double]]
        /// Onset without delays, samples from the response's start, `[ear]`: the first time at which the 3 kHz
        /// low-passed response is within 10 dB of its peak; see `OnsetDetector`.
        package var onsets: [Double]
    }

    /// Returns the curves of one pair. O(n log n).
    package mutating func look(at left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Pair {
        let n = transform.count
        for i in 0..<n { (real[i], imaginary[i]) = (0, 0) }
        for (i, value) in left.enumerated() { real[i] = Double(value) }
        for (i, value) in right.enumerated() { imaginary[i] = Double(value) }
        transform.forward(&real, &imaginary)
        let onset = detector.onsets(real: real, imaginary: imaginary)[0]
        // Two real signals from one complex spectrum: its conjugate-even and conjugate-odd parts.
        var spectra = [[(Double, Double)]](repeating: [], count: 2)
        for k in 0...(n / 2) {
            let m = (n - k) % n
            spectra[0].append(((real[k] + real[m]) / 2, (imaginary[k] - imaginary[m]) / 2))
            spectra[1].append(((imaginary[k] + imaginary[m]) / 2, (real[m] - real[k]) / 2))
        }
        let pairs = spectra.map { spectrum in (levels(spectrum), energy(spectrum, count: left.count)) }
        return Pair(
            levels: pairs.map(\.0), energies: pairs.map(\.1), onsets: [onset.left, onset.right])
    }

    private func levels(_ spectrum: [(Double, Double)]) -> [Double] {
        let width = sampleRate / Double(transform.count)
        let edge = pow(2, 1.0 / 24)
        return frequencies.map { frequency in
            let low = max(1, min(spectrum.count - 1, Int((frequency / edge / width).rounded())))
            let high = max(low, min(spectrum.count - 1, Int((frequency * edge / width).rounded())))
            let power = spectrum[low...high].reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } / Double(high - low + 1)
            return 10 * log10(max(power, 1e-20))
        }
    }

    /// Returns the squared magnitude of the analytic signal, whose spectrum has no negative frequencies.
    private func energy(_ spectrum: [(Double, Double)], count: Int) -> [Double] {
        let n = transform.count
        var (re, im) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        for k in 0...(n / 2) {
            let weight = k == 0 || k == n / 2 ? 1.0 : 2
            (re[k], im[k]) = (weight * spectrum[k].0, weight * spectrum[k].1)
        }
        transform.inverse(&re, &im)
        return (0..<count).map { re[$0] * re[$0] + im[$0] * im[$0] }
    }
}
