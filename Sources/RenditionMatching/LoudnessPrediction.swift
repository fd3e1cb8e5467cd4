/// Prediction of the multichannel rendition's loudness from the stereo rendition, for the time after the multichannel
/// rendition is lost.
///
/// In every band the stereo pair has three powers: the power common to left and right, and the remaining powers of left
/// and of right. The K-weighted power of the multichannel rendition at the ears, here called its loudness, is fitted by
/// a sum of these powers with coefficients ≥ 0. The fit uses weighted least squares, and draws all coefficients towards
/// a common value. The weight of a block decays to about a third after five seconds.
struct LoudnessPrediction {
    /// Number of powers in the fit.
    private let count: Int
    /// Weighted means of the products of two powers, `[i·count + j]`, and of the products of a power and the loudness.
    private var products: [Double]
    private var targets: [Double]
    private var powers: [Double]
    private var loudness = 0.0
    private var shares: [Double]?

    /// Share of the mean loudness that limits the weight of silent blocks, and strength of the pull towards a common
    /// coefficient.
    private static let floor = 0.05, pull = 0.09

    /// Makes a prediction without data for `bands` bands.
    init(bands: Int) {
        count = 3 * bands
        products = [Double](repeating: 0, count: count * count)
        targets = [Double](repeating: 0, count: count)
        powers = targets
    }

    /// Returns the powers common to left and right, then the remaining powers of left and of right, `[band]` each.
    /// `octaves` is the band of each third octave.
    static func parts(_ pair: FrontalSpectrum.Pair, in octaves: [Int], bands: Int) -> [Double] {
        var (left, right, both) = (
            [Double](repeating: 0, count: bands), [Double](repeating: 0, count: bands),
            [Double](repeating: 0, count: bands)
        )
        for (k, octave) in octaves.enumerated() {
            left[octave] += pair.left[k]
            right[octave] += pair.right[k]
            both[octave] += pair.both[k]
        }
        for band in 0..<bands {
            both[band] = max(0, min(both[band], min(left[band], right[band])))
            left[band] -= both[band]
            right[band] -= both[band]
        }
        return both + left + right
    }

    /// Adds a block to the fit: the powers of the stereo pair and the loudness of the multichannel rendition. `share`
    /// is the weight of the block relative to the sum of all weights.
    mutating func learn(_ parts: [Double], loudness heard: Double, share: Double) {
        loudness += share * (heard - loudness)
        let weight = 1 / (heard + Self.floor * loudness + 1e-20)
        for i in 0..<count {
            powers[i] += share * (parts[i] - powers[i])
            targets[i] += share * (weight * parts[i] * heard - targets[i])
            for j in 0..<count {
                products[i * count + j] += share * (weight * parts[i] * parts[j] - products[i * count + j])
            }
        }
        shares = nil
    }

    /// Returns the loudness predicted for the pair's powers; 0 without data.
    mutating func loudness(of parts: [Double]) -> Double {
        let shares = self.shares ?? solved()
        self.shares = shares
        return zip(shares, parts).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Solves the normal equations by coordinate descent.
    private func solved() -> [Double] {
        let whole = loudness / max(1e-20, powers.reduce(0, +))
        var shares = [Double](repeating: whole, count: count)
        for _ in 0..<100 {
            for i in 0..<count {
                let own = products[i * count + i]
                guard own > 0 else { continue }
                var rest = targets[i] + Self.pull * own * whole
                for j in 0..<count where j != i { rest -= products[i * count + j] * shares[j] }
                shares[i] = max(0, rest / (own * (1 + Self.pull)))
            }
        }
        return shares
    }
}
