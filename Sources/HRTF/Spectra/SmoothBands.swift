import Glibc

/// Power in overlapping critical bands, one per ERB number, and values between them for every bin.
///
/// Shapes are those of gammatone filters of fourth order, |H|² = (1 + ((f − c)/b)²)⁻⁴ with b = 1.019·ERB(c)
/// (Patterson et al., "Complex sounds and auditory images", 1992), cut off at 40 dB.
struct SmoothBands: Sendable {
    /// First bin of each band, where its weights begin, and the weights of all bands, each summing to 1.
    private let bands: [(first: Int, start: Int, count: Int)]
    private let weights: [Double]
    /// `[bin]`: the band below, and how far the bin is on the way to the next.
    private let places: [(band: Int, part: Double)]

    /// Bands between two frequencies in hertz, for spectra with bins `binHz` apart up to `binCount` − 1.
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

    /// Natural logarithm of the power of each band of one ear.
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

    /// A value for each band, between bands by straight lines over critical-band numbers.
    func value(_ values: [Double], at bin: Int) -> Double {
        let (band, part) = places[bin]
        return values[band] + part * (values[band + 1] - values[band])
    }
}
