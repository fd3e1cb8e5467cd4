import Glibc

/// The two filters of ITU-R BS.1770-5, Annex 1, before the mean square: a shelf for the head, then a high-pass.
///
/// The recommendation tabulates coefficients for 48 kHz and asks for the same response at other rates. These are the
/// analogue prototypes behind its table (fitted by Mansbridge, Finn and Reiss, "Implementation and evaluation of
/// autonomous multi-track fader control", 2012), transformed bilinearly; at 48 kHz they give the table to all its
/// digits.
package struct KWeighting: Sendable {
    /// One section: y = b·x − a·y, a₀ = 1.
    package struct Section: BitwiseCopyable, Sendable {
        /// Coefficients at the filter's rate.
        package let b0: Double, b1: Double, b2: Double, a1: Double, a2: Double

        /// Its gain at `angle` radians per sample.
        fileprivate func magnitude(_ angle: Double) -> Double {
            let (c1, s1, c2, s2) = (cos(angle), sin(angle), cos(2 * angle), sin(2 * angle))
            let top = hypot(b0 + b1 * c1 + b2 * c2, b1 * s1 + b2 * s2)
            return top / hypot(1 + a1 * c1 + a2 * c2, a1 * s1 + a2 * s2)
        }
    }

    /// +4 dB above 1.7 kHz.
    package let shelf: Section
    /// Second order, 38 Hz.
    package let highPass: Section
    private let sampleRate: Double

    /// The filters at a rate in hertz.
    package init(sampleRate: Double) {
        self.sampleRate = sampleRate
        let high = pow(10, 3.999_843_853_973_347 / 20)
        let band = pow(high, 0.499_666_774_154_541_6)
        var k = tan(.pi * 1681.974_450_955_533 / sampleRate)
        var q = 0.707_175_236_955_419_6
        var a0 = 1 + k / q + k * k
        shelf = Section(
            b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
            a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
        k = tan(.pi * 38.135_470_876_024_44 / sampleRate)
        q = 0.500_327_037_323_877_3
        a0 = 1 + k / q + k * k
        // Numerator 1 −2 1, not divided by a₀, as in the table.
        highPass = Section(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    /// Gain of both filters at a frequency of 0 to half the rate, for sound that is weighted by its spectrum.
    package func magnitude(at hertz: Double) -> Double {
        let angle = 2 * .pi * hertz / sampleRate
        return shelf.magnitude(angle) * highPass.magnitude(angle)
    }

    /// LUFS of a mean power of weighted samples, summed over weighted channels; −∞ for 0.
    package static func loudness(power: Double) -> Double { -0.691 + 10 * log10(power) }
}
