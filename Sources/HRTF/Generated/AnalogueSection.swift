import Glibc

/// A first- or second-order minimum-phase filter in closed form, the effect of one part of the body.
///
/// It is evaluated at frequencies and has no sample rate. `SecondOrderSection` in Signal filters samples.
///
/// The sections of a generated head are in series, as in the pinna of Geronazzo, Spagnol & Avanzini, "Mixed structural
/// modeling of head-related transfer functions for customized binaural audio delivery", DSP (2013).
enum AnalogueSection: Sendable {
    /// A shelf with one pole and one zero. The gain rises by `decibels` in total, and by half of this at `hertz`.
    case shelf(hertz: Double, decibels: Double)
    /// A resonance, or a notch if `decibels` is negative. `decibels` is the gain at `hertz`; far from it the gain is 0
    /// dB. `quality` is `hertz` divided by the width at half the gain in dB.
    case bell(hertz: Double, quality: Double, decibels: Double)

    /// Returns the complex response at any frequency ≥ 0 in hertz, for e^{+iωt}; it is 1 at 0 Hz.
    func response(at frequency: Double) -> (real: Double, imaginary: Double) {
        switch self {
        case .shelf(let hertz, let decibels):
            let root = pow(10, decibels / 40)
            let x = frequency / hertz
            return AnalogueSection.quotient((1, x * root), (1, x / root))
        case .bell(let hertz, let quality, let decibels):
            let root = pow(10, decibels / 40)
            let x = frequency / hertz
            return AnalogueSection.quotient((1 - x * x, x * root / quality), (1 - x * x, x / (root * quality)))
        }
    }

    private static func quotient(
        _ a: (Double, Double), _ b: (Double, Double)
    ) -> (real: Double, imaginary: Double) {
        let square = b.0 * b.0 + b.1 * b.1
        return ((a.0 * b.0 + a.1 * b.1) / square, (a.1 * b.0 - a.0 * b.1) / square)
    }
}
