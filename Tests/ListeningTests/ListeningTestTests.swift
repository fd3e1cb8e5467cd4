import Foundation
import Testing

@testable import Listening

/// Rounds, sheets and results.
@Suite struct ListeningTestTests {
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("listening-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `The same seed and answers are the same test; another seed has another order`() throws {
        func orders(_ seed: UInt64) throws -> [[Int]] {
            var listener = SimulatedListener(5, 5)
            listener.merits = [0, 0, 0, 0]
            return listener.take(try ListeningPlan(count: 4, rounds: 12, seed: seed)).sheet.rounds.map {
                [$0.first, $0.second]
            }
        }
        #expect(try orders(1) == orders(1))
        #expect(try orders(1) != orders(2))
    }

    @Test func `Every sixth round is a check: a set against itself, a repeat the other way round`() throws {
        var listener = SimulatedListener(6, 1)
        (listener.merits, listener.tieTendency) = ([0, 0, 0], 0.01)
        let rounds = listener.take(try ListeningPlan(count: 3, confidence: 0.999, rounds: 24, seed: 3)).sheet.rounds
        #expect(rounds.count == 24)
        for round in rounds {
            #expect((round.kind == .same) == (round.number % 12 == 6))
            #expect((round.kind == .same) == (round.first == round.second))
            guard round.number % 12 == 0 else { continue }
            #expect(round.kind == .again)
            #expect(
                rounds[..<(round.number - 1)].contains {
                    ($0.first, $0.second, $0.question) == (round.second, round.first, round.question)
                })
        }
        let places = rounds.count { $0.first < $0.second }
        #expect((5...19).contains(places))
        #expect(Set(rounds.map(\.question)).count == 3)
    }

    @Test func `A test goes on from its sheet as if it had never been left`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("sheet.json").path
        var whole = ListeningTest(ListeningSheet(try ListeningPlan(count: 3, confidence: 0.99, rounds: 15, seed: 9)))
        var parts = whole
        let said: [ListeningAnswer] = [.first, .second, .unsure, .first, .first]
        for number in 0..<15 {
            whole.take(said[number % 5], seconds: 2.5, time: "2030-01-01T00:00:00Z")
            parts.take(said[number % 5], seconds: 2.5, time: "2030-01-01T00:00:00Z")
            try parts.sheet.save(to: path, replaces: true)
            parts = ListeningTest(try ListeningSheet(contentsOf: path))
        }
        #expect(whole.sheet == parts.sheet && whole.end == parts.end)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"preferred\"") && text.contains("set 1") && !text.contains("\"key\""))
    }

    @Test func `A sheet to fill in hides its sets, takes what people write, and gives a result`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("sheet.json").path
        let plan = try ListeningPlan(sets: ["kemar", "generated", "mine"], rounds: 36, seed: 12)
        let rounds = ListeningRound.all(of: plan)
        #expect(rounds.count == 36 && rounds.allSatisfy { $0.answer == nil })
        try ListeningSheet(plan, rounds: rounds, files: rounds.map { ["\($0.number)-1.wav", "\($0.number)-2.wav"] })
            .save(to: path, replaces: true)
        var text = try String(contentsOfFile: path, encoding: .utf8)
        let roundsOnly = try #require(text.range(of: "\"rounds\" : ["))
        #expect(!text[roundsOnly.upperBound...].contains("mine"))
        // This listener prefers set 2 wherever it is.
        var filled = ""
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.contains("\"answer\" : \"\"") else {
                filled += line + "\n"
                continue
            }
            let round = rounds[number]
            let word = round.first == round.second ? "Unsure" : round.first == 2 ? " a" : round.second == 2 ? "2" : "u"
            filled += line.replacing("\"\",", with: "\"\(word)\",") + "\n"
            number += 1
        }
        text = filled
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let sheet = try ListeningSheet(contentsOf: path)
        #expect(sheet.rounds.count { $0.answer != nil } == 36)
        let result = ListeningResult(sheet)
        #expect(result.verdict == .best && result.best == ["mine"])
        #expect(result.lines.first?.contains("'mine' fits you best") == true)
        // A word that is no answer is told with its round.
        try text.replacing("\"Unsure\"", with: "\"perhaps\"").write(toFile: path, atomically: true, encoding: .utf8)
        #expect {
            _ = try ListeningSheet(contentsOf: path)
        } throws: {
            "\($0)".contains("round 6: the answer is 1, 2, u (unsure) or nothing, not 'perhaps'")
        }
    }

    @Test func `What is no sheet is told as such`() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("sheet.json").path
        for text in ["", "[]", "{}", "{\"format\": \"else\"}", "{\"format\": \"proscenium listening sheet 1\"}"] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            #expect {
                _ = try ListeningSheet(contentsOf: path)
            } throws: {
                if case .notASheet? = $0 as? ListeningError { true } else { false }
            }
        }
        #expect(throws: ListeningError.self) { _ = try ListeningSheet(contentsOf: path + ".none") }
        #expect(throws: ListeningError.setCount(1)) { _ = try ListeningPlan(sets: ["a"], seed: 1) }
        #expect(throws: ListeningError.namedTwice("a")) { _ = try ListeningPlan(sets: ["a", "a"], seed: 1) }
        #expect(throws: ListeningError.confidence(1)) {
            _ = try ListeningPlan(sets: ["a", "b"], confidence: 1, seed: 1)
        }
    }

    @Test func `Without a preference the result says so in plain words`() throws {
        let plan = try ListeningPlan(count: 2, seed: 1)
        #expect(ListeningResult(ListeningSheet(plan)).lines[0].contains("nothing was answered"))
        var test = ListeningTest(ListeningSheet(plan))
        var isFirst = true
        while let round = test.round {
            // The answers alternate between the two sets.
            test.take((round.first == 0) == isFirst ? .first : .second)
            isFirst.toggle()
        }
        let result = ListeningResult(test.sheet)
        #expect(result.verdict == .noPreference && result.best.isEmpty)
        #expect(result.lines[0].hasPrefix("no audible preference could be shown"))
        #expect(result.reliability.agreed * 2 <= result.reliability.repeats)
    }

    @Test func `Two that are far above the third are named together`() throws {
        let plan = try ListeningPlan(count: 3, rounds: 30, seed: 5)
        var rounds: [ListeningRound] = []
        for turn in 0..<8 {
            for (first, second, answer) in [(0, 2, ListeningAnswer.first), (1, 2, .first), (0, 1, .unsure)] {
                rounds.append(
                    ListeningRound(
                        number: 3 * turn + first + second, kind: .pair, first: first, second: second,
                        question: .outside, answer: answer))
            }
        }
        let result = ListeningResult(ListeningSheet(plan, rounds: rounds))
        #expect(result.verdict == .several && Set(result.best) == ["set 0", "set 1"])
        #expect(result.lines[0].contains("the best is among"))
    }

    @Test func `Consistency counts what was asked twice, and a habit is seen`() {
        func round(_ number: Int, _ first: Int, _ second: Int, _ answer: ListeningAnswer) -> ListeningRound {
            ListeningRound(
                number: number, kind: first == second ? .same : .pair, first: first, second: second,
                question: .outside, answer: answer)
        }
        let reliability = ListeningReliability([
            round(1, 0, 1, .first), round(2, 1, 0, .second), round(3, 1, 0, .first), round(4, 2, 2, .unsure),
            round(5, 2, 2, .first), round(6, 0, 2, .unsure),
        ])
        #expect((reliability.repeats, reliability.agreed) == (2, 1))
        #expect((reliability.selfRounds, reliability.selfUnsure) == (2, 1))
        #expect((reliability.decided, reliability.decidedFirst) == (4, 3))
        #expect(!reliability.looksLikeHabit)
        let habit = ListeningReliability((1...10).map { round($0, $0 % 2, 1 - $0 % 2, .first) })
        #expect(abs(habit.habitChance - 2 / 1024) < 1e-9 && habit.looksLikeHabit)
    }
}
