import Desk
import Foundation
import Measurement
import Soundstage
import Stages
import Sweeps
import Testing

@testable import proscenium

/// What the panel of a measurement tells as values of the state, and what it makes of commands.
@Suite struct MeasurementPanelTests {
    private static func panel(
        _ requests: PersonRequests = PersonRequests(), hasTracker: Bool = true
    ) -> MeasurementPanel {
        let places = [30.0, -30].map { Loudspeaker(symbol: $0 > 0 ? "FL" : "FR", azimuthDegrees: $0) }
        let plan = MeasurementPanel.Plan(
            client: "proscenium-measure", layout: "stereo", loudspeakers: places, folder: "my-room")
        let progress = PersonProgress(looks: [0, 30], held: { $0 == 0 }, takeSeconds: 10, hasTracker: hasTracker)
        return MeasurementPanel(plan, progress, requests: requests, token: nil, look: { nil })
    }

    /// Returns the reason of a refusal; nil where the command is done.
    private static func refusal(_ command: SessionCommand, at panel: MeasurementPanel) -> String? {
        if case .refused(let reason) = panel.reply(to: command) { reason } else { nil }
    }

    @Test func `The plan, the prompt and the verdicts are values`() async {
        let panel = Self.panel()
        var values = panel.values(at: 0)
        #expect(values["client"] == .word("proscenium-measure") && values["measurement/phase"] == .word("waiting"))
        #expect(values["measurement/begins"] == .word("on") && values["measurement/tracker"] == .word("silent"))
        #expect(values["measurement/loudspeaker/2/name"] == .word("FR"))
        #expect(values["measurement/loudspeaker/2/direction"] == .numbers([-30, 0]))
        #expect(values["measurement/look/1/verdict"] == .word("good"))
        #expect(values["measurement/look/2/verdict"] == .word("open"))
        #expect(values["measurement/look/2/yaw"] == .number(30))
        #expect(values["measurement/progress"] == .number(0.5) && values["measurement/left"] == .number(18))
        #expect(values["measurement/wanted"] == nil && values["measurement/level"] == nil)
        panel.tell(.tried(level: -34, peak: -14.26, margin: 51.04))
        panel.tell(.asked(look: 30))
        panel.tell(.refused([.headMoved(degrees: 2), .wrongChannel(loudspeaker: "FL", reason: "was not heard")]))
        values = panel.values(at: 0)
        #expect(values["measurement/phase"] == .word("turning") && values["measurement/wanted"] == .number(30))
        #expect(values["measurement/peak"] == .number(-14.3) && values["measurement/margin"] == .number(51))
        #expect(values["measurement/look/2/faults"] == .word("head-moved wrong-channel"))
        #expect(values["measurement/look/2/reason"]?.word.contains("FL: was not heard") == true)
        panel.enter(.ended, because: "the server is gone")
        #expect(panel.values(at: 0)["measurement/reason"] == .word("the server is gone"))
        await panel.close()
    }

    @Test func `Commands become requests, or are refused with the reason`() async {
        let requests = PersonRequests()
        let panel = Self.panel(requests)
        #expect(Self.refusal(.measurement(.again), at: panel)?.contains("no take") == true)
        #expect(Self.refusal(.measurement(.skip), at: panel)?.contains("no look") == true)
        #expect(Self.refusal(.history(.undo), at: panel)?.contains("not a session") == true)
        #expect(Self.refusal(.measurement(.begin), at: panel) == nil && requests.take() == .begin)
        panel.tell(.asked(look: 30))
        #expect(Self.refusal(.measurement(.begin), at: panel)?.contains("by itself") == true)
        #expect(Self.refusal(.measurement(.skip), at: panel) == nil && requests.take() == .skip(30))
        panel.tell(.sounding(seconds: 10))
        #expect(Self.refusal(.measurement(.again), at: panel) == nil && requests.take() == .again(30))
        #expect(Self.refusal(.quit, at: panel) == nil && requests.isStop)
        panel.enter(.done)
        #expect(Self.refusal(.measurement(.stop), at: panel)?.contains("over") == true)
        await panel.close()
    }

    /// A fault without a word of its own would be shown by its name for scripts.
    @Test func `The page has a word for each fault, phase and verdict`() throws {
        let site = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CPanel/site")
        let faults: [TakeFault] = [
            .clipped(samples: 1), .tooQuiet(margin: 1), .noise(seconds: nil, decibels: 1),
            .wrongChannel(loudspeaker: "FL", reason: ""), .swappedEars, .exchangedDrivers, .dropout(reason: ""),
            .startedApart(seconds: 1), .headMoved(degrees: 1), .unequalEars(decibels: 1, isChange: true),
        ]
        let phases = ["waiting", "level", "sweeping", "judging", "computing", "done", "ended"]
        let verdicts = ["open", "good", "refused", "skipped"]
        let keys =
            faults.map { "fault.\($0.name)" } + phases.map { "phase.\($0)" } + verdicts.map { "verdict.\($0)" }
        for name in ["english.js", "german.js"] {
            let text = try String(contentsOf: site.appending(path: name), encoding: .utf8)
            let missing = keys.filter { !text.contains("'\($0)': ") }
            #expect(missing.isEmpty, "\(name) has no word for \(missing)")
        }
    }
}
