import Foundation

/// Draws of what may be the case, each with its share of the posterior: importance sampling about Laplace's fit
/// (J. Geweke, Bayesian inference in econometric models using Monte Carlo integration, Econometrica 57, 1989).
///
/// Normal draws a little wider than Laplace's normal distribution are weighed by how much the true posterior is above
/// it. The draws are the same each time.
struct PosteriorDraws {
    /// Sets in all.
    let sets: Int
    /// What each draw says: the tie tendency, the outcome (see `PreferenceOutcome`), ln of its weight.
    private(set) var states: [(tendency: Double, outcome: PreferenceOutcome, log: Double)] = []
    /// `[draw][set]`.
    private(set) var merits: [Double] = []

    /// None yet.
    init(sets: Int) { self.sets = sets }

    /// One state without merits: the listener guesses.
    mutating func addGuessing(tendency: Double, log: Double) {
        states.append((tendency, .none, log))
        merits += [Double](repeating: 0, count: sets)
    }

    /// Draws of merits, all different.
    ///
    /// - Parameters:
    ///   - logPrior: ln of the prior share of all of them together.
    ///   - draws: of as many sets.
    mutating func add(
        _ counts: PreferenceCounts, tendency: Double, deviation: Double, logPrior: Double, draws: NormalDraws
    ) {
        draw(counts, tendency, deviation, logPrior, draws) { drawn in
            (drawn, .best(drawn.indices.max { drawn[$0] < drawn[$1] } ?? 0))
        }
    }

    /// Draws in which two sets are equally good, and above all others.
    ///
    /// - Parameter draws: of one set less, for the two count as one.
    mutating func add(
        sharing pair: (Int, Int), _ counts: PreferenceCounts, tendency: Double, deviation: Double, logPrior: Double,
        draws: NormalDraws
    ) {
        let merged = counts.merging(pair.1, into: pair.0)
        // By chance alone the two are above the others once in so many draws.
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
        // ln of the normal density's constant at this width.
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
