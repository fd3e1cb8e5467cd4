import Glibc

/// The lowest frequencies of a rigid sphere, for sets whose loudspeaker had none.
///
/// Below 180 Hz the sphere alone, above 350 Hz the measurement alone, crossfaded in between; the sphere's level follows
/// each response's power at 300…600 Hz, its delay the response's onset (not its low-frequency phase, which is the
/// loudspeaker's). Below 300 Hz heads differ from spheres by less than 1 dB (Algazi et al., "Approximating the
/// head-related transfer function using simple geometric models of the head and torso", JASA 112 (2002)).
struct SphereBass: Sendable {
    /// Where the crossfade begins and ends, hertz.
    static let crossover = (low: 180.0, high: 350.0)
    /// Where levels are matched, hertz.
    static let matching = (low: 300.0, high: 600.0)

    /// `[angle][bin]` with the onset at the preroll, bins up to the end of `matching`.
    private let spectra: [[(real: Double, imaginary: Double)]]
    /// Share of the measurement per bin.
    private let shares: [Double]
    private let match: Range<Int>
    /// Share of a response's own level per bin; the rest is the whole set's, so that ears agree at the lowest bins.
    private let own: [Double]
    /// The set's level re the sphere's; negative for a set that is stored upside down.
    var level = 1.0

    /// For spectra of `count` points whose onsets stand at `preroll`.
    init(radius: Double, sampleRate: Double, count: Int, preroll: Int) {
        let binHz = sampleRate / Double(count)
        let bins = Int(SphereBass.matching.high / binHz) + 1
        match = Int((SphereBass.matching.low / binHz).rounded(.up))..<bins
        shares = (0..<bins).map { bin in
            let frequency = max(1, Double(bin) * binHz)
            let place =
                log(frequency / SphereBass.crossover.low) / log(SphereBass.crossover.high / SphereBass.crossover.low)
            let u = max(0, min(1, place))
            return u * u * (3 - 2 * u)
        }
        own = (0..<bins).map { bin in
            let octaves = log2(max(1, Double(bin) * binHz) / 80)
            return max(0, min(1, octaves / log2(SphereBass.crossover.high / 80)))
        }
        let sphere = RigidSphere(radius: max(0.05, radius))
        let angles = (0...36).map { Double.pi * Double($0) / 36 }
        let cosines = angles.map { cos($0) }
        let lag = SphereBass.onsetLag(of: sphere, sampleRate: sampleRate, steps: 36)
        let responses = (0..<bins).map { sphere.response(frequency: Double($0) * binHz, cosines: cosines) }
        spectra = angles.indices.map { index in
            let advance = sphere.arrival(angle: angles[index]) - (Double(preroll) - lag[index]) / sampleRate
            return (0..<bins).map { bin in
                let turn = 2 * .pi * Double(bin) * binHz * advance
                let value = responses[bin][index]
                return (
                    value.real * cos(turn) - value.imaginary * sin(turn),
                    value.real * sin(turn) + value.imaginary * cos(turn)
                )
            }
        }
    }

    /// How much later than Woodworth's arrival the onset detector sees the sphere's response, samples per angle.
    private static func onsetLag(of sphere: RigidSphere, sampleRate: Double, steps: Int) -> [Double] {
        let preroll = 32.0
        let taps = 256
        let rate = max(44_100, sampleRate)
        let table = sphere.alignedResponses(rateHz: rate, preroll: preroll, taps: taps, steps: steps)
        let transform = FourierTransform(minimumCount: 2 * taps)
        var detector = OnsetDetector(count: transform.count, sampleRate: rate)
        return table.map { response in
            var real = (0..<transform.count).map { $0 < taps ? Double(response[$0]) : 0 }
            var imaginary = [Double](repeating: 0, count: transform.count)
            transform.forward(&real, &imaginary)
            return (detector.onsets(real: real, imaginary: imaginary)[0].left - preroll) * sampleRate / rate
        }
    }

    /// Replaces the lowest bins of one ear; `angle` of incidence in radians.
    func replace(in ears: inout EarSpectra, ear: Int, angle: Double) {
        let (lower, t) = place(angle)
        func sphere(_ bin: Int) -> (real: Double, imaginary: Double) {
            let (a, b) = (spectra[lower][bin], spectra[lower + 1][bin])
            return (a.real + t * (b.real - a.real), a.imaginary + t * (b.imaginary - a.imaginary))
        }
        var (measured, modelled) = (0.0, 0.0)
        for bin in match {
            let s = sphere(bin)
            measured += ears.real[ear][bin] * ears.real[ear][bin] + ears.imaginary[ear][bin] * ears.imaginary[ear][bin]
            modelled += s.real * s.real + s.imaginary * s.imaginary
        }
        let gain = (measured / max(1e-30, modelled)).squareRoot()
        for bin in shares.indices where shares[bin] < 1 {
            let s = sphere(bin)
            let local = exp(own[bin] * log(max(1e-15, gain)) + (1 - own[bin]) * log(max(1e-15, abs(level))))
            let scale = level < 0 ? -local : local
            let (sr, si) = (scale * s.real, scale * s.imaginary)
            let (mr, mi) = (ears.real[ear][bin], ears.imaginary[ear][bin])
            // Magnitudes and phases are faded apart: a sum of spectra that differ in phase would leave a hole.
            let (sphereSize, size) = (max(1e-15, hypot(sr, si)), max(1e-15, hypot(mr, mi)))
            let turn = atan2(mi * sr - mr * si, mr * sr + mi * si)
            let share = shares[bin]
            let joined = exp((1 - share) * log(sphereSize) + share * log(size))
            let phase = atan2(si, sr) + share * turn
            ears.real[ear][bin] = joined * cos(phase)
            ears.imaginary[ear][bin] = joined * sin(phase)
        }
    }

    /// Where levels are matched: the product of a response with the sphere's (negative: it runs against it), the
    /// response's energy and the sphere's.
    func comparison(
        _ ears: EarSpectra, ear: Int, angle: Double
    ) -> (product: Double, measured: Double, modelled: Double) {
        let (lower, t) = place(angle)
        var result = (product: 0.0, measured: 0.0, modelled: 0.0)
        for bin in match {
            let (a, b) = (spectra[lower][bin], spectra[lower + 1][bin])
            let (sr, si) = (a.real + t * (b.real - a.real), a.imaginary + t * (b.imaginary - a.imaginary))
            let (mr, mi) = (ears.real[ear][bin], ears.imaginary[ear][bin])
            result.product += mr * sr + mi * si
            result.measured += mr * mr + mi * mi
            result.modelled += sr * sr + si * si
        }
        return result
    }

    private func place(_ angle: Double) -> (lower: Int, part: Double) {
        let place = min(35.999999, max(0, angle / .pi * 36))
        return (Int(place), place - place.rounded(.down))
    }
}
