/// A running listening test: the current round, the posterior so far, and the reason for the end.
///
/// The state is a pure function of the plan and the answers. A test resumed from a saved sheet continues where it
/// stopped.
package struct ListeningTest: Sendable {
    /// Reason for the end of a test.
    package enum End: Sendable, Equatable {
        /// The set with this index is the best at the requested confidence.
        case best(Int)
        /// The listener prefers no set, at the requested confidence.
        case noDifference
        /// The maximum number of rounds was reached.
        case rounds
    }

    /// Sheet with the answered rounds.
    package private(set) var sheet: ListeningSheet
    /// Posterior of the preferences, given the answers so far.
    package private(set) var posterior: PreferencePosterior
    /// Current round; nil after the end.
    package private(set) var round: ListeningRound?

    private var counts: PreferenceCounts

    /// Begins a test, or resumes the one on the sheet. Takes some milliseconds, as does each answer.
    package init(_ sheet: ListeningSheet) {
        var sheet = sheet
        sheet.rounds = sheet.rounds.filter { $0.answer != nil }
        self.sheet = sheet
        counts = PreferenceCounts(sheet.rounds, sets: sheet.plan.sets.count)
        posterior = PreferencePosterior(counts, confidence: sheet.plan.confidence)
        round = upcoming
    }

    /// Adds the answer to `round`; does nothing after the end.
    ///
    /// - Parameters:
    ///   - seconds: time since the round's first sound, s.
    ///   - time: current time, ISO 8601.
    package mutating func take(_ answer: ListeningAnswer, seconds: Double? = nil, time: String? = nil) {
        guard var asked = round else { return }
        (asked.answer, asked.seconds, asked.time) = (answer, seconds, time)
        sheet.rounds.append(asked)
        counts.add(answer, first: asked.first, second: asked.second)
        posterior = PreferencePosterior(counts, confidence: sheet.plan.confidence)
        round = upcoming
    }

    /// Reason for the end; nil while the test runs.
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
    /// Counts the answers of rounds.
    package init(_ rounds: [ListeningRound], sets: Int) {
        self.init(sets: sets)
        for round in rounds {
            if let answer = round.answer { add(answer, first: round.first, second: round.second) }
        }
    }
}
