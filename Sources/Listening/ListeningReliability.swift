import Foundation

/// Reliability of a listener's answers: agreement between repeated questions, differences reported between identical
/// sounds, and a habit of choosing sound 1 or sound 2.
package struct ListeningReliability: Sendable, Equatable, Codable {
    /// Number of rounds that repeated an earlier round's question about the same pair, if both rounds preferred a set.
    package var repeats = 0
    /// Number of `repeats` in which the same set was preferred again.
    package var agreed = 0
    /// Number of answered rounds that compared a set with itself.
    package var selfRounds = 0
    /// Number of `selfRounds` that were answered unsure.
    package var selfUnsure = 0
    /// Number of rounds in which sound 1 or sound 2 was chosen, and number of rounds in which sound 1 was chosen.
    package var decided = 0, decidedFirst = 0

    /// Evaluates the answered rounds.
    package init(_ rounds: [ListeningRound]) {
        var last: [[Int]: Int] = [:]
        for round in rounds {
            guard let answer = round.answer else { continue }
            if answer != .unsure {
                decided += 1
                if answer == .first { decidedFirst += 1 }
            }
            guard round.kind != .same else {
                selfRounds += 1
                if answer == .unsure { selfUnsure += 1 }
                continue
            }
            guard let preferred = round.preferred else { continue }
            let question = ListeningQuestion.allCases.firstIndex(of: round.question) ?? 0
            let asked = [min(round.first, round.second), max(round.first, round.second), question]
            if let before = last[asked] {
                repeats += 1
                if before == preferred { agreed += 1 }
            }
            last[asked] = preferred
        }
    }

    /// Probability that a listener without a habit chooses one of the two sounds at least as often as the more frequent
    /// sound was chosen: the two-sided tail of the binomial distribution with probability one half.
    package var habitChance: Double {
        let most = max(decidedFirst, decided - decidedFirst)
        var (logarithm, sum) = (-Double(decided) * log(2), 0.0)
        for k in 0...decided {
            if k >= most { sum += exp(logarithm) }
            logarithm += log(Double(max(1, decided - k))) - log(Double(k + 1))
        }
        return min(1, 2 * sum)
    }

    /// Whether `habitChance` is below 5 %.
    package var looksLikeHabit: Bool { habitChance < 0.05 }

    /// Reliability in plain words, one line per fact.
    package var lines: [String] {
        var lines: [String] = []
        if repeats == 0 {
            lines.append("consistency: not known, no pair was decided twice")
        } else {
            // A listener who only guesses would give the same answer again in half of the repeats.
            let judged =
                repeats < 3
                ? "too few to judge" : 4 * agreed >= 3 * repeats ? "good" : 5 * agreed >= 3 * repeats ? "fair" : "poor"
            lines.append("consistency: \(agreed) of \(repeats) repeated questions were answered alike (\(judged))")
        }
        if selfRounds > 0 {
            lines.append(
                "a set against itself: unsure, as is right, in \(selfUnsure) of \(selfRounds) such rounds")
        }
        if looksLikeHabit {
            let share = max(decidedFirst, decided - decidedFirst)
            lines.append(
                "sound \(2 * decidedFirst > decided ? 1 : 2) was chosen in \(share) of \(decided) answers, which looks like a habit; "
                    + "it favours no set, but makes answers worth less")
        }
        return lines
    }
}
