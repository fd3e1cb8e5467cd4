import Geometry
import Glibc

/// The interpolation method that predicts a set's own directions best from the others, and its errors.
///
/// At most 96 directions, spread over the set, are left out one at a time. Every candidate predicts the aligned
/// responses, magnitudes and onsets of the omitted direction. The method with the least mean error over critical bands
/// is chosen, with a small penalty for magnitudes (`InterpolationTrials.bestShares`). Its errors are reported.
struct InterpolationChoice: Sendable {
    /// Chosen method.
    var method: InterpolationMethod
    /// Mean error of the critical bands at 0.5…16 kHz, dB, and of the interaural delay, µs. Nil if the set has fewer
    /// than `fewest` directions.
    var errors: (bands: Double, delay: Double)?

    /// Number of directions below which the usual method is used.
    static let fewest = 16
    /// Candidates for responses: splines and Gaussian processes of several smoothings, and triangles.
    ///
    /// Gaussian processes of ν = 5/2 with shorter lengths (0.25 and 0.5, smoothing 1e-4 and 1e-5) predict some sets 3…6
    /// % better (KEMAR 0.363 dB instead of 0.373, CIPIC 0.418 instead of 0.445). They are not candidates, because
    /// filters are interpolated linearly on the grid while the head moves. With these kernels the error of the linear
    /// interpolation would rise by 1.5 dB, or measured directions would deviate by 0.17 dB (KU100).
    static let candidates: [InterpolationMethod.Weights] = [
        .kernel(.spline(smoothing: 1e-6)), .kernel(.spline(smoothing: 1e-4)), .kernel(.spline(smoothing: 1e-3)),
        .kernel(.matern(.threeHalves, length: 1, smoothing: 1e-4)),
        .kernel(.matern(.fiveHalves, length: 1, smoothing: 1e-3)), .triangle,
    ]
    /// Candidates for magnitudes.
    static let magnitudeCandidates: [InterpolationMethod.Weights] = [
        .kernel(.spline(smoothing: 1e-6)), .kernel(.matern(.half, length: 2, smoothing: 1e-3)),
        .kernel(.matern(.threeHalves, length: 1, smoothing: 1e-4)),
    ]
    /// Triangles are chosen only if their cost is below this share of the least cost of the kernels, because the field
    /// has kinks at the edges of triangles.
    static let triangleGain = 0.9
    /// Correlations between an ear and the mirrored other ear that are tried. In sets of more than `sparse` directions
    /// the other ear gives no improvement, so none is tried.
    static let likenesses = [0.9, 0.97]
    static let sparse = 256
    /// The other ear's data are used only if they reduce the error to less than this share.
    static let likenessGain = 0.98

    /// Description of the choice for the report.
    var sentence: String {
        func rounded(_ value: Double, _ places: Double) -> Double { (value * places).rounded() / places }
        let percents = method.shares.map { "\(Int($0 * 100))" }.joined(separator: ", ")
        var text =
            "interpolated by \(method.weights), magnitudes by \(method.magnitudes), which count for \(percents) % from low to "
            + "high frequencies"
        if method.likeness > 0 {
            text +=
                "; the mirrored other ear is also used, with an assumed correlation of "
                + "\(Int(method.likeness * 100)) %"
        }
        if let errors {
            text +=
                ": directions that are left out are predicted with mean errors of \(rounded(errors.bands, 100)) dB and "
                + "\(rounded(errors.delay, 10)) µs"
        }
        return text
    }

    /// Returns the best method for a set. O(96 · candidates · (neighbours³ + neighbours · (taps + bins))), in parallel.
    /// May be called on any thread.
    static func best(for source: ScatteredResponses) -> InterpolationChoice {
        guard source.directions.count >= fewest else { return InterpolationChoice(method: .usual) }
        let features = InterpolationFeatures(source)
        var best = InterpolationChoice(method: .usual, errors: (.infinity, 0))
        var bestCost = Double.infinity
        func consider(_ trials: InterpolationTrials, below limit: Double = .infinity) {
            for (kind, weights) in trials.responses.enumerated() {
                for (other, magnitudes) in trials.magnitudes.enumerated() {
                    let (shares, bands, cost) = trials.bestShares(kind, other)
                    guard bands < limit, cost < bestCost * (weights == .triangle ? triangleGain : 1) else { continue }
                    bestCost = cost
                    best.method = InterpolationMethod(
                        weights: weights, magnitudes: magnitudes, shares: shares, likeness: trials.likeness)
                    best.errors = (bands, trials.delay(kind) / source.sampleRate * 1e6)
                }
            }
        }
        consider(InterpolationTrials(source, features, responses: candidates, magnitudes: magnitudeCandidates))
        if source.directions.count <= sparse, best.method.weights != .triangle {
            let (responses, magnitudes) = ([best.method.weights], [best.method.magnitudes])
            let alone = best.errors?.bands ?? .infinity
            for likeness in likenesses {
                consider(
                    InterpolationTrials(
                        source, features, responses: responses, magnitudes: magnitudes, likeness: likeness),
                    below: likenessGain * alone)
            }
        }
        return best
    }
}
