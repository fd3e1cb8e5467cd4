import Glibc

/// A first- or second-order filter of minimum phase in closed form: what one part of a body does to a response.
///
/// It is evaluated over frequency and runs at no rate; what filters samples is Signal's `SecondOrderSection`.
///
/// Sections of a generated head stand in series, as in the pinna of Geronazzo, Spagnol & Avanzini, "Mixed structural
/// modeling of head-related transfer functions for customized binaural audio delivery", DSP (2013).
enum AnalogueSection: Sendable {
    /// Gains that rise by `decibels` about `hertz`, half of it there, and stay; one pole and one zero.
    case shelf(hertz: Double, decibels: Double)
    /// A resonance, or a notch where `decibels` is negative: the gain at `hertz`, 0 dB far from it. `quality` is the
    /// frequency over the width between half the gain in dB.
    case bell(hertz: Double, quality: Double, decibels: Double)

    /// The complex response at a frequency in hertz (≥ 0), e^{+iωt}; 1 at 0 Hz. Total.
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
