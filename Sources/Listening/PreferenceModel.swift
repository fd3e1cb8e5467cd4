import Foundation

/// How likely each answer to a pair is: the model of R. A. Bradley and M. E. Terry, Rank analysis of incomplete block
/// designs (Biometrika 39, 1952), with ties by R. R. Davidson, On extending the Bradley-Terry model to accommodate ties
/// in paired comparison experiments (JASA 65, 1970), eq. 2.4.
///
/// A set's merit is π = exp θ. Of two sets the first is preferred with probability π₁/(π₁ + π₂ + ν√(π₁π₂)), neither
/// with ν√(π₁π₂)/(π₁ + π₂ + ν√(π₁π₂)). Written by the difference d = θ₁ − θ₂, all depends on d and ν alone.
package struct PreferenceModel: Sendable {
    /// ν, how readily the listener says that neither is better: of two equal sets a tie has probability ν/(2 + ν).
    package let tieTendency: Double

    /// A listener who says so that readily; ν > 0.
    package init(tieTendency: Double) { self.tieTendency = tieTendency }

    /// Probability of an answer where the first set's merit is above the second's by `difference` (natural logarithm).
    package func probability(of answer: ListeningAnswer, difference: Double) -> Double {
        exp(logarithm(of: answer, difference: difference))
    }

    /// Natural logarithm of that probability.
    func logarithm(of answer: ListeningAnswer, difference: Double) -> Double {
        let numerator =
            switch answer {
            case .first: difference / 2
            case .second: -difference / 2
            case .unsure: log(tieTendency)
            }
        return numerator - logDenominator(difference)
    }

    /// ln(e^(d/2) + e^(−d/2) + ν), without overflow.
    func logDenominator(_ difference: Double) -> Double {
        let half = abs(difference) / 2
        return half + log(1 + exp(-2 * half) + tieTendency * exp(-half))
    }

    /// The first derivative of `logDenominator` and its second, which is positive: the likelihood has one peak.
    func slopes(_ difference: Double) -> (first: Double, second: Double) {
        let half = abs(difference) / 2
        let (small, tie) = (exp(-2 * half), tieTendency * exp(-half))
        let denominator = 1 + small + tie
        let first = (1 - small) / (2 * denominator)
        let second = (1 + small) / (4 * denominator) - first * first
        return (difference < 0 ? -first : first, second)
    }

    /// Natural logarithm of the likelihood of all answers, at these merits.
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
