import Glibc

/// Moves the magnitudes of interpolated responses towards interpolated magnitudes and keeps the phases. Each thread has
/// its own corrector.
struct MagnitudeCorrector {
    /// Largest change of a magnitude, linear (20 dB). Deeper notches of the averaged responses are filled only by this
    /// much.
    static let largestGain = 10.0

    private let transform: FourierTransform
    private let taps: Int
    /// Share of the correction in dB per bin, 0…1.
    private let shares: [Double]
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra

    init(_ features: InterpolationFeatures, shares: [Double], sampleRate: Double) {
        transform = features.transform
        taps = features.taps
        let n = features.transform.count
        self.shares = (0..<features.bins).map { bin in
            MagnitudeRanges.share(shares, at: Double(bin) * sampleRate / Double(n))
        }
        real = [Double](repeating: 0, count: n)
        imaginary = real
        ears = EarSpectra(binCount: features.bins)
    }

    /// Corrects the responses `[ear][tap]` in place towards the magnitudes `[ear][bin]`.
    mutating func correct(_ responses: UnsafeMutablePointer<Float>, by magnitudes: UnsafePointer<Float>) {
        guard shares.contains(where: { $0 > 0 }) else { return }
        let n = transform.count
        let bins = shares.count
        for i in 0..<n {
            real[i] = i < taps ? Double(responses[i]) : 0
            imaginary[i] = i < taps ? Double(responses[taps + i]) : 0
        }
        transform.forward(&real, &imaginary)
        ears.separate(real, imaginary)
        let limit = log(MagnitudeCorrector.largestGain)
        for ear in 0..<2 {
            for bin in 0..<bins where shares[bin] > 0 {
                let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                let present = 0.5 * log(max(1e-30, a * a + b * b))
                let wanted = Double(magnitudes[ear * bins + bin])
                // Splines of magnitudes fall below 0 in rare bins.
                guard wanted > 0 else { continue }
                let gain = exp(max(-limit, min(limit, log(wanted) - present)) * shares[bin])
                ears.real[ear][bin] = a * gain
                ears.imaginary[ear][bin] = b * gain
            }
        }
        ears.combine(&real, &imaginary)
        transform.inverse(&real, &imaginary)
        for i in 0..<taps {
            responses[i] = Float(real[i])
            responses[taps + i] = Float(imaginary[i])
        }
    }
}
