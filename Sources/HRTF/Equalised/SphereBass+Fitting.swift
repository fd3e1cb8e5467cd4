import Glibc

extension SphereBass {
    /// Fits the sphere to a set. The crossover begins at `low` hertz. It is a third of an octave wide if `isNarrow`,
    /// and almost an octave otherwise.
    init(
        _ set: MeasuredSet, _ plan: ResponsePlan, _ alignment: Alignment, table: SphereTable, from low: Double,
        isNarrow: Bool = false
    ) {
        self.table = table
        crossover = (low, (isNarrow ? 1.26 : 1.95) * low)
        let bins = table.binCount
        // The match begins near the crossover's end, where the measurement's share is 0.86, or 1 in a narrow crossover.
        let start = (isNarrow ? 1.26 : 1.67) * low
        match = table.bins(from: start, to: 2 * start)
        let (first, last) = (log(low), log(crossover.high))
        shares = (0..<bins).map { bin in
            let place = (log(max(1, Double(bin) * table.binHz)) - first) / (last - first)
            let u = max(0, min(1, place))
            return u * u * (3 - 2 * u)
        }
        let lowest = 0.443 * low
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
}
