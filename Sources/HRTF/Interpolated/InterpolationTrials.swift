import Geometry
import Glibc

/// Predicts some of a set's directions from the others, by several kinds of weights for responses and for magnitudes
/// and by several shares of the magnitudes, and stores the errors.
struct InterpolationTrials {
    /// Kinds of weights that were tried, for responses and for magnitudes.
    let responses: [InterpolationMethod.Weights]
    let magnitudes: [InterpolationMethod.Weights]
    /// Assumed correlation with the mirrored other ear in these predictions; 0 if the other ear is not used.
    let likeness: Double

    /// Largest number of predicted directions.
    private static let most = 96
    /// Shares of magnitudes that are tried.
    private static let shares = TrialPrediction.shares
    /// Relative decrease of the error that each step of a range's share must cause.
    static let worth = 0.002

    /// Number of rows: predicted directions times ears.
    private let rowCount: Int
    /// Sums of squared differences in critical bands, dB², `[row][responses][magnitudes][share][range]`.
    private let squares: [Double]
    /// Errors of the interaural delay, samples, `[row / 2][responses]`.
    private let delays: [Double]
    /// Number of critical bands in all ranges.
    private let bandCount: Int

    /// Predicts at most 96 directions, spread over the set. Runs in parallel.
    init(
        _ source: ScatteredResponses, _ features: InterpolationFeatures, responses: [InterpolationMethod.Weights],
        magnitudes: [InterpolationMethod.Weights], likeness: Double = 0
    ) {
        self.responses = responses
        self.magnitudes = magnitudes
        self.likeness = likeness
        let count = source.directions.count
        let step = max(1, (count + InterpolationTrials.most - 1) / InterpolationTrials.most)
        let held = Array(stride(from: step / 2, to: count, by: step))
        let spline = SphericalSpline(source.directions)
        let binHz = source.sampleRate / Double(features.transform.count)
        let bands = CriticalBands(
            from: 500, to: min(16_000, 0.45 * source.sampleRate), binHz: binHz, binCount: features.bins)
        let ranges = bands.centres.map { MagnitudeRanges.range(of: $0 * binHz) }
        let width = responses.count * magnitudes.count * InterpolationTrials.shares.count * MagnitudeRanges.count
        var squares = [Double](repeating: 0, count: 2 * held.count * width)
        var delays = [Double](repeating: 0, count: held.count * responses.count)
        squares.withUnsafeMutableBufferPointer { squares in
            delays.withUnsafeMutableBufferPointer { delays in
                guard let first = squares.baseAddress else { return }
                nonisolated(unsafe) let (start, delays) = (first, delays)
                inParallel(held.count, chunk: 4) { places in
                    var prediction = TrialPrediction(features, bands: bands, ranges: ranges, binHz: binHz)
                    for place in places {
                        let index = held[place]
                        func weights(
                            _ kind: InterpolationMethod.Weights, of part: InterpolationMethod.Part
                        ) -> RowWeights {
                            spline.rowWeights(
                                kind, of: part, likeness: likeness, around: source.directions[index].unit,
                                for: source.directions[index...index], leavingOut: index)[0]
                        }
                        prediction.begin(index, magnitudes: magnitudes.map { weights($0, of: .magnitudes) })
                        let part = width / responses.count
                        for (kind, weighing) in responses.enumerated() {
                            let own = weights(weighing, of: .responses)
                            delays[place * responses.count + kind] = features.delayError(of: index, from: own)
                            prediction.predict(own)
                            for ear in 0..<2 {
                                prediction.compare(ear: ear, to: start + (2 * place + ear) * width + kind * part)
                            }
                        }
                    }
                }
            }
        }
        rowCount = 2 * held.count
        self.squares = squares
        self.delays = delays
        bandCount = ranges.count
    }

    /// Returns three results for a pair of kinds of weights. `shares`: one per range, with the least cost. `error`: the
    /// mean over directions and ears of the root mean square over critical bands, dB. `cost`: the error, increased by a
    /// penalty on shares.
    func bestShares(_ response: Int, _ magnitude: Int) -> (shares: [Double], error: Double, cost: Double) {
        let (kinds, ranges) = (InterpolationTrials.shares.count, MagnitudeRanges.count)
        let width = squares.count / rowCount
        let offset = (response * magnitudes.count + magnitude) * kinds * ranges
        // The correction changes magnitudes without phases, and thereby moves onsets. So each step of a share must
        // reduce the error by `worth`.
        func cost(_ choice: [Int]) -> Double {
            error(choice) * (1 + InterpolationTrials.worth * Double(choice.reduce(0, +)))
        }
        func error(_ choice: [Int]) -> Double {
            (0..<rowCount).reduce(0) { sum, row in
                let at = row * width + offset
                var square = 0.0
                for range in 0..<ranges { square += squares[at + choice[range] * ranges + range] }
                return sum + (square / Double(bandCount)).squareRoot()
            } / Double(rowCount)
        }
        var choice = [Int](repeating: 0, count: ranges)
        var least = cost(choice)
        // One range is changed after the other until the cost no longer falls.
        var isBetter = true
        while isBetter {
            isBetter = false
            for range in 0..<ranges {
                for kind in 0..<kinds where kind != choice[range] {
                    var other = choice
                    other[range] = kind
                    let now = cost(other)
                    if now < least - 1e-9 { (choice, least, isBetter) = (other, now, true) }
                }
            }
        }
        return (choice.map { InterpolationTrials.shares[$0] }, error(choice), least)
    }

    /// Returns the mean error of the interaural delay for a kind of weights, samples.
    func delay(_ response: Int) -> Double {
        let held = rowCount / 2
        return (0..<held).reduce(0) { $0 + delays[$1 * responses.count + response] } / Double(held)
    }
}
