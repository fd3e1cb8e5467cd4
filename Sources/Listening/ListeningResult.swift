import Foundation

/// Result of a listening test: each set's probability of being the best, and a verdict in plain words.
package struct ListeningResult: Sendable, Codable, Equatable {
    /// Conclusion of a test.
    package enum Verdict: String, Sendable, Codable {
        /// One set is the best at the requested confidence.
        case best
        /// At the requested confidence the best set is one of several sets, but these are not all sets.
        case several
        /// No audible preference could be shown.
        case noPreference = "no-preference"
    }

    /// A set in the ranking, with the answers about it.
    package struct Place: Sendable, Codable, Equatable {
        /// Name of the set.
        package let set: String
        /// Probability that the set is the best.
        package let probability: Double
        /// Posterior mean of the set's merit, minus the mean over all sets; natural logarithm of the strength. A set
        /// whose merit is 1.1 above that of another is preferred in three of four answers that are not ties.
        package let merit: Double
        /// Answers in favour of the set, in favour of another set, and undecided.
        package let preferred: Int, notPreferred: Int, unsure: Int
    }

    /// Conclusion.
    package let verdict: Verdict
    /// The best set, or several sets that include the best one, most probable first; empty without a preference.
    package let best: [String]
    /// Sets, most probable first.
    package let ranking: [Place]
    /// Probability that two sets share the first place.
    package let sharedFirst: Double
    /// Probability that the listener prefers no set.
    package let noPreference: Double
    /// Requested confidence.
    package let confidence: Double
    /// Number of rounds answered, number of rounds answered unsure, and maximum number of rounds of the plan.
    package let rounds: Int, unsure: Int, roundsAtMost: Int
    /// Reliability of the answers.
    package let reliability: ListeningReliability
    /// Seed of the random draws.
    package let seed: UInt64

    /// Evaluates all answers on a sheet. Uses more draws than the running test; takes about ten milliseconds.
    package init(_ sheet: ListeningSheet) {
        let plan = sheet.plan
        let answered = sheet.rounds.filter { $0.answer != nil }
        let counts = PreferenceCounts(answered, sets: plan.sets.count)
        let posterior = PreferencePosterior(counts, confidence: plan.confidence, draws: 640)
        let mean = posterior.merits.reduce(0, +) / Double(plan.sets.count)
        let order = plan.sets.indices.sorted { posterior.best[$0] > posterior.best[$1] }
        ranking = order.map { set in
            let answers = counts.answers(of: set)
            return Place(
                set: plan.sets[set], probability: posterior.best[set], merit: posterior.merits[set] - mean,
                preferred: Int(answers.preferred), notPreferred: Int(answers.notPreferred),
                unsure: Int(answers.unsure))
        }
        // The running test uses fewer draws. If it ended with a best set, this set remains the result.
        let ended = ListeningTest(sheet).end
        let isEnded: Int? = if case .best(let set) = ended { set } else { nil }
        if let set = isEnded ?? order.first(where: { posterior.best[$0] >= plan.confidence }) {
            (verdict, best) = (.best, [plan.sets[set]])
        } else {
            let tied = plan.sets.indices.map { set in
                posterior.shared.reduce(0) { $0 + ($1.first == set || $1.second == set ? $1.probability : 0) }
            }
            var among: [Int] = []
            var share = 0.0
            for set in plan.sets.indices.sorted(by: {
                posterior.best[$0] + tied[$0] > posterior.best[$1] + tied[$1]
            }) where share < plan.confidence {
                among.append(set)
                share =
                    among.reduce(0) { $0 + posterior.best[$1] }
                    + posterior.shared.reduce(0) {
                        $0 + (among.contains($1.first) && among.contains($1.second) ? $1.probability : 0)
                    }
            }
            let isShown = share >= plan.confidence && among.count < plan.sets.count
            (verdict, best) = isShown ? (.several, among.map { plan.sets[$0] }) : (.noPreference, [])
        }
        noPreference = posterior.noDifference
        sharedFirst = posterior.shared.reduce(0) { $0 + $1.probability }
        confidence = plan.confidence
        (rounds, roundsAtMost, seed) = (answered.count, plan.rounds, plan.seed)
        unsure = answered.count { $0.answer == .unsure }
        reliability = ListeningReliability(answered)
    }

    /// Result in plain words, one line per fact.
    package var lines: [String] {
        var lines = [headline]
        let width = (ranking.map(\.set.count).max() ?? 0) + 2
        for (index, place) in ranking.enumerated() {
            lines.append(
                "  \(index + 1). " + place.set.padding(toLength: width, withPad: " ", startingAt: 0)
                    + "best with \(Self.percent(place.probability)); preferred \(place.preferred) times, "
                    + "another \(place.notPreferred) times, unsure \(place.unsure)")
        }
        if ranking.count > 2 { lines.append("  two of them share the first place: \(Self.percent(sharedFirst))") }
        lines.append("  no difference to you: \(Self.percent(noPreference))")
        lines.append("\(rounds) rounds of at most \(roundsAtMost) were answered, \(unsure) of them unsure")
        return lines + reliability.lines
    }

    private var headline: String {
        let asked = Self.percent(confidence)
        switch verdict {
        case .best:
            return "'\(best[0])' fits you best: \(Self.percent(max(confidence, ranking[0].probability))) sure"
        case .several:
            let names = best.map { "'\($0)'" }.joined(separator: ", ")
            return "not decided: the best is among \(names), at least \(asked) sure; "
                + "more rounds (--resume with more --rounds) may tell which"
        case .noPreference where rounds == 0:
            return "no audible preference could be shown: nothing was answered"
        case .noPreference where noPreference >= confidence:
            return "no audible preference could be shown: "
                + "\(Self.percent(noPreference)) sure that these sets are alike to you"
        case .noPreference:
            return "no audible preference could be shown in \(rounds) rounds at \(asked)"
        }
    }

    /// Formats 0.934 as `93 %`. Values near 1 and 0 become `over 99 %` and `under 1 %`.
    private static func percent(_ share: Double) -> String {
        let value = share * 100
        return value >= 99.5 ? "over 99 %" : value < 0.5 ? "under 1 %" : "\(Int(value.rounded())) %"
    }
}
