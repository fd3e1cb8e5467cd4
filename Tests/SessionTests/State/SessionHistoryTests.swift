import Testing

@testable import Session

@Suite struct SessionHistoryTests {
    private func step(_ values: [String: (Double, Double)]) -> SessionHistory.Step {
        var step = SessionHistory.Step()
        step.values = values.mapValues { (.number($0.0), .number($0.1)) }
        return step
    }

    @Test func `What others change while a command goes on is theirs, undone or done`() {
        var history = SessionHistory()
        let long = history.begin()
        let short = history.begin()
        #expect(history.end(short) == [])
        history.note(step(["dim-level": (-20, -10)]))
        history.note(step(["level": (0, -3)]))
        if let undone = history.take(.undo) { history.put(undone, after: .undo) }
        #expect(history.end(long) == ["dim-level", "level"])
        let next = history.begin()
        if let redone = history.take(.redo) { history.put(redone, after: .redo) }
        #expect(history.end(next) == ["level"])
    }
}
