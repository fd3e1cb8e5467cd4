/// What a listening test compares, and how surely: all that its draws and its end depend on.
package struct ListeningPlan: Sendable, Equatable, Codable {
    /// More sets than this are not compared: a test would take too long.
    package static let mostSets = 12
    /// More rounds than this are not asked for.
    package static let mostRounds = 400

    /// Names of the sets, as they were asked for, each once.
    package let sets: [String]
    /// What is asked, in turn.
    package let questions: [ListeningQuestion]
    /// Probability at which a best set is stated, 0.5...0.999.
    package let confidence: Double
    /// Rounds at most, checks among them.
    package let rounds: Int
    /// Where its draws come from.
    package let seed: UInt64

    /// A plan.
    ///
    /// - Parameter rounds: nil: as many as `usualRounds(sets:)`.
    /// - Throws: what is out of range.
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

    /// Rounds at most by default: 24 for two sets, 6 more for each further one.
    package static func usualRounds(sets: Int) -> Int { 12 + 6 * sets }

    /// Throws what a plan that was read cannot have.
    func check() throws(ListeningError) {
        _ = try ListeningPlan(
            sets: sets, questions: questions, confidence: confidence, rounds: rounds, seed: seed)
    }
}
