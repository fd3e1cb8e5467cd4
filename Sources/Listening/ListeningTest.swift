/// A listening test under way: which round comes next, what is known so far, and when it is over.
///
/// A pure function of its plan and the answers: a sheet that is read again goes on where it was.
package struct ListeningTest: Sendable {
    /// Why a test is over.
    package enum End: Sendable, Equatable {
        /// A set is the best, with the confidence that was asked for.
        case best(Int)
        /// So surely the listener prefers none.
        case noDifference
        /// As many rounds as were asked for.
        case rounds
    }

    /// All that was answered.
    package private(set) var sheet: ListeningSheet
    /// What is known.
    package private(set) var posterior: PreferencePosterior
    /// What is asked now; nil: it is over.
    package private(set) var round: ListeningRound?

    private var counts: PreferenceCounts

    /// A test that begins, or goes on, with a sheet. Some milliseconds; so is each answer.
    package init(_ sheet: ListeningSheet) {
        var sheet = sheet
        sheet.rounds = sheet.rounds.filter { $0.answer != nil }
        self.sheet = sheet
        counts = PreferenceCounts(sheet.rounds, sets: sheet.plan.sets.count)
        posterior = PreferencePosterior(counts, confidence: sheet.plan.confidence)
        round = upcoming
    }

    /// Takes the answer to `round`; does nothing where it is over.
    ///
    /// - Parameters:
    ///   - seconds: since the round's first sound.
    ///   - time: now, ISO 8601.
    package mutating func take(_ answer: ListeningAnswer, seconds: Double? = nil, time: String? = nil) {
        guard var asked = round else { return }
        (asked.answer, asked.seconds, asked.time) = (answer, seconds, time)
        sheet.rounds.append(asked)
        counts.add(answer, first: asked.first, second: asked.second)
        posterior = PreferencePosterior(counts, confidence: sheet.plan.confidence)
        round = upcoming
    }

    /// Why it is over; nil while it goes on.
    package var end: End? {
        let confidence = sheet.plan.confidence
        if let best = posterior.best.firstIndex(where: { $0 >= confidence }) { return .best(best) }
        if posterior.noDifference >= confidence { return .noDifference }
        return sheet.rounds.count >= sheet.plan.rounds ? .rounds : nil
    }

    private var upcoming: ListeningRound? {
        end == nil ? ListeningRound.next(after: sheet.rounds, plan: sheet.plan, posterior: posterior) : nil
    }
}

extension PreferenceCounts {
    /// The answers of these rounds.
    package init(_ rounds: [ListeningRound], sets: Int) {
        self.init(sets: sets)
        for round in rounds {
            if let answer = round.answer { add(answer, first: round.first, second: round.second) }
        }
    }
}
