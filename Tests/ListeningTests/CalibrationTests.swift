import Foundation
import Testing

@testable import Listening

/// Share of right results of the test, and its length, with simulated listeners. The seeds were not used for tuning.
@Suite struct CalibrationTests {
    /// Results of a group of listeners.
    private struct Outcome: Sendable {
        var named = 0, right = 0, none = 0
        var rounds: [Int] = []
        /// Rounds of tests that named a set, or of all where none did.
        var median: Int { rounds.sorted()[rounds.count / 2] }
    }

    private static func outcome(
        sets: Int, listeners: Int, group: UInt64, confidence: Double = 0.9,
        _ make: @escaping @Sendable (inout SimulatedListener) -> Void
    ) async throws -> Outcome {
        try await withThrowingTaskGroup(of: (ListeningTest.End?, Int?, Int).self) { tasks in
            for number in 0..<listeners {
                tasks.addTask {
                    var listener = SimulatedListener(group, number)
                    make(&listener)
                    let plan = try ListeningPlan(
                        count: sets, confidence: confidence, seed: group &* 10_000 &+ UInt64(number))
                    let test = listener.take(plan)
                    return (test.end, listener.best, test.sheet.rounds.count)
                }
            }
            var outcome = Outcome()
            for try await (end, best, rounds) in tasks {
                outcome.rounds.append(rounds)
                switch end {
                case .best(let set):
                    outcome.named += 1
                    if set == best { outcome.right += 1 }
                case .noDifference: outcome.none += 1
                case .rounds, nil: break
                }
            }
            return outcome
        }
    }

    /// Each set is clearly better than the next one.
    @Test(arguments: [(3, 100, 20), (5, 60, 26), (8, 30, 33)])
    func `A listener with a clear preference is understood soon`(sets: Int, listeners: Int, most: Int) async throws {
        let outcome = try await Self.outcome(sets: sets, listeners: listeners, group: 101) { listener in
            listener.merits = (0..<sets).map { $0 == 0 ? 1.2 : -0.8 * Double($0) }
        }
        print("clear, \(sets) sets: \(outcome.right) of \(listeners) found, median \(outcome.median) rounds")
        #expect(outcome.right * 100 >= listeners * 80)
        #expect((outcome.named - outcome.right) * 10 <= listeners)
        #expect(outcome.median <= most)
    }

    /// Half of the listeners have merits as the model expects them, the other half guess.
    @Test(arguments: [(3, 160), (5, 80)])
    func `A set that is named with 90 percent is the best nine times of ten`(
        sets: Int, listeners: Int
    ) async throws {
        let outcome = try await Self.outcome(sets: sets, listeners: listeners, group: 202) { listener in
            let guesses = listener.unit() < 1 / 1.9
            let deviation = guesses ? 0 : [0.5, 1.2, 2.5][Int(3 * listener.unit())]
            listener.tieTendency = [0.02, 0.3, 1, 3][Int(4 * listener.unit())]
            listener.merits = (0..<sets).map { _ in deviation * listener.normal() }
        }
        print("as expected, \(sets) sets: \(outcome.right) of \(outcome.named) named were right")
        #expect(outcome.named >= listeners / 16)
        // The limit is three standard deviations of the binomial distribution below nine of ten.
        let expected = 0.9 * Double(outcome.named)
        #expect(Double(outcome.right) >= expected - 3 * (0.1 * expected).squareRoot())
    }

    @Test(arguments: [0.001, 0.7, 4])
    func `Who guesses is given a best set no more often than one minus the confidence`(tendency: Double) async throws {
        for (confidence, sets) in [(0.9, 3), (0.7, 4)] {
            let listeners = 80
            let outcome = try await Self.outcome(
                sets: sets, listeners: listeners, group: 303, confidence: confidence
            ) { listener in
                listener.merits = [Double](repeating: 0, count: sets)
                listener.tieTendency = tendency
            }
            print("guessing, ties \(tendency), \(sets) sets at \(confidence): \(outcome.named) of \(listeners) named")
            #expect(Double(outcome.named) <= (1 - confidence) * Double(listeners))
        }
    }

    @Test func `Of two equally good sets above a third one is seldom named, and the third never`() async throws {
        let outcome = try await Self.outcome(sets: 3, listeners: 60, group: 505) { $0.merits = [1, 1, -1.5] }
        print("two alike above a third: \(outcome.named) of 60 named, \(outcome.right) of them the first")
        #expect(outcome.named <= 20)
    }

    @Test func `Who always chooses the same place is given no best set`() throws {
        var named = 0
        for seed in 0..<40 {
            var test = ListeningTest(ListeningSheet(try ListeningPlan(count: 3, seed: 404 + UInt64(seed))))
            while test.round != nil { test.take(.first) }
            if case .best = test.end { named += 1 }
        }
        #expect(named <= 4)
    }
}
