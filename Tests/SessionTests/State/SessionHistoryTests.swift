import Desk
import Stages
import Testing

@testable import Session

@Suite struct SessionHistoryTests {
    private func step(_ values: [String: (Double, Double)]) -> SessionHistory.Step {
        var step = SessionHistory.Step()
        step.values.changes = values.mapValues { .init(before: .number($0.0), after: .number($0.1)) }
        return step
    }

    @Test func `What others change while a command goes on is theirs, undone or done`() {
        var history = SessionHistory()
        let long = history.begin()
        let short = history.begin()
        #expect(history.end(short) == [])
        history.note(step(["dim-level": (-20, -10)]))
        history.note(step(["level": (0, -3)]))
        if let undone = history.take(.undo) { history.put(undone, after: .undo, noted: history.noted) }
        #expect(history.end(long) == ["dim-level", "level"])
        let next = history.begin()
        if let redone = history.take(.redo) { history.put(redone, after: .redo, noted: history.noted) }
        #expect(history.end(next) == ["level"])
    }

    @Test func `What was done while a step was undone is newer: that step cannot be done again`() {
        var history = SessionHistory()
        history.note(step(["layout": (0, 1)]))
        let noted = history.noted
        let slow = history.take(.undo)
        history.note(step(["level": (0, -3)]))
        if let slow { history.put(slow, after: .undo, noted: noted) }
        #expect(history.next(.redo) == nil)
        #expect(history.next(.undo)?.values.changes.keys.first == "level")
    }

    @Test func `What is switched there and back within half a second is no step`() {
        var history = SessionHistory()
        history.note(step(["level": (0, -3)]))
        var (there, back) = (step(["dim": (0, 1)]), step(["dim": (1, 0)]))
        (there.time, back.time) = (10, 10.3)
        history.note(there)
        history.note(back)
        #expect(history.next(.undo)?.values.changes.keys.first == "level")
    }

    @Test func `What was done in a scene goes with it, and what was done before can be undone`() {
        var history = SessionHistory()
        history.note(step(["level": (0, -3)]))
        var other = step(["gain": (0, -5)])
        other.scene = 1
        history.note(other)
        history.forget(scene: 1)
        #expect(history.next(.undo)?.values.changes.keys.first == "level")
    }
}
