/// How loud the multichannel rendition would be, by what the stereo one holds: for the moments after it went.
///
/// Of every octave of the pair three powers are taken: what left and right have in common, and what is left of either.
/// How loud the multichannel rendition was at the ears is fitted to them by weighted least squares with shares of at
/// least 0, drawn towards one share for all; what lies back five seconds counts a third.
struct LoudnessPrediction {
    /// Powers that are fitted to.
    private let count: Int
    /// Sums of products, `[i·count + j]`, and those with the loudness.
    private var products: [Double]
    private var targets: [Double]
    private var powers: [Double]
    private var loudness = 0.0
    private var shares: [Double]?

    /// Share of the mean loudness that keeps silent moments from counting too much, and the pull towards one share for
    /// all.
    private static let floor = 0.05, pull = 0.09

    /// Nothing is known of so many bands.
    init(bands: Int) {
        count = 3 * bands
        products = [Double](repeating: 0, count: count * count)
        targets = [Double](repeating: 0, count: count)
        powers = targets
    }

    /// What left and right have in common, and what is left of either, by bands.
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

    /// Learns from a moment of both; `share` of it in what is known.
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

    /// The loudness that goes with what the pair holds; 0 before anything was learnt.
    mutating func loudness(of parts: [Double]) -> Double {
        let shares = self.shares ?? solved()
        self.shares = shares
        return zip(shares, parts).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Coordinate descent on the normal equations.
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
