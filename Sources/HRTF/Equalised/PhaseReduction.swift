import Glibc

/// Replaces the phase of two ears' spectra by the least that their magnitudes allow, with the onsets where they were.
///
/// What a response has beyond its minimum phase and its delay (the loudspeaker's and the ear's all-pass) goes; the
/// delay is the onset's, so that at the onset detector's frequencies interaural delays stay as they were.
/// One per thread.
struct PhaseReduction {
    /// Below the largest magnitude, what is taken for nothing, dB: logarithms end there.
    private static let floor = 120.0

    private var detector: OnsetDetector
    private var real: [Double]
    private var imaginary: [Double]

    /// For spectra of `count` points.
    init(count: Int, sampleRate: Double) {
        detector = OnsetDetector(count: count, sampleRate: sampleRate)
        real = [Double](repeating: 0, count: count)
        imaginary = real
    }

    /// In place.
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
    /// The left ear's value at a bin times the right ear's conjugate.
    func cross(_ bin: Int) -> (real: Double, imaginary: Double) {
        let (a, b) = (real[0][bin], imaginary[0][bin])
        let (c, d) = (real[1][bin], imaginary[1][bin])
        return (a * c + b * d, b * c - a * d)
    }
}
