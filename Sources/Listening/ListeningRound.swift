/// One round of a listening test: two sounds, one question, and the answer once given.
package struct ListeningRound: Sendable, Equatable {
    /// Purpose of a round. It is hidden from the listener.
    package enum Kind: String, Sendable, Codable {
        /// Compares two sets.
        case pair
        /// Repeats an earlier pair in reversed order, to check whether the same set is preferred.
        case again = "repeat"
        /// Compares a set with itself, to check whether a difference is reported.
        case same
    }

    /// Number of the round, from 1.
    package let number: Int
    /// Purpose of the round.
    package let kind: Kind
    /// Sets played as sound 1 and sound 2, as indices into the sets of the plan.
    package let first: Int, second: Int
    /// Question of the round.
    package let question: ListeningQuestion
    /// The answer; nil before it is given.
    package var answer: ListeningAnswer?
    /// Seconds from the first sound to the answer; nil if unknown.
    package var seconds: Double?
    /// Time of the answer, ISO 8601; nil if unknown.
    package var time: String?

    /// Makes a round, by default without an answer.
    package init(
        number: Int, kind: Kind, first: Int, second: Int, question: ListeningQuestion, answer: ListeningAnswer? = nil
    ) {
        (self.number, self.kind, self.first, self.second) = (number, kind, first, second)
        (self.question, self.answer) = (question, answer)
    }

    /// Index of the preferred set; nil for unsure or without an answer.
    package var preferred: Int? {
        switch answer {
        case .first: first
        case .second: second
        case .unsure, nil: nil
        }
    }
}

extension ListeningRound {
    /// Interval of checks, in rounds. A set against itself and a repeat take turns.
    static let checkInterval = 6

    /// Returns the next round: a check if one is due, else one of the pairs with the most expected information.
    ///
    /// The order of the two sounds is random; a repeat reverses the order of its earlier round.
    static func next(
        after rounds: [ListeningRound], plan: ListeningPlan, posterior: PreferencePosterior
    ) -> ListeningRound {
        let number = (rounds.last?.number ?? 0) + 1
        var draws = SeededDraw(seed: plan.seed, stream: UInt64(number))
        let question = plan.questions[(number - 1) % plan.questions.count]
        if let check = check(number, rounds, plan, question, using: &draws) { return check }
        let pair = PairChoice(posterior, using: &draws)
        let isTurned = Bool.random(using: &draws)
        return ListeningRound(
            number: number, kind: .pair, first: isTurned ? pair.second : pair.first,
            second: isTurned ? pair.first : pair.second, question: question)
    }

    /// Returns the check due in round `number`. Nil if none is due, or if there is no pair to repeat.
    static func check(
        _ number: Int, _ rounds: [ListeningRound], _ plan: ListeningPlan, _ question: ListeningQuestion,
        using draws: inout some RandomNumberGenerator
    ) -> ListeningRound? {
        guard number % checkInterval == 0 else { return nil }
        guard number / checkInterval % 2 == 0 else {
            let set = Int.random(in: plan.sets.indices, using: &draws)
            return ListeningRound(number: number, kind: .same, first: set, second: set, question: question)
        }
        // The oldest pair that was decided and has not been repeated.
        let again = rounds.filter { $0.kind == .again }
        let asked = rounds.first { round in
            round.kind == .pair && round.preferred != nil
                && !again.contains {
                    ($0.first, $0.second, $0.question) == (round.second, round.first, round.question)
                }
        }
        return asked.map {
            ListeningRound(number: number, kind: .again, first: $0.second, second: $0.first, question: $0.question)
        }
    }

    /// Returns all rounds of a test whose sounds are all rendered before the first answer. The pairs are in random
    /// order, with checks between them. Apart from checks, the numbers of rounds of two pairs differ by at most one.
    package static func all(of plan: ListeningPlan) -> [ListeningRound] {
        var draws = SeededDraw(seed: plan.seed)
        var rounds: [ListeningRound] = []
        var waiting: [(Int, Int)] = []
        while rounds.count < plan.rounds {
            let number = rounds.count + 1
            let question = plan.questions[(number - 1) % plan.questions.count]
            if number % checkInterval == 0 {
                rounds.append(blindCheck(number, rounds, plan, question, using: &draws))
                continue
            }
            if waiting.isEmpty {
                let indices = plan.sets.indices
                waiting = indices.flatMap { first in indices.filter { $0 > first }.map { (first, $0) } }
                    .shuffled(using: &draws)
            }
            let pair = waiting.removeLast()
            let isTurned = Bool.random(using: &draws)
            rounds.append(
                ListeningRound(
                    number: number, kind: .pair, first: isTurned ? pair.1 : pair.0,
                    second: isTurned ? pair.0 : pair.1, question: question))
        }
        return rounds
    }

    /// Returns a check among rounds without answers: a set against itself, or the oldest pair not yet repeated.
    private static func blindCheck(
        _ number: Int, _ rounds: [ListeningRound], _ plan: ListeningPlan, _ question: ListeningQuestion,
        using draws: inout some RandomNumberGenerator
    ) -> ListeningRound {
        var answered = rounds
        for index in answered.indices { answered[index].answer = .first }
        // The first round is always a pair. If every pair has been repeated, this round is repeated once more.
        return check(number, answered, plan, question, using: &draws)
            ?? ListeningRound(
                number: number, kind: .again, first: rounds[0].second, second: rounds[0].first,
                question: rounds[0].question)
    }
}
