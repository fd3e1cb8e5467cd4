import Glibc

/// Power in overlapping critical bands, one per ERB number, and interpolated values for every bin.
///
/// The bands have the shape of gammatone filters of fourth order, |H|² = (1 + ((f − c)/b)²)⁻⁴ at frequency f, with the
/// centre frequency c and b = 1.019·ERB(c) (Patterson et al., "Complex sounds and auditory images", 1992), truncated at
/// −40 dB.
struct SmoothBands: Sendable {
    /// For each band its first bin and the start and count of its weights. The weights of each band sum to 1.
    private let bands: [(first: Int, start: Int, count: Int)]
    private let weights: [Double]
    /// For each bin the band below it, and the bin's position between this band (0) and the next one (1).
    private let places: [(band: Int, part: Double)]

    /// Creates bands between two frequencies in hertz, for spectra of `binCount` bins at spacing `binHz`.
    init(from low: Double, to high: Double, binHz: Double, binCount: Int) {
        let number = { (f: Double) in 21.4 * log10(1 + 0.00437 * f) }
        let frequency = { (e: Double) in (pow(10, e / 21.4) - 1) / 0.00437 }
        let (lowest, top) = (number(low), number(min(high, Double(binCount - 1) * binHz)))
        let count = max(2, Int((top - lowest)))
        var bands: [(first: Int, start: Int, count: Int)] = []
        var weights: [Double] = []
        for band in 0..<count {
            let centre = frequency(lowest + Double(band))
            let width = max(binHz / 2, 1.019 * 24.7 * (4.37 * centre / 1000 + 1))
            let first = max(0, Int(((centre - 3 * width) / binHz).rounded(.up)))
            let last = min(binCount - 1, Int((centre + 3 * width) / binHz))
            let shape = (first...max(first, last)).map { bin -> Double in
                let place = (Double(bin) * binHz - centre) / width
                return pow(1 + place * place, -4)
            }
            let sum = shape.reduce(0, +)
            bands.append((first, weights.count, shape.count))
            weights += shape.map { $0 / sum }
        }
        (self.bands, self.weights) = (bands, weights)
        places = (0..<binCount).map { bin in
            let place = max(0, min(Double(count - 1), (number(Double(bin) * binHz) - lowest)))
            let band = min(count - 2, Int(place))
            return (band, place - Double(band))
        }
    }

    /// Returns the natural logarithm of the power in each band of one ear.
    func levels(_ ears: borrowing EarSpectra, _ ear: Int) -> [Double] {
        var power = [Double](repeating: 0, count: places.count)
        for bin in power.indices {
            let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
            power[bin] = a * a + b * b
        }
        return power.withUnsafeBufferPointer { power in
            weights.withUnsafeBufferPointer { weights in
                bands.map { band in
                    var sum = 0.0
                    for i in 0..<band.count { sum += weights[band.start + i] * power[band.first + i] }
                    return log(max(1e-20, sum))
                }
            }
        }
    }

    /// Returns the value at a bin from values for each band, interpolated linearly over ERB numbers.
    func value(_ values: [Double], at bin: Int) -> Double {
        let (band, part) = places[bin]
        return values[band] + part * (values[band + 1] - values[band])
    }
}
