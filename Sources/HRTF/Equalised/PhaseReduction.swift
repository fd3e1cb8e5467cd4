import Glibc

/// Replaces the phase of two ears' spectra by the minimum phase of their magnitudes. The onsets are kept.
///
/// The excess phase other than the delay (all-passes of the loudspeaker and the ear) is removed. The delay is measured
/// by the onset detector, so the interaural delays at the detector's frequencies are kept. Each thread has its own
/// instance.
struct PhaseReduction {
    /// Lower limit of magnitudes, dB below the largest. It bounds their logarithms.
    private static let floor = 120.0

    private var detector: OnsetDetector
    private var real: [Double]
    private var imaginary: [Double]

    /// Prepares for spectra of `count` points.
    init(count: Int, sampleRate: Double) {
        detector = OnsetDetector(count: count, sampleRate: sampleRate)
        real = [Double](repeating: 0, count: count)
        imaginary = real
    }

    /// Applies the replacement in place.
    mutating func apply(to ears: inout EarSpectra) {
        let before = onsets(ears)
        for ear in 0..<2 {
            let powers = zip(ears.real[ear], ears.imaginary[ear]).map { $0 * $0 + $1 * $1 }
            let least = max(1e-30, (powers.max() ?? 0) * pow(10, -PhaseReduction.floor / 10))
            let spectrum = MinimumPhase.spectrum(decibels: powers.map { 10 * log10(max(least, $0)) })
            for bin in spectrum.indices {
                ears.real[ear][bin] = spectrum[bin].real
                ears.imaginary[ear][bin] = spectrum[bin].imaginary
            }
        }
        let after = onsets(ears)
        ears.advance(0, by: after.left - before.left, of: real.count)
        ears.advance(1, by: after.right - before.right, of: real.count)
    }

    private mutating func onsets(_ ears: borrowing EarSpectra) -> (left: Double, right: Double) {
        ears.combine(&real, &imaginary)
        return detector.onsets(real: real, imaginary: imaginary)[0]
    }
}

extension EarSpectra {
    /// Returns the left ear's value at a bin multiplied by the complex conjugate of the right ear's.
    func cross(_ bin: Int) -> (real: Double, imaginary: Double) {
        let (a, b) = (real[0][bin], imaginary[0][bin])
        let (c, d) = (real[1][bin], imaginary[1][bin])
        return (a * c + b * d, b * c - a * d)
    }
}
