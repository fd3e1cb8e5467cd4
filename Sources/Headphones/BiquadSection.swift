import Glibc

/// A filter of second order: y[n] = b₀x[n] + b₁x[n−1] + b₂x[n−2] − a₁y[n−1] − a₂y[n−2].
package struct BiquadSection: BitwiseCopyable, Hashable, Sendable {
    /// Coefficients, a₀ = 1.
    package var b0: Double, b1: Double, b2: Double, a1: Double, a2: Double

    /// It passes everything as it is.
    package static let identity = BiquadSection(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

    /// A filter at a rate in hertz. A centre at or beyond half the rate is taken at 0.49 of the rate.
    ///
    /// R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients". As in Equalizer APO, which the
    /// text's authors listen with, a shelf that is given by its corner has its middle 10^(|gain|/(80·S)) further in.
    package init(_ filter: EqualiserFilter, sampleRate: Double) {
        let amplitude = pow(10, filter.gain / 40)
        let angle = 2 * .pi * Self.centre(filter, sampleRate: sampleRate) / sampleRate
        let (sine, cosine) = (sin(angle), cos(angle))
        let alpha: Double
        switch filter.width {
        case .quality(let quality): alpha = sine / (2 * quality)
        case .octaves(let octaves):
            // Close to half the rate the cookbook's warped width has no bound.
            alpha = sine * min(1e9, sinh(log(2) / 2 * octaves * angle / sine))
        case .slope(let slope):
            let term = (amplitude + 1 / amplitude) * (1 / slope - 1) + 2
            alpha = sine / 2 * max(0, term).squareRoot()
        }
        let b: (Double, Double, Double)
        let a: (Double, Double, Double)
        switch filter.kind {
        case .peak:
            b = (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude)
            a = (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude)
        case .lowShelf, .highShelf:
            // The high shelf is the low one with the sign of every other power of z turned over, and of the cosine.
            let sign: Double = filter.kind == .lowShelf ? 1 : -1
            let (c, root) = (sign * cosine, 2 * amplitude.squareRoot() * alpha)
            let (plus, minus) = (amplitude + 1, amplitude - 1)
            b = (
                amplitude * (plus - minus * c + root), sign * 2 * amplitude * (minus - plus * c),
                amplitude * (plus - minus * c - root)
            )
            a = (plus + minus * c + root, sign * -2 * (minus + plus * c), plus + minus * c - root)
        case .lowPass:
            b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
            a = (1 + alpha, -2 * cosine, 1 - alpha)
        case .highPass:
            b = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
            a = (1 + alpha, -2 * cosine, 1 - alpha)
        case .bandPass:
            b = (alpha, 0, -alpha)
            a = (1 + alpha, -2 * cosine, 1 - alpha)
        case .notch:
            b = (1, -2 * cosine, 1)
            a = (1 + alpha, -2 * cosine, 1 - alpha)
        case .allPass:
            b = (1 - alpha, -2 * cosine, 1 + alpha)
            a = (1 + alpha, -2 * cosine, 1 - alpha)
        }
        self.init(b0: b.0 / a.0, b1: b.1 / a.0, b2: b.2 / a.0, a1: a.1 / a.0, a2: a.2 / a.0)
    }

    init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    /// Hertz of a filter's middle, at most 0.49 of the rate.
    static func centre(_ filter: EqualiserFilter, sampleRate: Double) -> Double {
        var hertz = filter.hertz
        if filter.kind.isShelf, filter.isCorner, case .slope(let slope) = filter.width {
            let shift = pow(10, abs(filter.gain) / (80 * slope))
            hertz = filter.kind == .lowShelf ? hertz * shift : hertz / shift
        }
        return min(hertz, 0.49 * sampleRate)
    }

    /// |H|² at `angle` radians per sample, 0…π.
    package func power(at angle: Double) -> Double {
        let (c1, s1, c2, s2) = (cos(angle), sin(angle), cos(2 * angle), sin(2 * angle))
        let top = (b0 + b1 * c1 + b2 * c2, b1 * s1 + b2 * s2)
        let bottom = (1 + a1 * c1 + a2 * c2, a1 * s1 + a2 * s2)
        return (top.0 * top.0 + top.1 * top.1) / (bottom.0 * bottom.0 + bottom.1 * bottom.1)
    }

    /// Whether both poles lie within the unit circle, and all numbers are finite.
    package var isStable: Bool {
        [b0, b1, b2].allSatisfy(\.isFinite) && abs(a2) < 1 && abs(a1) < 1 + a2
    }
}
