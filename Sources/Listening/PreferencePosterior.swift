import Foundation

/// What is known of a listener's preferences after some answers: how likely each set is the best, how likely two share
/// the first place, and how likely none is better than another.
///
/// Three things can be the case: the listener guesses; two sets are equally good and above all others; one set is the
/// best. Beside the merits it is not known how much they differ (a deviation), and how readily ties are said; both have
/// a few values of equal prior probability. Each one's share is its evidence, the likelihood's mean over the merits'
/// prior, found by `PosteriorDraws`.
///
/// That guessing and a shared first place have shares of their own bounds how often a best set is stated where there is
/// none, whatever pairs are chosen and whenever it ends: the ratio of evidence for one best set to the evidence for
/// what is the case has mean 1 at every moment, so that with probability 1/k at most it ever reaches k (J. Ville, Étude
/// critique de la notion de collectif, 1939). Stating a best set at confidence c takes a ratio of
/// (c/(1 − c))·(prior share of what is the case)/(prior share of one best set). The shares of guessing and of one best
/// set are as 1 : c, so that for one who guesses that is 1/(1 − c): they are given a best set with probability 1 − c at
/// most. A shared first place has a quarter of guessing's share, since a listener who is told one of two equally good
/// sets is not badly advised, and certainty would cost twice the rounds.
package struct PreferencePosterior: Sendable {
    /// Deviations of the merits' prior that are tried (natural logarithm): a listener to whom sets differ little,
    /// clearly, much. Two sets one deviation of 1.1 apart are told apart in three answers of four.
    static let deviations = [0.5, 1.2, 2.5]
    /// ν that are tried: of two equal sets 1, 13, 33 and 60 answers of 100 are ties.
    static let tieTendencies = [0.02, 0.3, 1, 3]

    /// Prior share of a shared first place, against that of guessing.
    private static let sharing = 0.25

    /// What can be the case.
    package typealias Outcome = PreferenceOutcome

    /// A possible state of things.
    struct Particle: Sendable {
        /// ν.
        let tieTendency: Double
        /// What is the case.
        let outcome: Outcome
        /// Its probability.
        let weight: Double
    }

    /// How many sets there are.
    package let sets: Int
    /// All states that are tried, their weights adding up to 1.
    let particles: [Particle]
    /// `[particle][set]`: √π, 1 for guessing.
    let roots: [Double]
    /// `[set]`: probability that it is the best, alone.
    package private(set) var best: [Double]
    /// Probability that all are alike.
    package private(set) var noDifference = 0.0
    /// Pairs that may share the first place, and how likely each does.
    package private(set) var shared: [(first: Int, second: Int, probability: Double)] = []
    /// `[set]`: mean of the merits, those of a listener who guesses being 0.
    package private(set) var merits: [Double]

    /// The posterior of answers. O(draws · sets²).
    ///
    /// - Parameters:
    ///   - confidence: that at which a best set will be stated, 0.5..<1.
    ///   - draws: for each deviation and tendency.
    package init(_ counts: PreferenceCounts, confidence: Double, draws: Int = 160) {
        let n = counts.sets
        sets = n
        // Of two sets a shared first place is no difference.
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

    /// Pairs that are the first two in some part of what was drawn: others cannot share the first place either.
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
