import Foundation

/// Draws of merits and outcomes, weighted by the posterior: importance sampling about Laplace's fit (J. Geweke,
/// Bayesian inference in econometric models using Monte Carlo integration, Econometrica 57, 1989).
///
/// The draws come from Laplace's normal distribution, widened a little. The weight of a draw is the ratio of the true
/// posterior to the density it was drawn from. The seed is fixed.
struct PosteriorDraws {
    /// Number of sets.
    let sets: Int
    /// Tie tendency, outcome and natural logarithm of the weight of each draw.
    private(set) var states: [(tendency: Double, outcome: PreferenceOutcome, log: Double)] = []
    /// Merits of each draw, `[draw][set]`.
    private(set) var merits: [Double] = []

    /// Makes an empty collection.
    init(sets: Int) { self.sets = sets }

    /// Adds one state with all merits 0: the listener guesses.
    mutating func addGuessing(tendency: Double, log: Double) {
        states.append((tendency, .none, log))
        merits += [Double](repeating: 0, count: sets)
    }

    /// Adds draws with one best set.
    ///
    /// - Parameters:
    ///   - logPrior: natural logarithm of the prior probability of all these draws together.
    ///   - draws: draws of `sets` values each.
    mutating func add(
        _ counts: PreferenceCounts, tendency: Double, deviation: Double, logPrior: Double, draws: NormalDraws
    ) {
        draw(counts, tendency, deviation, logPrior, draws) { drawn in
            (drawn, .best(drawn.indices.max { drawn[$0] < drawn[$1] } ?? 0))
        }
    }

    /// Adds draws in which two sets are equally good and above all others.
    ///
    /// - Parameter draws: draws of `sets` − 1 values each, since the two sets count as one.
    mutating func add(
        sharing pair: (Int, Int), _ counts: PreferenceCounts, tendency: Double, deviation: Double, logPrior: Double,
        draws: NormalDraws
    ) {
        let merged = counts.merging(pair.1, into: pair.0)
        // Without answers the merged set is the highest in one of `sets` − 1 draws. The kept draws carry the full prior
        // probability, and therefore get `sets` − 1 times the weight.
        let chance = log(Double(sets - 1))
        draw(merged, tendency, deviation, logPrior + chance, draws) { drawn in
            let level = drawn[pair.0]
            guard drawn.allSatisfy({ $0 <= level }) else { return nil }
            var all = drawn
            all.insert(level, at: pair.1)
            return (all, .shared(pair.0, pair.1))
        }
    }

    private mutating func draw(
        _ counts: PreferenceCounts, _ tendency: Double, _ deviation: Double, _ logPrior: Double,
        _ draws: NormalDraws,
        _ outcome: ([Double]) -> (merits: [Double], outcome: PreferenceOutcome)?
    ) {
        let width = NormalDraws.width
        let fit = LaplaceFit(counts, model: PreferenceModel(tieTendency: tendency), deviation: deviation)
        let each = logPrior - log(Double(draws.count)) - draws.excess
        // Natural logarithm of the normal density's constant at this width.
        let constant = fit.logDiagonal - Double(draws.sets) * log(width * (2 * .pi).squareRoot())
        for draw in 0..<draws.count {
            let slice = draws[draw]
            let drawn = fit.merits(at: slice, scale: width)
            guard let found = outcome(drawn) else { continue }
            let density = constant - slice.reduce(0) { $0 + $1 * $1 } / 2
            states.append((tendency, found.outcome, each + fit.height(drawn) - density))
            merits += found.merits
        }
    }
}
