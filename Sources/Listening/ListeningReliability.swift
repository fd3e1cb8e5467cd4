import Foundation

/// How far a listener's answers can be relied on: whether the same was said of the same, whether differences were heard
/// where there were none, and whether one of the two places was chosen by habit.
package struct ListeningReliability: Sendable, Equatable, Codable {
    /// Times that a pair was asked again with the same question, and both answers preferred one of the two.
    package var repeats = 0
    /// How many of them preferred the same set.
    package var agreed = 0
    /// Rounds of a set against itself.
    package var selfRounds = 0
    /// How many of them were answered with unsure.
    package var selfUnsure = 0
    /// Rounds in which 1 or 2 was chosen, and how many of them chose 1.
    package var decided = 0, decidedFirst = 0

    /// What these rounds show.
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

    /// How likely one place is chosen as often as it was, or more, by a listener without a habit: the two-sided tail of
    /// the binomial distribution with probability one half.
    package var habitChance: Double {
        let most = max(decidedFirst, decided - decidedFirst)
        var (logarithm, sum) = (-Double(decided) * log(2), 0.0)
        for k in 0...decided {
            if k >= most { sum += exp(logarithm) }
            logarithm += log(Double(max(1, decided - k))) - log(Double(k + 1))
        }
        return min(1, 2 * sum)
    }

    /// Whether one place was chosen so often that it looks like a habit (5 %).
    package var looksLikeHabit: Bool { habitChance < 0.05 }

    /// In plain words, a line each.
    package var lines: [String] {
        var lines: [String] = []
        if repeats == 0 {
            lines.append("consistency: not known, no pair was decided twice")
        } else {
            // By guessing half would agree.
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
