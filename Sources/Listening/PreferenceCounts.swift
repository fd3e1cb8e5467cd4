/// Counts of the answers to every pair of sets. `PreferenceModel` needs nothing else of a listening test: the counts
/// are a sufficient statistic.
package struct PreferenceCounts: Sendable, Equatable {
    /// Counts of the answers to two sets, the lower index first.
    struct Pair: Sendable, Equatable {
        let first: Int, second: Int
        /// Answers that preferred the first set, the second set, and neither.
        var wins = 0.0, losses = 0.0, ties = 0.0
    }

    /// Number of sets.
    package let sets: Int
    /// Compared pairs, each once.
    private(set) var pairs: [Pair] = []
    /// Rounds of a set against itself in which one sound was preferred.
    package private(set) var selfPreferences = 0.0
    /// Rounds of a set against itself that were a tie.
    package private(set) var selfTies = 0.0

    /// Makes counts without answers.
    package init(sets: Int) { self.sets = sets }

    /// Adds an answer to `first` against `second`, given by their indices.
    package mutating func add(_ answer: ListeningAnswer, first: Int, second: Int) {
        guard first != second else {
            if answer == .unsure { selfTies += 1 } else { selfPreferences += 1 }
            return
        }
        let (low, high) = (min(first, second), max(first, second))
        let place =
            pairs.firstIndex { ($0.first, $0.second) == (low, high) }
            ?? {
                pairs.append(Pair(first: low, second: high))
                return pairs.count - 1
            }()
        switch (answer, first == low) {
        case (.unsure, _): pairs[place].ties += 1
        case (.first, true), (.second, false): pairs[place].wins += 1
        case (.second, true), (.first, false): pairs[place].losses += 1
        }
    }

    /// Returns the counts with `set` merged into `other`, which must have a lower index. Indices above `set` move down
    /// by one. Answers to the pair of both become answers to a set against itself.
    func merging(_ set: Int, into other: Int) -> PreferenceCounts {
        var merged = PreferenceCounts(sets: sets - 1)
        (merged.selfPreferences, merged.selfTies) = (selfPreferences, selfTies)
        func moved(_ number: Int) -> Int { number == set ? other : number > set ? number - 1 : number }
        for pair in pairs {
            let (first, second) = (moved(pair.first), moved(pair.second))
            guard first != second else {
                merged.selfPreferences += pair.wins + pair.losses
                merged.selfTies += pair.ties
                continue
            }
            let isTurned = first > second
            let place =
                merged.pairs.firstIndex { ($0.first, $0.second) == (min(first, second), max(first, second)) }
                ?? {
                    merged.pairs.append(Pair(first: min(first, second), second: max(first, second)))
                    return merged.pairs.count - 1
                }()
            merged.pairs[place].wins += isTurned ? pair.losses : pair.wins
            merged.pairs[place].losses += isTurned ? pair.wins : pair.losses
            merged.pairs[place].ties += pair.ties
        }
        return merged
    }

    /// Returns three numbers of answers about a set: those that preferred it, those that preferred another set to it,
    /// and those that were unsure.
    package func answers(of set: Int) -> (preferred: Double, notPreferred: Double, unsure: Double) {
        pairs.reduce((0, 0, 0)) { sum, pair in
            switch set {
            case pair.first: (sum.0 + pair.wins, sum.1 + pair.losses, sum.2 + pair.ties)
            case pair.second: (sum.0 + pair.losses, sum.1 + pair.wins, sum.2 + pair.ties)
            default: sum
            }
        }
    }
}
