/// Prediction of the multichannel rendition's loudness from the stereo one, for the moments after the former is lost.
///
/// In every octave the stereo pair has three powers: the part common to left and right, and the remainder of each. The
/// multichannel rendition's loudness at the ears is fitted to them by weighted least squares with coefficients ≥ 0,
/// drawn towards one coefficient for all. Weights decay to about a third after five seconds.
struct LoudnessPrediction {
    /// Number of powers in the fit.
    private let count: Int
    /// Sums of products of the powers, `[i·count + j]`, and of their products with the loudness.
    private var products: [Double]
    private var targets: [Double]
    private var powers: [Double]
    private var loudness = 0.0
    private var shares: [Double]?

    /// Share of the mean loudness that limits the weight of silent moments, and strength of the pull towards one
    /// coefficient for all.
    private static let floor = 0.05, pull = 0.09

    /// Makes a prediction for `bands` bands without data.
    init(bands: Int) {
        count = 3 * bands
        products = [Double](repeating: 0, count: count * count)
        targets = [Double](repeating: 0, count: count)
        powers = targets
    }

    /// Returns the power common to left and right, and the remainders of left and of right, by bands.
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

    /// Adds a moment of both to the fit, with weight `share`.
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
