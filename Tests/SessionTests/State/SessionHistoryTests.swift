import Desk
import Stages
import Testing

@testable import Racks
@testable import Session

@Suite struct SessionHistoryTests {
    private func step(_ values: [String: (Double, Double)]) -> SessionHistory.Step {
        var step = SessionHistory.Step()
        step.difference.changes = values.mapValues { .init(before: .number($0.0), after: .number($0.1)) }
        return step
    }

    /// Returns chains of one plugin, `sampler`, with its settings as they are written.
    private func chains(_ settings: String) throws -> PluginRack.Memory {
        PluginRack.Memory(requests: [try PluginRequest(parsing: "main=urn:sampler,name=sampler,\(settings)")])
    }

    /// Returns a step that sets a property of the plugin in scene a.
    private func step(
        of property: String, from former: String, to settings: String, at time: Double
    ) throws -> SessionHistory.Step {
        var step = SessionHistory.Step()
        step.difference.chains = .init(before: try chains(former), after: try chains(settings))
        (step.property, step.scene, step.time) = ("sampler/\(property)", 0, time)
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
        #expect(history.next(.undo)?.difference.changes.keys.first == "level")
    }

    @Test func `What is switched there and back within half a second is no step`() {
        var history = SessionHistory()
        history.note(step(["level": (0, -3)]))
        var (there, back) = (step(["dim": (0, 1)]), step(["dim": (1, 0)]))
        (there.time, back.time) = (10, 10.3)
        history.note(there)
        history.note(back)
        #expect(history.next(.undo)?.difference.changes.keys.first == "level")
    }

    /// A mode before a comparison is no change that a user sees.
    @Test func `Comparisons within half a second are one step, which has the modes before them`() {
        let before = "input/main/mode-before"
        var (first, second) = (step(["compare": (0, 1)]), step(["compare": (1, 2)]))
        first.difference.changes[before] = .init(before: nil, after: .word("fixed"))
        (first.time, second.time) = (10, 10.3)
        var history = SessionHistory()
        history.note(first)
        history.note(second)
        let changes = history.next(.undo)?.difference.changes
        #expect(history.done.count == 1 && changes?["compare"] == .init(before: .number(0), after: .number(2)))
        #expect(changes?[before] == .init(before: nil, after: .word("fixed")))
    }

    @Test func `What was done in a scene goes with it, and what was done before can be undone`() {
        var history = SessionHistory()
        history.note(step(["level": (0, -3)]))
        var other = step(["gain": (0, -5)])
        other.scene = 1
        history.note(other)
        history.forget(scene: 1)
        #expect(history.next(.undo)?.difference.changes.keys.first == "level")
    }

    @Test func `A plugin's property that moves is one step, from its first value to its last`() throws {
        var history = SessionHistory()
        history.note(step(["level": (0, -3)]))
        for (number, time) in [(1, 10.0), (2, 10.3), (3, 10.7)] {
            history.note(
                try step(of: "cutoff", from: "cutoff=\(number - 1)", to: "cutoff=\(number)", at: time))
        }
        #expect(history.done.count == 2)
        let (motion, first, last) = (history.next(.undo), try chains("cutoff=0"), try chains("cutoff=3"))
        #expect(motion?.difference.chains?.before?.requests == first.requests)
        #expect(motion?.difference.chains?.after?.requests == last.requests)
        // After half a second without a change the next one is another step.
        history.note(try step(of: "cutoff", from: "cutoff=3", to: "cutoff=4", at: 11.3))
        #expect(history.done.count == 3)
        #expect(history.next(.undo)?.difference.chains?.before?.requests == last.requests)
    }

    @Test func `A second property is a step of its own; when that is undone, the first keeps its value`() throws {
        var history = SessionHistory()
        history.note(try step(of: "cutoff", from: "cutoff=0", to: "cutoff=1", at: 10))
        history.note(try step(of: "file", from: "cutoff=1", to: "cutoff=1,file=/a", at: 10.1))
        history.note(try step(of: "file", from: "cutoff=1,file=/a", to: "cutoff=1,file=/b", at: 10.2))
        #expect(history.done.count == 2)
        let (second, kept) = (history.take(.undo), try chains("cutoff=1"))
        #expect(second?.difference.chains?.before?.requests == kept.requests)
        #expect(history.next(.undo)?.difference.chains?.after?.requests == kept.requests)
    }

    @Test func `A property in another scene, or after another command, begins a step of its own`() throws {
        var history = SessionHistory()
        history.note(try step(of: "cutoff", from: "cutoff=0", to: "cutoff=1", at: 10))
        var other = try step(of: "cutoff", from: "cutoff=5", to: "cutoff=6", at: 10.1)
        other.scene = 1
        history.note(other)
        #expect(history.done.count == 2)
        var level = step(["level": (0, -3)])
        level.time = 10.2
        history.note(level)
        other.time = 10.3
        history.note(other)
        #expect(history.done.count == 4)
    }
}
