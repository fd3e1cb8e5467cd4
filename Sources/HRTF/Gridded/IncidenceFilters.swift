import Glibc

/// Filters and delays by the angle of incidence at an ear. They convert responses from one sphere to a sphere of
/// another size, or to sources at another distance. A head's deviations from the sphere are kept.
struct IncidenceFilters: Sendable {
    /// Number of steps of the angle from 0 to π, 2.5° each.
    private static let steps = 72
    /// Range over which the phase filter of another head size is faded out, hertz. Above the range only the delays
    /// change.
    private static let phaseRange = (from: 900.0, to: SphereTable.highest)
    /// Largest gain or loss of a filter for another distance, dB.
    private static let largest = 24.0

    /// Spectra `[angle][bin]`, bins 0…n/2.
    private let spectra: [[(real: Double, imaginary: Double)]]
    /// Additions to the time of arrival, seconds, `[angle]`.
    private let delays: [Double]

    /// Returns the phase filters that change a head of one radius (metres) into a head of another, in addition to the
    /// scaled delays. At low frequencies the interaural phase delay of a sphere exceeds the delay of the onsets, and
    /// the difference grows with the head. Magnitudes are kept.
    static func resizing(from old: Double, to new: Double, sampleRate: Double, count: Int) -> IncidenceFilters {
        // The preroll is arbitrary, because both tables have the same one.
        let tables = [old, new].map { SphereTable(radius: $0, sampleRate: sampleRate, count: count, preroll: 0) }
        let binHz = sampleRate / Double(count)
        let spectra = (0...steps).map { step in
            let place = tables[0].place(.pi * Double(step) / Double(steps))
            return (0...(count / 2)).map { bin -> (real: Double, imaginary: Double) in
                guard bin < tables[0].binCount else { return (1, 0) }
                let (a, b) = (tables[0].value(bin, at: place), tables[1].value(bin, at: place))
                let turn = atan2(
                    b.imaginary * a.real - b.real * a.imaginary, b.real * a.real + b.imaginary * a.imaginary)
                let range = phaseRange
                let part = max(0, min(1, (Double(bin) * binHz - range.from) / (range.to - range.from)))
                let angle = turn * 0.5 * (1 + cos(.pi * part))
                return (cos(angle), sin(angle))
            }
        }
        return IncidenceFilters(spectra: spectra, delays: [Double](repeating: 0, count: steps + 1))
    }

    /// Returns the filters from sources at one distance to sources at another, metres (nil means infinite). They are
    /// the quotient of a sphere's responses without their times of arrival (the distance variation function of Kan, Jin
    /// & van Schaik, "A psychophysical evaluation of near-field head-related transfer functions synthesized using a
    /// distance variation function", JASA 125 (2009)). The free-field pressure at the head's centre is kept.
    static func moving(
        _ sphere: RigidSphere, from old: Double?, to new: Double, sampleRate: Double, count: Int
    ) -> IncidenceFilters {
        let angles = (0...steps).map { Double.pi * Double($0) / Double(steps) }
        let cosines = angles.map { cos($0) }
        let arrivals = angles.map { angle in
            (
                old: old.map { sphere.arrival(angle: angle, distance: $0) } ?? sphere.arrival(angle: angle),
                new: sphere.arrival(angle: angle, distance: new)
            )
        }
        let limit = pow(10, largest / 20)
        var spectra = angles.map { _ in [(real: Double, imaginary: Double)](repeating: (1, 0), count: count / 2 + 1) }
        for bin in 0...(count / 2) {
            let frequency = Double(bin) * sampleRate / Double(count)
            let far =
                old.map { sphere.response(frequency: frequency, cosines: cosines, distance: $0) }
                ?? sphere.response(frequency: frequency, cosines: cosines)
            let near = sphere.response(frequency: frequency, cosines: cosines, distance: new)
            for index in angles.indices {
                let (a, b) = (far[index], near[index])
                let size = hypot(b.real, b.imaginary) / max(1e-12, hypot(a.real, a.imaginary))
                let turn =
                    atan2(b.imaginary, b.real) - atan2(a.imaginary, a.real)
                    + 2 * .pi * frequency * (arrivals[index].new - arrivals[index].old)
                let gain = max(1 / limit, min(limit, size))
                spectra[index][bin] = (gain * cos(turn), gain * sin(turn))
            }
        }
        return IncidenceFilters(spectra: spectra, delays: arrivals.map { $0.new - $0.old })
    }

    /// Returns the addition to the time of arrival at an angle of incidence in radians, seconds.
    func delay(_ angle: Double) -> Double {
        let (lower, part) = place(angle)
        return delays[lower] + part * (delays[lower + 1] - delays[lower])
    }

    /// Filters the spectrum of one ear, bins 0…n/2, for an angle of incidence in radians.
    func apply(to ears: inout EarSpectra, ear: Int, angle: Double) {
        let (lower, part) = place(angle)
        for bin in ears.real[ear].indices {
            let (p, q) = (spectra[lower][bin], spectra[lower + 1][bin])
            let (c, s) = (p.real + part * (q.real - p.real), p.imaginary + part * (q.imaginary - p.imaginary))
            let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
            ears.real[ear][bin] = a * c - b * s
            ears.imaginary[ear][bin] = a * s + b * c
        }
    }

    private func place(_ angle: Double) -> (lower: Int, part: Double) {
        let place = min(Double(IncidenceFilters.steps) - 1e-6, max(0, angle / .pi * Double(IncidenceFilters.steps)))
        return (Int(place), place - place.rounded(.down))
    }
}
