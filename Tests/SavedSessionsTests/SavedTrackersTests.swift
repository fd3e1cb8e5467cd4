import Gate
import SavedSessions
import SoundFixtures
import Testing

@testable import IMU

/// Tracker data in a saved session.
@Suite struct SavedTrackersTests {
    @Test func whatIsKnownOfTrackersGoesAlong() throws {
        let scratch = try Scratch()
        let memory = TrackerMemory(path: scratch("trackers.json"))
        func bias(_ x: Double, _ measured: Double) -> TrackerMemory.Bias {
            TrackerMemory.Bias(GyroscopeBias(value: [x, 0, 0], deviation: [1e-4, 1e-4, 1e-4]), measured: measured)
        }
        try memory.update("mine") { $0 = .init(mounting: [0, 1, 0, 0], bias: bias(0.5, 200)) }
        var saved = SessionDocument()
        saved.trackers = ["new": .object(["glow": .number(1)]), "bad": .object(["mounting": .list([.number(7)])])]
        SavedTrackers.merge(
            [
                "new": .init(mounting: [1, 0, 0, 0], bias: bias(0.25, 100)),
                "mine": .init(mounting: [1, 0, 0, 0], bias: bias(0.125, 100)),
            ], into: &saved.trackers)
        #expect(saved.trackers["new"]?["glow"] == .number(1))
        SavedTrackers.bring(saved, to: memory) { Issue.record("\($0)") }
        // The machine's own entry has priority, unless the session's bias was measured later.
        #expect(memory.entry(for: "new") == .init(mounting: [1, 0, 0, 0], bias: bias(0.25, 100)))
        #expect(memory.entry(for: "mine") == .init(mounting: [0, 1, 0, 0], bias: bias(0.5, 200)))
        #expect(memory.entry(for: "bad") == nil)
        SavedTrackers.merge(["mine": .init(bias: bias(0.75, 300))], into: &saved.trackers)
        SavedTrackers.bring(saved, to: memory) { Issue.record("\($0)") }
        #expect(memory.entry(for: "mine") == .init(mounting: [0, 1, 0, 0], bias: bias(0.75, 300)))
    }
}
