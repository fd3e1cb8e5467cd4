import Glibc

/// Power in bands of one equivalent rectangular bandwidth, the frequency resolution of hearing.
///
/// Source: Glasberg & Moore, "Derivation of auditory filter shapes from notched-noise data", Hearing Research 47
/// (1990): ERB number = 21.4·log10(1 + 0.00437·f).
struct CriticalBands: Sendable {
    /// Bins of each band, at least one.
    private let bands: [Range<Int>]

    /// Creates bands between two frequencies in Hz, for spectra of `binCount` bins at spacing `binHz`.
    init(from low: Double, to high: Double, binHz: Double, binCount: Int) {
        let number = { (f: Double) in 21.4 * log10(1 + 0.00437 * f) }
        let frequency = { (e: Double) in (pow(10, e / 21.4) - 1) / 0.00437 }
        let top = min(high, Double(binCount - 1) * binHz)
        var bands: [Range<Int>] = []
        var edge = number(low)
        while edge + 1 <= number(top) {
            let first = Int((frequency(edge) / binHz).rounded())
            let last = Int((frequency(edge + 1) / binHz).rounded())
            bands.append(first..<min(binCount, max(first + 1, last)))
            edge += 1
        }
        self.bands = bands
    }

    /// Middle of each band, in bins.
    var centres: [Double] { bands.map { Double($0.lowerBound + $0.upperBound - 1) / 2 } }

    /// Returns the level in dB of each band of a power spectrum.
    func decibels(_ power: (Int) -> Double) -> [Double] {
        bands.map { band in
            10 * log10(max(1e-20, band.reduce(0) { $0 + power($1) } / Double(band.count)))
        }
    }

    /// Returns the level in dB of each band of one ear's spectrum.
    func decibels(_ ears: borrowing EarSpectra, _ ear: Int) -> [Double] {
        bands.map { band in
            var sum = 0.0
            for bin in band {
                let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                sum += a * a + b * b
            }
            return 10 * log10(max(1e-20, sum / Double(band.count)))
        }
    }

    /// Returns the root-mean-square difference over the bands, dB.
    static func distance(_ a: [Double], _ b: [Double]) -> Double {
        (zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(max(1, a.count))).squareRoot()
    }
}
