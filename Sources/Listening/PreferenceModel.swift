import Foundation

/// Probability of each answer to a pair: the model of R. A. Bradley and M. E. Terry, Rank analysis of incomplete block
/// designs (Biometrika 39, 1952), with ties by R. R. Davidson, On extending the Bradley-Terry model to accommodate ties
/// in paired comparison experiments (JASA 65, 1970), eq. 2.4.
///
/// A set with merit θ has the strength π = exp θ. Of two sets the first is preferred with probability
/// π₁/(π₁ + π₂ + ν√(π₁π₂)). The answer is a tie with probability ν√(π₁π₂)/(π₁ + π₂ + ν√(π₁π₂)). Both depend only on
/// d = θ₁ − θ₂ and ν.
package struct PreferenceModel: Sendable {
    /// Tie tendency ν > 0: for two equal sets a tie has probability ν/(2 + ν).
    package let tieTendency: Double

    /// Makes a model of a listener with the tie tendency ν > 0.
    package init(tieTendency: Double) { self.tieTendency = tieTendency }

    /// Returns the probability of an answer; `difference` is θ₁ − θ₂.
    package func probability(of answer: ListeningAnswer, difference: Double) -> Double {
        exp(logarithm(of: answer, difference: difference))
    }

    /// Returns the natural logarithm of the probability of an answer.
    func logarithm(of answer: ListeningAnswer, difference: Double) -> Double {
        let numerator =
            switch answer {
            case .first: difference / 2
            case .second: -difference / 2
            case .unsure: log(tieTendency)
            }
        return numerator - logDenominator(difference)
    }

    /// Returns ln(e^(d/2) + e^(−d/2) + ν), without overflow.
    func logDenominator(_ difference: Double) -> Double {
        let half = abs(difference) / 2
        return half + log(1 + exp(-2 * half) + tieTendency * exp(-half))
    }

    /// Returns the first and second derivatives of `logDenominator`. The second is positive, so the logarithm of the
    /// likelihood is concave.
    func slopes(_ difference: Double) -> (first: Double, second: Double) {
        let half = abs(difference) / 2
        let (small, tie) = (exp(-2 * half), tieTendency * exp(-half))
        let denominator = 1 + small + tie
        let first = (1 - small) / (2 * denominator)
        let second = (1 + small) / (4 * denominator) - first * first
        return (difference < 0 ? -first : first, second)
    }

    /// Returns the natural logarithm of the likelihood of all answers at `merits`.
    func logLikelihood(_ counts: PreferenceCounts, merits: [Double]) -> Double {
        var sum = 0.0
        for pair in counts.pairs {
            let d = merits[pair.first] - merits[pair.second]
            sum += (pair.wins - pair.losses) * d / 2 + pair.ties * log(tieTendency)
            sum -= (pair.wins + pair.losses + pair.ties) * logDenominator(d)
        }
        sum += counts.selfTies * log(tieTendency)
        return sum - (counts.selfTies + counts.selfPreferences) * logDenominator(0)
    }
}
