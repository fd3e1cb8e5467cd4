import Glibc

/// Means of a spectrum over bands around every bin. The bandwidth is a fixed part or multiple of the equivalent
/// rectangular bandwidth (ERB; Glasberg and Moore, Hear. Res. 47, 1990).
struct ErbMeans {
    /// Lower limit of each bin's band, in bins. A bin extends by half a bin to both sides.
    private let lows: [Double]
    /// Upper limit of each bin's band, in bins.
    private let highs: [Double]
    /// `[bin]`: number of ERBs per bin. With this weight of the bins, every ERB has the same total weight.
    let densities: [Double]

    /// Prepares means for `count` bins from 0 Hz on, `binHz` apart, over bands of `width` ERB.
    init(count: Int, binHz: Double, width: Double) {
        var (lows, highs, densities) = ([Double](), [Double](), [Double]())
        for bin in 0..<count {
            let rate = 21.4 * log10(1 + 0.00437 * Double(bin) * binHz)
            func place(_ rate: Double) -> Double {
                max(1, min(Double(count), (pow(10, rate / 21.4) - 1) / 0.00437 / binHz + 0.5))
            }
            let (low, high) = (place(rate - width / 2), place(rate + width / 2))
            lows.append(min(low, Double(count) - 1))
            highs.append(max(high, low + 1e-9))
            densities.append(21.4 * M_LOG10E * 0.00437 * binHz / (1 + 0.00437 * Double(bin) * binHz))
        }
        (self.lows, self.highs, self.densities) = (lows, highs, densities)
    }

    /// Returns the mean of `values` around each bin.
    func callAsFunction(_ values: [Double]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(values.count + 1)
        for value in values { sums.append(sums[sums.count - 1] + value) }
        func sum(before place: Double) -> Double {
            let bin = min(sums.count - 2, Int(place))
            return sums[bin] + (place - Double(bin)) * (sums[bin + 1] - sums[bin])
        }
        return zip(lows, highs).map { max(0, (sum(before: $1) - sum(before: $0)) / ($1 - $0)) }
    }
}
