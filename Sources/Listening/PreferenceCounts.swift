/// What was answered of every pair of sets: all that the model needs to know of a test so far.
package struct PreferenceCounts: Sendable, Equatable {
    /// What was answered of two sets, the first of the lower number.
    struct Pair: Sendable, Equatable {
        let first: Int, second: Int
        /// How often the first was preferred, the second, neither.
        var wins = 0.0, losses = 0.0, ties = 0.0
    }

    /// How many sets there are.
    package let sets: Int
    /// Pairs that were compared, each once.
    private(set) var pairs: [Pair] = []
    /// How often a set compared with itself was preferred to itself.
    package private(set) var selfPreferences = 0.0
    /// How often a set compared with itself was a tie.
    package private(set) var selfTies = 0.0

    /// Nothing answered yet.
    package init(sets: Int) { self.sets = sets }

    /// Takes an answer to `first` against `second`, sets by their numbers.
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

    /// The same where two sets are one: `set` and those above it move down by one.
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

    /// How often a set was preferred in all, how often another was preferred to it, and how often neither was.
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
