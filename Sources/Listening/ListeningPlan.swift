/// Plan of a listening test: the HRTF sets to compare, and all values on which the random draws and the end of a test
/// depend.
package struct ListeningPlan: Sendable, Equatable, Codable {
    /// Largest number of sets: a test of more would take too long.
    package static let mostSets = 12
    /// Largest number of rounds.
    package static let mostRounds = 400

    /// Names of the sets in the order given, each once.
    package let sets: [String]
    /// Questions; the rounds take them in turn.
    package let questions: [ListeningQuestion]
    /// Probability at which a conclusion is stated, 0.5...0.999.
    package let confidence: Double
    /// Maximum number of rounds, including checks.
    package let rounds: Int
    /// Seed of the random draws.
    package let seed: UInt64

    /// Makes a plan.
    ///
    /// - Parameter rounds: maximum number of rounds; `usualRounds(sets:)` if nil.
    /// - Throws: `ListeningError` for a value out of its range or a set named twice.
    package init(
        sets: [String], questions: [ListeningQuestion] = ListeningQuestion.allCases, confidence: Double = 0.9,
        rounds: Int? = nil, seed: UInt64
    ) throws(ListeningError) {
        guard (2...Self.mostSets).contains(sets.count) else { throw .setCount(sets.count) }
        var seen: Set<String> = []
        for set in sets where !seen.insert(set).inserted { throw .namedTwice(set) }
        guard (0.5...0.999).contains(confidence) else { throw .confidence(confidence) }
        let rounds = rounds ?? Self.usualRounds(sets: sets.count)
        guard (1...Self.mostRounds).contains(rounds) else { throw .rounds(rounds) }
        self.sets = sets
        self.questions = questions.isEmpty ? ListeningQuestion.allCases : questions
        self.confidence = confidence
        self.rounds = rounds
        self.seed = seed
    }

    /// Returns the default maximum number of rounds: 24 for two sets, 6 more for each further set.
    package static func usualRounds(sets: Int) -> Int { 12 + 6 * sets }

    /// Throws if a value of a decoded plan is out of its range, or if a set is named twice.
    func check() throws(ListeningError) {
        _ = try ListeningPlan(
            sets: sets, questions: questions, confidence: confidence, rounds: rounds, seed: seed)
    }
}
