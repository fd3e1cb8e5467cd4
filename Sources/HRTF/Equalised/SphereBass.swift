import Geometry
import Glibc

/// Replaces the lowest frequencies by those of a rigid sphere, for sets that have no bass, or only noise in the bass.
///
/// Below the crossover only the sphere plays, above the crossover only the measurement, with a fade between them. The
/// level and the delay of the sphere are fitted to each response in an octave from near the crossover's end (`match`).
/// The delays are fitted to the measured phases, because the interaural delays of a sphere that has a head's delays at
/// 3 kHz deviate by 60…80 µs (RMS) at 200 Hz. The phase common to the whole set is the loudspeaker's. It is faded out
/// towards low frequencies, equally for both ears and all directions.
struct SphereBass: Sendable {
    /// Start and end of the crossover, hertz.
    let crossover: (low: Double, high: Double)
    /// Largest deviation of a fitted delay from the sphere's, seconds.
    static let largestDelay = 250e-6

    /// Least coherence of set and sphere for a fit of delays: the magnitude of their summed cross spectrum divided by
    /// the product of their levels.
    static let coherence = 0.85

    /// Spectra of the sphere for each angle of incidence.
    let table: SphereTable
    /// Share of the measurement per bin, 0…1.
    let shares: [Double]
    /// Bins in which levels and delays are fitted.
    let match: Range<Int>
    /// Share of a response's own level in the level of the sphere, per bin. The rest is the set's mean level, so that
    /// both ears are equally loud at the lowest bins.
    let own: [Double]
    /// Level of the set relative to the sphere's, linear; negative for a set of inverted polarity.
    var level = 1.0
    /// Frequency from which the set's common phase is kept completely, as a multiple of the crossover's start. It is at
    /// most 0.95 of the table's highest frequency.
    static let span = 19.0

    /// Whether the phases in the range of the match agree over the set well enough for a fit of delays.
    var isCoherent = false
    /// Common phase of the set relative to the sphere's per bin, radians, unwrapped from the match's lowest bin to
    /// lower and to higher bins.
    var commonTurn: [Double]
    /// Share of the common phase that is kept, per bin. The phase is the loudspeaker's. If it were removed within the
    /// crossover, the responses would ring for milliseconds, also before the onset. So the share rises from 0 at the
    /// crossover's start to 1 at the end of `span`.
    let commonShares: [Double]

    /// Returns an angle without whole turns, −π…π.
    static func wrapped(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded() }

    /// Replaces the lowest bins of one ear for an angle of incidence in radians.
    func replace(in ears: inout EarSpectra, ear: Int, angle: Double) {
        let place = table.place(angle)
        let sign = level < 0 ? -1.0 : 1.0
        var (measured, modelled) = (0.0, 0.0)
        var (slope, square) = (0.0, 0.0)
        for bin in match {
            let sphere = table.value(bin, at: place)
            let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
            measured += a * a + b * b
            modelled += sphere.real * sphere.real + sphere.imaginary * sphere.imaginary
            // Phase other than the sphere's and the common phase. The phase of a delay is a line through 0.
            let turn = residual(a, b, sphere, bin, sign)
            let weight = (a * a + b * b).squareRoot()
            slope += weight * Double(bin) * turn
            square += weight * Double(bin) * Double(bin)
        }
        let gain = (measured / max(1e-30, modelled)).squareRoot()
        let limit = 2 * .pi * table.binHz * SphereBass.largestDelay
        let perBin = !isCoherent ? 0 : max(-limit, min(limit, slope / max(1e-30, square)))
        for bin in shares.indices where shares[bin] < 1 || commonShares[bin] < 1 {
            let sphere = table.value(bin, at: place)
            let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
            let scale = exp(own[bin] * log(max(1e-15, gain)) + (1 - own[bin]) * log(max(1e-15, abs(level))))
            let size = scale * hypot(sphere.real, sphere.imaginary)
            // Magnitude and phase are faded separately, because a sum of spectra with different phases would have a
            // notch.
            let share = shares[bin]
            let joined = exp((1 - share) * log(max(1e-15, size)) + share * log(max(1e-15, hypot(a, b))))
            let delayed = perBin * Double(bin)
            let rest = share == 0 ? 0 : SphereBass.wrapped(residual(a, b, sphere, bin, sign) - delayed)
            let phase =
                atan2(sign * sphere.imaginary, sign * sphere.real) + delayed + share * rest
                + commonShares[bin] * commonTurn[bin]
            ears.real[ear][bin] = joined * cos(phase)
            ears.imaginary[ear][bin] = joined * sin(phase)
        }
    }

    /// Returns the phase of a measured value without the sphere's and the common phase, −π…π.
    private func residual(
        _ a: Double, _ b: Double, _ sphere: (real: Double, imaginary: Double), _ bin: Int, _ sign: Double
    ) -> Double {
        let turn = atan2(
            sign * (b * sphere.real - a * sphere.imaginary), sign * (a * sphere.real + b * sphere.imaginary))
        return SphereBass.wrapped(turn - commonTurn[bin])
    }
}
