import Foundation

/// Posterior of a listener's preferences: the probability that each set is the best, that two sets share the first
/// place, and that no set is better than another.
///
/// There are three hypotheses: the listener guesses; two sets are equally good and above all others; one set is the
/// best. The standard deviation of the merits and the tie tendency are unknown too; each has a few values of equal
/// prior probability. The weight of each combination of hypothesis and values is its prior probability times its
/// evidence. The evidence is the mean of the likelihood over the prior of the merits, computed by `PosteriorDraws`.
///
/// A best set may be stated although there is none. The prior probabilities of guessing and of a shared first place
/// limit how often this happens, whatever pairs are chosen and whenever the test ends. The ratio of the evidence for
/// one best set to the evidence for the true hypothesis has mean 1 at every moment. The probability that this ratio
/// ever reaches k is therefore at most 1/k (J. Ville, Étude critique de la notion de collectif, 1939). A best set is
/// stated at confidence c only if the ratio reaches (c/(1 − c))·(prior of the true hypothesis)/(prior of one best set).
/// The priors of guessing and of one best set are as 1 : c. If the listener guesses, the ratio must therefore reach
/// 1/(1 − c), and a best set is stated with probability 1 − c at most. A shared first place has a quarter of the prior
/// of guessing: either of two equally good sets is good advice, and the full prior would cost twice the rounds.
package struct PreferencePosterior: Sendable {
    /// Standard deviations of the prior of the merits (natural logarithm of the strength), for sets that differ little,
    /// clearly or much to the listener. A set whose merit is 1.1 above that of another is preferred in three of four
    /// answers that are not ties.
    static let deviations = [0.5, 1.2, 2.5]
    /// Values of the tie tendency ν: of two equal sets 1, 13, 33 and 60 answers of 100 are ties.
    static let tieTendencies = [0.02, 0.3, 1, 3]

    /// Prior share of a shared first place, relative to that of guessing.
    private static let sharing = 0.25

    /// Hypothesis about the preferences.
    package typealias Outcome = PreferenceOutcome

    /// One drawn state: tie tendency, hypothesis and weight.
    struct Particle: Sendable {
        /// Tie tendency ν.
        let tieTendency: Double
        /// Hypothesis of the state.
        let outcome: Outcome
        /// Probability of the state.
        let weight: Double
    }

    /// Number of sets.
    package let sets: Int
    /// All states; their weights sum to 1.
    let particles: [Particle]
    /// √π of each set, where π is its strength (`PreferenceModel`), `[particle][set]`; 1 for a guessing listener.
    let roots: [Double]
    /// Probability that the set alone is the best, `[set]`.
    package private(set) var best: [Double]
    /// Probability that all are alike.
    package private(set) var noDifference = 0.0
    /// Pairs that may share the first place, each with its probability.
    package private(set) var shared: [(first: Int, second: Int, probability: Double)] = []
    /// Posterior mean of the merits, `[set]`; the merits of a guessing listener are 0.
    package private(set) var merits: [Double]

    /// Computes the posterior of answers. O(draws · sets²).
    ///
    /// - Parameters:
    ///   - confidence: confidence at which a best set will be stated, 0.5..<1.
    ///   - draws: number of draws for each combination of deviation and tie tendency.
    package init(_ counts: PreferenceCounts, confidence: Double, draws: Int = 160) {
        let n = counts.sets
        sets = n
        // With two sets a shared first place is the same as no difference.
        let sharing = n > 2 ? Self.sharing : 0
        let guessing = 1 / (1 + sharing + confidence)
        let cells = Double(Self.tieTendencies.count * Self.deviations.count)
        var found = PosteriorDraws(sets: n)
        let all = NormalDraws(count: draws, sets: n)
        for tendency in Self.tieTendencies {
            let model = PreferenceModel(tieTendency: tendency)
            let still = model.logLikelihood(counts, merits: [Double](repeating: 0, count: n))
            found.addGuessing(
                tendency: tendency, log: log(guessing / Double(Self.tieTendencies.count)) + still)
            for deviation in Self.deviations {
                found.add(
                    counts, tendency: tendency, deviation: deviation, logPrior: log(confidence * guessing / cells),
                    draws: all)
            }
        }
        if n > 2 {
            let pairs = Self.leaders(found)
            let some = NormalDraws(count: max(24, 2 * draws / pairs.count), sets: n - 1)
            let prior = log(sharing * guessing / (cells * Double(n * (n - 1) / 2)))
            for pair in pairs {
                for tendency in Self.tieTendencies {
                    for deviation in Self.deviations {
                        found.add(
                            sharing: pair, counts, tendency: tendency, deviation: deviation, logPrior: prior,
                            draws: some)
                    }
                }
            }
        }
        let top = found.states.reduce(-Double.infinity) { max($0, $1.log) }
        let sum = found.states.reduce(0) { $0 + exp($1.log - top) }
        particles = found.states.map {
            Particle(tieTendency: $0.tendency, outcome: $0.outcome, weight: exp($0.log - top) / sum)
        }
        roots = found.merits.map { exp($0 / 2) }
        best = [Double](repeating: 0, count: n)
        merits = best
        for (index, particle) in particles.enumerated() {
            take(particle.outcome, particle.weight)
            for set in 0..<n { merits[set] += particle.weight * found.merits[index * n + set] }
        }
    }

    private mutating func take(_ outcome: Outcome, _ weight: Double) {
        switch outcome {
        case .best(let set): best[set] += weight
        case .none: noDifference += weight
        case .shared(let first, let second):
            if let place = shared.firstIndex(where: { ($0.first, $0.second) == (first, second) }) {
                shared[place].probability += weight
            } else {
                shared.append((first, second, weight))
            }
        }
    }

    /// Returns the pairs that take the first two places with notable weight among the draws (over 0.3 %). Other pairs
    /// are unlikely to share the first place. Returns all pairs if none qualifies.
    private static func leaders(_ found: PosteriorDraws) -> [(Int, Int)] {
        let n = found.sets
        let top = found.states.reduce(-Double.infinity) { max($0, $1.log) }
        var shares = [Double](repeating: 0, count: n * n)
        var sum = 0.0
        for (index, state) in found.states.enumerated() {
            guard case .best(let best) = state.outcome else { continue }
            let merits = found.merits[(index * n)..<((index + 1) * n)]
            let others = (0..<n).filter { $0 != best }
            let second = others.max { merits[index * n + $0] < merits[index * n + $1] } ?? best
            let weight = exp(state.log - top)
            shares[min(best, second) * n + max(best, second)] += weight
            sum += weight
        }
        let all = (0..<n).flatMap { first in ((first + 1)..<max(n, first + 1)).map { (first, $0) } }
        let found = all.filter { shares[$0.0 * n + $0.1] > 0.003 * sum }
        return found.isEmpty ? all : found
    }
}
