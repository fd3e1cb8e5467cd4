import Glibc
import Signal

extension SecondOrderSection {
    /// Designs a filter at a rate in hertz. A centre above 0.49 of the rate is moved to 0.49 of the rate.
    ///
    /// R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients". The frequency of a shelf with a
    /// slope S may be that of its corner. As in Equalizer APO, the centre is then the corner times 10^(|gain|/(80·S))
    /// for a low shelf, or divided by this factor for a high shelf.
    package init(_ filter: EqualiserFilter, sampleRate: Double) {
        let amplitude = pow(10, filter.gain / 40)
        let angle = 2 * .pi * Self.centre(filter, sampleRate: sampleRate) / sampleRate
        let (sine, cosine) = (sin(angle), cos(angle))
        let alpha: Double
        switch filter.width {
        case .quality(let quality): alpha = sine / (2 * quality)
        case .octaves(let octaves):
            // Close to half the rate the warped width of the cookbook is unbounded.
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
            // The high shelf is the low shelf with inverted signs of the odd powers of z and of the cosine.
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
        self.init(numerator: b, denominator: a)
    }

    /// Returns the centre frequency of a filter, hertz, at most 0.49 of the rate.
    static func centre(_ filter: EqualiserFilter, sampleRate: Double) -> Double {
        var hertz = filter.hertz
        if filter.kind.isShelf, filter.isCorner, case .slope(let slope) = filter.width {
            let shift = pow(10, abs(filter.gain) / (80 * slope))
            hertz = filter.kind == .lowShelf ? hertz * shift : hertz / shift
        }
        return min(hertz, 0.49 * sampleRate)
    }
}
