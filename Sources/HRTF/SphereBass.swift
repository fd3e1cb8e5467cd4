import Geometry
import Glibc

/// The lowest frequencies of a rigid sphere, for sets whose loudspeaker had none or whose bass is noise.
///
/// Below the crossover the sphere alone, above it the measurement alone, faded in between. The sphere follows what each
/// response shows just above: its power, and its delay. Both ears' delays are fitted to the measured phases there, since
/// a sphere that has a head's interaural delays at 3 kHz has 60…80 µs (rms) others at 200 Hz; what phases have in common
/// over the set is the loudspeaker's and is faded out as a whole, without a difference between ears or directions.
struct SphereBass: Sendable {
    /// Where the crossover begins and ends, hertz.
    let crossover: (low: Double, high: Double)
    /// Where levels and delays are matched, re the crossover's beginning.
    static let matching = (low: 1.67, high: 3.33)
    /// The farthest a fitted delay may be from the sphere's, seconds.
    static let largestDelay = 250e-6

    /// How much of the product of both levels the sums over the set must reach for that.
    static let coherence = 0.85

    private let table: SphereTable
    /// Share of the measurement per bin.
    private let shares: [Double]
    private let match: Range<Int>
    /// Share of a response's own level per bin; the rest is the whole set's, so that ears agree at the lowest bins.
    private let own: [Double]
    /// The set's level re the sphere's; negative for a set that is stored upside down.
    private var level = 1.0
    /// Where the set's common phase is there in full, re the crossover's beginning.
    static let span = 19.0

    /// Whether phases at the matching agree over the set well enough for delays to be read from them.
    private var isCoherent = false
    /// Phase of the set re the sphere's per bin, unwrapped from the matching on; radians.
    private var commonTurn: [Double]
    /// Share of that phase that stays, per bin. It is the loudspeaker's: taken out within the crossover's octave it would
    /// ring for milliseconds, before the onset too, so it fades in over `span`.
    private let commonShares: [Double]

    /// A sphere that fits a set from `low` Hz on.
    init(_ set: MeasuredSet, _ plan: ResponsePlan, _ alignment: Alignment, table: SphereTable, from low: Double) {
        self.table = table
        crossover = (low, 1.95 * low)
        let bins = table.binCount
        match = table.bins(from: SphereBass.matching.low * low, to: SphereBass.matching.high * low)
        let (first, last) = (log(low), log(crossover.high))
        shares = (0..<bins).map { bin in
            let place = (log(max(1, Double(bin) * table.binHz)) - first) / (last - first)
            let u = max(0, min(1, place))
            return u * u * (3 - 2 * u)
        }
        let lowest = crossover.high / 4.4
        own = (0..<bins).map { bin in
            max(0, min(1, log2(max(1, Double(bin) * table.binHz) / lowest) / log2(4.4)))
        }
        let end = min(log(SphereBass.span * low), log(0.95 * Double(bins - 1) * table.binHz))
        commonShares = (0..<bins).map { bin in
            let u = max(0, min(1, (log(max(1, Double(bin) * table.binHz)) - first) / (end - first)))
            return u * u * (3 - 2 * u)
        }
        commonTurn = [Double](repeating: 0, count: bins)
        var (real, imaginary) = (commonTurn, commonTurn)
        var (measured, modelled) = (0.0, 0.0)
        set.eachSpectrum(plan, alignment, at: set.some(100)) { ears, index in
            for ear in 0..<2 {
                let place = table.place(set.directions[index].incidence(ear: ear))
                for bin in 0..<bins {
                    let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                    let sphere = table.value(bin, at: place)
                    real[bin] += a * sphere.real + b * sphere.imaginary
                    imaginary[bin] += b * sphere.real - a * sphere.imaginary
                    guard match.contains(bin) else { continue }
                    measured += a * a + b * b
                    modelled += sphere.real * sphere.real + sphere.imaginary * sphere.imaginary
                }
            }
        }
        let sum = match.reduce(0) { $0 + real[$1] }
        let agreement = match.reduce(0) { $0 + hypot(real[$1], imaginary[$1]) }
        isCoherent = agreement > SphereBass.coherence * (measured * modelled).squareRoot()
        level = (measured / max(1e-30, modelled)).squareRoot() * (sum < 0 ? -1 : 1)
        guard isCoherent else { return }
        let phases = (0..<bins).map { bin in
            sum < 0 ? atan2(-imaginary[bin], -real[bin]) : atan2(imaginary[bin], real[bin])
        }
        commonTurn = phases
        for bin in (0..<match.lowerBound).reversed() {
            commonTurn[bin] = SphereBass.wrapped(phases[bin] - commonTurn[bin + 1]) + commonTurn[bin + 1]
        }
        for bin in match.lowerBound..<bins where bin > 0 {
            commonTurn[bin] = SphereBass.wrapped(phases[bin] - commonTurn[bin - 1]) + commonTurn[bin - 1]
        }
    }

    private static func wrapped(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded() }

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
