import Glibc

/// The two filters of ITU-R BS.1770-5, Annex 1, before the mean square: a shelf for the head, then a high-pass.
///
/// The recommendation tabulates coefficients for 48 kHz and asks for the same response at other rates. These are the
/// analogue prototypes behind its table (fitted by Mansbridge, Finn and Reiss, "Implementation and evaluation of autonomous
/// multi-track fader control", 2012), transformed bilinearly; at 48 kHz they give the table to all its digits.
struct KWeighting {
    /// One section: y = b·x − a·y, a₀ = 1.
    struct Section: BitwiseCopyable {
        var b0: Double, b1: Double, b2: Double, a1: Double, a2: Double
    }

    /// +4 dB above 1.7 kHz.
    let shelf: Section
    /// Second order, 38 Hz.
    let highPass: Section

    /// The filters at a rate in hertz.
    init(sampleRate: Double) {
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
}
