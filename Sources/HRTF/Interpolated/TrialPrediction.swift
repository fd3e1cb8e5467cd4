import Glibc

/// Predictions of known directions, and their errors. Each thread has its own instance.
struct TrialPrediction {
    private let features: InterpolationFeatures
    private let bands: CriticalBands
    /// Number of the frequency range of each band (`MagnitudeRanges`).
    private let ranges: [Int]
    /// Weight of the interpolated magnitudes in each bin, 0…1, at a share of 1.
    private let extent: [Double]
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra
    private var blended: [Float]
    /// Interpolated magnitudes, `[kind][ear][bin]`.
    private var magnitudes: [[Float]] = []
    /// True levels, dB, `[ear][band]`.
    private var truth: [[Double]] = []
    /// Predicted powers, `[share][bin]`.
    private var powers: [[Double]]

    /// Shares of magnitudes that are tried. Two steps of the share multiply a power by the whole ratio of magnitudes.
    static let shares = (0...4).map { Double($0) / 4 }

    init(_ features: InterpolationFeatures, bands: CriticalBands, ranges: [Int], binHz: Double) {
        self.features = features
        self.bands = bands
        self.ranges = ranges
        let full = [Double](repeating: 1, count: MagnitudeRanges.count)
        extent = (0..<features.bins).map { MagnitudeRanges.share(full, at: Double($0) * binHz) }
        real = [Double](repeating: 0, count: features.transform.count)
        imaginary = real
        ears = EarSpectra(binCount: features.bins)
        blended = [Float](repeating: 0, count: 2 * features.taps)
        powers = [[Double]](
            repeating: [Double](repeating: 0, count: features.bins), count: TrialPrediction.shares.count)
    }

    /// Sets the direction that is predicted, and interpolates its magnitudes by several kinds of weights.
    mutating func begin(_ direction: Int, magnitudes kinds: [RowWeights]) {
        truth = (0..<2).map { ear in
            let own = features.magnitudes(direction, ear: ear)
            return bands.decibels { Double(own[$0]) * Double(own[$0]) }
        }
        magnitudes = kinds.map { weights in
            [Float](unsafeUninitializedCapacity: 2 * features.bins) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                features.blendMagnitudes(weights, to: start)
                count = 2 * features.bins
            }
        }
    }

    /// Predicts the direction's responses by weights.
    mutating func predict(_ weights: RowWeights) {
        blended.withUnsafeMutableBufferPointer { row in
            guard let start = row.baseAddress else { return }
            features.blendResponses(weights, to: start)
        }
        let taps = features.taps
        for i in real.indices {
            real[i] = i < taps ? Double(blended[i]) : 0
            imaginary[i] = i < taps ? Double(blended[taps + i]) : 0
        }
        features.transform.forward(&real, &imaginary)
        ears.separate(real, imaginary)
    }

    /// Adds the errors at an ear to `result`: squared differences in dB², `[magnitudes][share][range]`.
    mutating func compare(ear: Int, to result: UnsafeMutablePointer<Double>) {
        let limit = MagnitudeCorrector.largestGain
        for (kind, magnitudes) in magnitudes.enumerated() {
            for bin in 0..<features.bins {
                let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                var power = a * a + b * b
                let wanted = Double(magnitudes[ear * features.bins + bin])
                var ratio = wanted > 0 ? wanted / max(1e-15, power.squareRoot()) : 1
                ratio = max(1 / limit, min(limit, ratio))
                if extent[bin] < 1 { ratio = pow(ratio, extent[bin]) }
                // The gain is the ratio to the power of the share; powers are multiplied by the square of the gain.
                let root = ratio.squareRoot()
                for step in powers.indices {
                    powers[step][bin] = step.isMultiple(of: 2) ? power : power * root
                    if !step.isMultiple(of: 2) { power *= ratio }
                }
            }
            for share in powers.indices {
                let levels = powers[share].withUnsafeBufferPointer { powers in bands.decibels { powers[$0] } }
                let at = result + (kind * powers.count + share) * MagnitudeRanges.count
                for (band, range) in ranges.enumerated() {
                    let difference = levels[band] - truth[ear][band]
                    at[range] += difference * difference
                }
            }
        }
    }
}
