import Foundation
import Testing

@testable import Listening

/// The model of Davidson and its posterior.
@Suite struct PreferenceModelTests {
    @Test(arguments: [0.02, 0.4, 3]) func `Probabilities of answers are those of Davidson's model`(tendency: Double) {
        let model = PreferenceModel(tieTendency: tendency)
        for (a, b) in [(1.0, 1.0), (3, 1), (0.2, 5)] {
            let d = log(a / b)
            let total = a + b + tendency * (a * b).squareRoot()
            #expect(abs(model.probability(of: .first, difference: d) - a / total) < 1e-12)
            #expect(abs(model.probability(of: .second, difference: d) - b / total) < 1e-12)
            #expect(
                abs(model.probability(of: .unsure, difference: d) - tendency * (a * b).squareRoot() / total) < 1e-12)
        }
    }

    @Test func `Slopes are the derivatives of the log denominator, and no difference overflows`() {
        let model = PreferenceModel(tieTendency: 0.7)
        for d in [-4.0, -0.3, 0, 1.5, 9] {
            let h = 1e-4
            let (below, here, above) = (
                model.logDenominator(d - h), model.logDenominator(d), model.logDenominator(d + h)
            )
            let slopes = model.slopes(d)
            #expect(abs(slopes.first - (above - below) / (2 * h)) < 1e-6)
            #expect(abs(slopes.second - (above - 2 * here + below) / (h * h)) < 1e-5)
        }
        #expect(model.probability(of: .first, difference: 5000) == 1)
        #expect(model.probability(of: .first, difference: -5000) == 0)
    }

    @Test func `Counts do not depend on the order of the two sets`() {
        var (a, b) = (PreferenceCounts(sets: 3), PreferenceCounts(sets: 3))
        a.add(.first, first: 0, second: 2)
        b.add(.second, first: 2, second: 0)
        a.add(.unsure, first: 1, second: 2)
        b.add(.unsure, first: 2, second: 1)
        a.add(.second, first: 1, second: 1)
        b.add(.first, first: 1, second: 1)
        #expect(a == b)
        #expect(a.answers(of: 0) == (1, 0, 0) && a.answers(of: 2) == (0, 1, 1) && a.selfPreferences == 1)
    }

    /// Compares the posterior with a sum over the tie tendencies, the deviations and a fine grid of the difference of
    /// the two merits.
    @Test func `The posterior of two sets is that of exact integration`() {
        var counts = PreferenceCounts(sets: 2)
        for _ in 0..<6 { counts.add(.first, first: 0, second: 1) }
        counts.add(.second, first: 0, second: 1)
        for _ in 0..<2 { counts.add(.unsure, first: 0, second: 1) }
        counts.add(.unsure, first: 1, second: 1)
        let confidence = 0.9
        let guessing = 1 / (1 + confidence)
        var (first, second, none) = (0.0, 0.0, 0.0)
        for tendency in PreferencePosterior.tieTendencies {
            let model = PreferenceModel(tieTendency: tendency)
            none += guessing * exp(model.logLikelihood(counts, merits: [0, 0])) / 4
            for deviation in PreferencePosterior.deviations {
                // The difference of two merits has √2 their deviation.
                let width = deviation * 2.0.squareRoot()
                let step = width / 400
                for i in -4000...4000 {
                    let d = (Double(i) + 0.5) * step
                    let density = exp(-d * d / (2 * width * width)) / (width * (2 * .pi).squareRoot())
                    let mass =
                        (1 - guessing) / 12 * step * density * exp(model.logLikelihood(counts, merits: [d, 0]))
                    if d > 0 { first += mass } else { second += mass }
                }
            }
        }
        let total = first + second + none
        let posterior = PreferencePosterior(counts, confidence: confidence, draws: 2000)
        #expect(abs(posterior.best[0] - first / total) < 0.01)
        #expect(abs(posterior.best[1] - second / total) < 0.01)
        #expect(abs(posterior.noDifference - none / total) < 0.01)
        // The coarse posterior, as used during a test, is close to it.
        let coarse = PreferencePosterior(counts, confidence: confidence)
        #expect(abs(coarse.best[0] - first / total) < 0.03)
    }

    @Test func `Before any answer all sets are alike, and shares are those that bound false alarms`() {
        for sets in [2, 5, 12] {
            let posterior = PreferencePosterior(PreferenceCounts(sets: sets), confidence: 0.8)
            let guessing = sets == 2 ? 1 / 1.8 : 1 / 2.05
            let tied = posterior.shared.reduce(0) { $0 + $1.probability }
            #expect(abs(posterior.noDifference - guessing) < 0.02)
            #expect(abs(tied - (sets == 2 ? 0 : guessing / 4)) < 0.04)
            for share in posterior.best { #expect(abs(share - 0.8 * guessing / Double(sets)) < 0.03) }
            #expect(abs(posterior.best.reduce(posterior.noDifference + tied, +) - 1) < 1e-9)
        }
    }

    @Test func `Merging two sets adds up their answers`() {
        var (counts, expected) = (PreferenceCounts(sets: 4), PreferenceCounts(sets: 3))
        for (first, second, answer, merged) in [
            (0, 2, ListeningAnswer.first, (0, 0)), (2, 3, .second, (0, 2)), (0, 3, .unsure, (0, 2)),
            (1, 2, .first, (1, 0)), (3, 1, .first, (2, 1)),
        ] {
            counts.add(answer, first: first, second: second)
            expected.add(answer, first: merged.0, second: merged.1)
        }
        let merged = counts.merging(2, into: 0)
        #expect((merged.selfPreferences, merged.selfTies) == (1, 0))
        for set in 0..<3 { #expect(merged.answers(of: set) == expected.answers(of: set)) }
    }

    @Test func `The next pair has the most expected information`() {
        // Sets 0 and 1 are both far above 2 and 3, and nothing is known between them.
        var counts = PreferenceCounts(sets: 4)
        for _ in 0..<6 {
            for high in 0..<2 {
                for low in 2..<4 { counts.add(.first, first: high, second: low) }
            }
        }
        var draws = SeededDraw(seed: 1)
        let choice = PairChoice(PreferencePosterior(counts, confidence: 0.9), using: &draws)
        #expect((choice.first, choice.second) == (0, 1))
        #expect(choice.information > 0.1)
    }

    @Test func `Draws of a seed are the same on every machine`() {
        var draws = SeededDraw(seed: 7, stream: 3)
        var again = SeededDraw(seed: 7, stream: 3)
        var other = SeededDraw(seed: 7, stream: 4)
        let first = draws.next()
        #expect(first == again.next() && first != other.next())
    }
}
