import Foundation

@testable import Listening

/// A listener whose preferences are known.
struct SimulatedListener {
    /// Merits of the sets, natural logarithm.
    var merits: [Double]
    /// Tendency to answer that they are unsure.
    var tieTendency: Double
    private var draws: SeededDraw

    /// Makes listener `number` of a group; the group's number is the seed.
    init(_ group: UInt64, _ number: Int) {
        (merits, tieTendency) = ([], 0.3)
        draws = SeededDraw(seed: group, stream: UInt64(number))
    }

    /// Returns the listener's answer to a round.
    mutating func answer(to round: ListeningRound) -> ListeningAnswer {
        let model = PreferenceModel(tieTendency: tieTendency)
        let difference = merits[round.first] - merits[round.second]
        let first = model.probability(of: .first, difference: difference)
        let second = model.probability(of: .second, difference: difference)
        let drawn = unit()
        return drawn < first ? .first : drawn < first + second ? .second : .unsure
    }

    /// Returns a uniform draw in 0..<1.
    mutating func unit() -> Double { Double.random(in: 0..<1, using: &draws) }

    /// A normal draw of deviation 1.
    mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }

    /// Returns the listener's test by a plan.
    mutating func take(_ plan: ListeningPlan) -> ListeningTest {
        var test = ListeningTest(ListeningSheet(plan))
        while let round = test.round { test.take(answer(to: round)) }
        return test
    }

    /// The set of greatest merit; nil where all are alike.
    var best: Int? {
        let most = merits.max() ?? 0
        return merits.allSatisfy { $0 == most } ? nil : merits.firstIndex(of: most)
    }
}

extension ListeningPlan {
    /// Sets without names.
    init(count: Int, confidence: Double = 0.9, rounds: Int? = nil, seed: UInt64) throws {
        try self.init(
            sets: (0..<count).map { "set \($0)" }, confidence: confidence, rounds: rounds, seed: seed)
    }
}
