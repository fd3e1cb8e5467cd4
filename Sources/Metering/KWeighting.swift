import Glibc
import Signal

/// The two filters of ITU-R BS.1770-5, Annex 1, before the mean square: a shelf for the head, then a high-pass.
///
/// The recommendation tabulates coefficients for 48 kHz and requires the same response at other rates. These filters
/// are the analogue prototypes of that table (fitted by Mansbridge, Finn and Reiss, "Implementation and evaluation of
/// autonomous multi-track fader control", 2012) after a bilinear transform. At 48 kHz they match all digits of the
/// table.
package struct KWeighting: Sendable {
    /// Shelf of +4 dB at high frequencies, +2 dB at 1.7 kHz.
    package let shelf: SecondOrderSection
    /// High-pass of second order, 38 Hz.
    package let highPass: SecondOrderSection
    private let sampleRate: Double

    /// Creates the filters for a rate in hertz.
    package init(sampleRate: Double) {
        self.sampleRate = sampleRate
        let high = pow(10, 3.999_843_853_973_347 / 20)
        let band = pow(high, 0.499_666_774_154_541_6)
        var k = tan(.pi * 1681.974_450_955_533 / sampleRate)
        var q = 0.707_175_236_955_419_6
        var a0 = 1 + k / q + k * k
        shelf = SecondOrderSection(
            b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
            a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
        k = tan(.pi * 38.135_470_876_024_44 / sampleRate)
        q = 0.500_327_037_323_877_3
        a0 = 1 + k / q + k * k
        // Numerator 1 −2 1, not divided by a₀, as in the table.
        highPass = SecondOrderSection(
            b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    /// Returns the gain of both filters together, linear, at a frequency from 0 to half the rate.
    package func magnitude(at hertz: Double) -> Double {
        let angle = 2 * .pi * hertz / sampleRate
        return shelf.magnitude(at: angle) * highPass.magnitude(at: angle)
    }

    /// Returns the loudness, LUFS, of `power`: the mean square of the filtered samples, summed over the channels with
    /// their weights. −∞ for 0.
    package static func loudness(power: Double) -> Double { -0.691 + 10 * log10(power) }
}
