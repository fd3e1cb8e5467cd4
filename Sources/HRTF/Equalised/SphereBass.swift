import Geometry
import Glibc

/// The lowest frequencies of a rigid sphere, for sets whose loudspeaker had none or whose bass is noise.
///
/// Below the crossover the sphere alone, above it the measurement alone, faded in between. The sphere follows what each
/// response shows just above: its power, and its delay. Both ears' delays are fitted to the measured phases there,
/// since a sphere that has a head's interaural delays at 3 kHz has 60…80 µs (rms) others at 200 Hz; what phases have in
/// common over the set is the loudspeaker's and is faded out as a whole,
/// without a difference between ears or directions.
struct SphereBass: Sendable {
    /// Where the crossover begins and ends, hertz.
    let crossover: (low: Double, high: Double)
    /// Where levels and delays are matched, re the crossover's beginning.
    static let matching = (low: 1.67, high: 3.33)
    /// The farthest a fitted delay may be from the sphere's, seconds.
    static let largestDelay = 250e-6

    /// How much of the product of both levels the sums over the set must reach for that.
    static let coherence = 0.85

    /// The sphere's values per bin and angle of incidence.
    let table: SphereTable
    /// Share of the measurement per bin.
    let shares: [Double]
    /// Bins at which levels and delays are matched.
    let match: Range<Int>
    /// Share of a response's own level per bin; the rest is the whole set's, so that ears agree at the lowest bins.
    let own: [Double]
    /// The set's level re the sphere's; negative for a set that is stored upside down.
    var level = 1.0
    /// Where the set's common phase is there in full, re the crossover's beginning.
    static let span = 19.0

    /// Whether phases at the matching agree over the set well enough for delays to be read from them.
    var isCoherent = false
    /// Phase of the set re the sphere's per bin, unwrapped from the matching on; radians.
    var commonTurn: [Double]
    /// Share of that phase that stays, per bin. It is the loudspeaker's: taken out within the crossover's octave it
    /// would ring for milliseconds, before the onset too, so it fades in over `span`.
    let commonShares: [Double]

    /// An angle less whole turns, −π…π.
    static func wrapped(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded() }

    /// Replaces the lowest bins of one ear; `angle` of incidence in radians.
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
            // Phase beyond the sphere's and the set's: a delay's is a line through 0.
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
            // Magnitudes and phases are faded apart: a sum of spectra that differ in phase would leave a hole.
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

    /// Phase of a measured value beyond the sphere's and what the set has in common; −π…π.
    private func residual(
        _ a: Double, _ b: Double, _ sphere: (real: Double, imaginary: Double), _ bin: Int, _ sign: Double
    ) -> Double {
        let turn = atan2(
            sign * (b * sphere.real - a * sphere.imaginary), sign * (a * sphere.real + b * sphere.imaginary))
        return SphereBass.wrapped(turn - commonTurn[bin])
    }
}
