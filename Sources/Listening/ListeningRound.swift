/// One round of a listening test: two sounds, one question, and the answer once it is there.
package struct ListeningRound: Sendable, Equatable {
    /// What a round is for. The listener is not told.
    package enum Kind: String, Sendable, Codable {
        /// Two sets that are compared.
        case pair
        /// Two that were compared before, the other way round: does the listener say the same again?
        case again = "repeat"
        /// A set against itself: does the listener hear a difference where there is none?
        case same
    }

    /// Number of the round, from 1.
    package let number: Int
    /// Purpose of the round.
    package let kind: Kind
    /// The sets that are called 1 and 2, by their places in the plan.
    package let first: Int, second: Int
    /// What is asked.
    package let question: ListeningQuestion
    /// What was said; nil: nothing yet.
    package var answer: ListeningAnswer?
    /// Seconds from the first sound to the answer; nil: not known.
    package var seconds: Double?
    /// When it was said, ISO 8601; nil: not known.
    package var time: String?

    /// A round without an answer.
    package init(
        number: Int, kind: Kind, first: Int, second: Int, question: ListeningQuestion, answer: ListeningAnswer? = nil
    ) {
        (self.number, self.kind, self.first, self.second) = (number, kind, first, second)
        (self.question, self.answer) = (question, answer)
    }

    /// The set that was preferred; nil: neither, or no answer.
    package var preferred: Int? {
        switch answer {
        case .first: first
        case .second: second
        case .unsure, nil: nil
        }
    }
}

extension ListeningRound {
    /// How often, in rounds, a check comes: every sixth, a set against itself and a repeat by turns.
    static let checkInterval = 6

    /// The round that comes after these: a check where one is due, else the pair that is expected to tell most.
    ///
    /// Which of the two is called 1 is drawn; a repeat has the order turned round.
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

    /// The check that is due as this round; nil: none.
    static func check(
        _ number: Int, _ rounds: [ListeningRound], _ plan: ListeningPlan, _ question: ListeningQuestion,
        using draws: inout some RandomNumberGenerator
    ) -> ListeningRound? {
        guard number % checkInterval == 0 else { return nil }
        guard number / checkInterval % 2 == 0 else {
            let set = Int.random(in: plan.sets.indices, using: &draws)
            return ListeningRound(number: number, kind: .same, first: set, second: set, question: question)
        }
        // The oldest that was decided, and was not asked again yet.
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

    /// All rounds of a test whose answers come at the end: every pair as often as the other, in drawn order,
    /// with checks.
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

    /// A check among rounds without answers: whatever pair came first is asked again.
    private static func blindCheck(
        _ number: Int, _ rounds: [ListeningRound], _ plan: ListeningPlan, _ question: ListeningQuestion,
        using draws: inout some RandomNumberGenerator
    ) -> ListeningRound {
        var answered = rounds
        for index in answered.indices { answered[index].answer = .first }
        // The first round is a pair, so that there is always one to repeat, if only once more.
        return check(number, answered, plan, question, using: &draws)
            ?? ListeningRound(
                number: number, kind: .again, first: rounds[0].second, second: rounds[0].first,
                question: rounds[0].question)
    }
}
