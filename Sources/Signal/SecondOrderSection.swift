import Glibc

/// Second-order filter section: y[n] = b₀x[n] + b₁x[n−1] + b₂x[n−2] − a₁y[n−1] − a₂y[n−2].
///
/// It has the coefficients and computes their response. `SecondOrderFilter` and its variants filter samples.
package struct SecondOrderSection: BitwiseCopyable, Hashable, Sendable {
    /// Coefficients for a₀ = 1.
    package var b0: Double, b1: Double, b2: Double, a1: Double, a2: Double

    /// Section that changes no sample.
    package static let identity = SecondOrderSection(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

    /// Makes a section from its coefficients for a₀ = 1.
    package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    /// Makes a section from the coefficients of numerator and denominator, beginning with the power 0 of z⁻¹. `a.0`
    /// must not be 0.
    package init(numerator b: (Double, Double, Double), denominator a: (Double, Double, Double)) {
        self.init(b0: b.0 / a.0, b1: b.1 / a.0, b2: b.2 / a.0, a1: a.1 / a.0, a2: a.2 / a.0)
    }

    /// Makes a high-pass with a corner frequency in hertz and a quality factor (R. Bristow-Johnson, "Cookbook formulae
    /// for audio EQ biquad filter coefficients"). A frequency above 0.49 times the sample rate is replaced by this
    /// limit.
    package init(highPass hertz: Double, quality: Double, sampleRate: Double) {
        let (cosine, alpha) = Self.angle(hertz, quality, sampleRate)
        self.init(
            numerator: ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2),
            denominator: (1 + alpha, -2 * cosine, 1 - alpha))
    }

    /// Makes a low-pass with a corner frequency in hertz and a quality factor. The limit is that of the high-pass.
    package init(lowPass hertz: Double, quality: Double, sampleRate: Double) {
        let (cosine, alpha) = Self.angle(hertz, quality, sampleRate)
        self.init(
            numerator: ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2),
            denominator: (1 + alpha, -2 * cosine, 1 - alpha))
    }

    /// Qualities of the two sections of a fourth-order Butterworth filter: 1/(2·cos(π/8)) and 1/(2·cos(3π/8)).
    package static let butterworth4 = [0.541_196_1, 1.306_562_96]

    private static func angle(_ hertz: Double, _ quality: Double, _ rate: Double) -> (cosine: Double, alpha: Double) {
        let angle = 2 * Double.pi * min(hertz, 0.49 * rate) / rate
        return (cos(angle), sin(angle) / (2 * quality))
    }

    /// Returns the power gain |H|² at `angle` radians per sample, 0…π.
    package func power(at angle: Double) -> Double {
        let (top, bottom) = response(at: angle)
        return (top.0 * top.0 + top.1 * top.1) / (bottom.0 * bottom.0 + bottom.1 * bottom.1)
    }

    /// Returns the amplitude gain |H| at `angle` radians per sample.
    package func magnitude(at angle: Double) -> Double {
        let (top, bottom) = response(at: angle)
        return hypot(top.0, top.1) / hypot(bottom.0, bottom.1)
    }

    /// Returns numerator and denominator of H at `angle` radians per sample, each as real and imaginary part, for the
    /// convention e^{−iωt}.
    private func response(at angle: Double) -> (top: (Double, Double), bottom: (Double, Double)) {
        let (c1, s1, c2, s2) = (cos(angle), sin(angle), cos(2 * angle), sin(2 * angle))
        return ((b0 + b1 * c1 + b2 * c2, b1 * s1 + b2 * s2), (1 + a1 * c1 + a2 * c2, a1 * s1 + a2 * s2))
    }

    /// Whether both poles lie inside the unit circle, and the numerator is finite.
    package var isStable: Bool {
        b0.isFinite && b1.isFinite && b2.isFinite && abs(a2) < 1 && abs(a1) < 1 + a2
    }

    /// The larger of the magnitudes of the two poles.
    package var poleRadius: Double {
        let root = a1 * a1 / 4 - a2
        return root < 0 ? a2.squareRoot() : abs(a1) / 2 + root.squareRoot()
    }
}
