import Glibc

/// A first- or second-order minimum-phase filter in closed form: the effect of one part of the body.
///
/// It is evaluated at frequencies and has no sample rate. Signal's `SecondOrderSection` filters samples.
///
/// Sections of a generated head stand in series, as in the pinna of Geronazzo, Spagnol & Avanzini, "Mixed structural
/// modeling of head-related transfer functions for customized binaural audio delivery", DSP (2013).
enum AnalogueSection: Sendable {
    /// A shelf: the gain rises by `decibels` in all, by half of it at `hertz`; one pole and one zero.
    case shelf(hertz: Double, decibels: Double)
    /// A resonance, or a notch where `decibels` is negative: the gain at `hertz`; far from it 0 dB. `quality` is
    /// `hertz` over the width at half the gain in dB.
    case bell(hertz: Double, quality: Double, decibels: Double)

    /// Returns the complex response at a frequency in hertz (≥ 0), e^{+iωt}; 1 at 0 Hz. Total.
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
