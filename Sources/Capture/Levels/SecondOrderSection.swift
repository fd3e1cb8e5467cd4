import Glibc

/// A recursive filter of second order with its state, in double precision (transposed direct form II).
struct SecondOrderSection {
    private let b0: Double, b1: Double, b2: Double, a1: Double, a2: Double
    private var s1 = 0.0, s2 = 0.0

    /// A high-pass with a quality at hertz (R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter
    /// coefficients").
    init(highPass hertz: Double, quality: Double, sampleRate: Double) {
        let (cosine, alpha) = Self.angle(hertz, quality, sampleRate)
        let a0 = 1 + alpha
        (b0, b1, b2) = ((1 + cosine) / 2 / a0, -(1 + cosine) / a0, (1 + cosine) / 2 / a0)
        (a1, a2) = (-2 * cosine / a0, (1 - alpha) / a0)
    }

    /// A low-pass likewise.
    init(lowPass hertz: Double, quality: Double, sampleRate: Double) {
        let (cosine, alpha) = Self.angle(hertz, quality, sampleRate)
        let a0 = 1 + alpha
        (b0, b1, b2) = ((1 - cosine) / 2 / a0, (1 - cosine) / a0, (1 - cosine) / 2 / a0)
        (a1, a2) = (-2 * cosine / a0, (1 - alpha) / a0)
    }

    private static func angle(_ hertz: Double, _ quality: Double, _ rate: Double) -> (cosine: Double, alpha: Double) {
        let angle = 2 * Double.pi * min(hertz, 0.49 * rate) / rate
        return (cos(angle), sin(angle) / (2 * quality))
    }

    /// The next sample.
    mutating func callAsFunction(_ x: Double) -> Double {
        let y = b0 * x + s1
        s1 = b1 * x - a1 * y + s2
        s2 = b2 * x - a2 * y
        return y
    }
}
