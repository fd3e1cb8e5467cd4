import ArgumentParser
import Control
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
    /// Returns a panel of headphones in three fits, of which the first has a good take.
    private static func headphones(_ requests: PersonRequests = PersonRequests()) -> MeasurementPanel {
        let plan = MeasurementPanel.Plan(client: "proscenium-measure", subject: .headphones, folder: "my-headphones")
        let progress = PersonProgress(looks: [1, 2, 3], held: { $0 == 1 }, takeSeconds: 10)
        return MeasurementPanel(plan, progress, requests: requests, token: nil, look: { nil })
    }

    private static func panel(
        _ requests: PersonRequests = PersonRequests(), hasTracker: Bool = true
    ) -> MeasurementPanel {
        let places = [30.0, -30].map { Loudspeaker(symbol: $0 > 0 ? "FL" : "FR", azimuthDegrees: $0) }
        let plan = MeasurementPanel.Plan(
            client: "proscenium-measure", subject: .person(layout: "stereo", loudspeakers: places), folder: "my-room")
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
        #expect(values["client"] == .word("proscenium-measure") && values["measurement/subject"] == .word("person"))
        #expect(values["measurement/layout"] == .word("stereo") && values["measurement/phase"] == .word("waiting"))
        #expect(values["measurement/begins"] == .word("on") && values["measurement/tracker"] == .word("silent"))
        #expect(values["measurement/loudspeaker/2/name"] == .word("FR"))
        #expect(values["measurement/loudspeaker/2/direction"] == .numbers([-30, 0]))
        #expect(values["measurement/look/1/verdict"] == .word("good"))
        #expect(values["measurement/look/2/verdict"] == .word("open"))
        #expect(values["measurement/look/2/yaw"] == .number(30))
        #expect(values["measurement/progress"] == .number(0.5) && values["measurement/left"] == .number(18))
        #expect(values["measurement/wanted"] == nil && values["measurement/level"] == nil)
        panel.tell(.tried(level: -34, peaks: EarPeaks(left: -14.26, right: -15.5), margin: 51.04))
        panel.tell(.asked(look: 30))
        panel.tell(.refused([.headMoved(degrees: 2), .wrongChannel(loudspeaker: "FL", reason: "was not heard")]))
        values = panel.values(at: 0)
        #expect(values["measurement/phase"] == .word("turning") && values["measurement/wanted"] == .number(30))
        #expect(values["measurement/peak"] == .number(-14.3) && values["measurement/margin"] == .number(51))
        #expect(values["measurement/peaks"] == .numbers([-14.3, -15.5]))
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

    @Test func `The fits of headphones, the reason of a refusal and the result are values`() async {
        let panel = Self.headphones()
        panel.tell(.asked(look: 2))
        panel.tell(.sounding(seconds: 10))
        panel.tell(.judged(peaks: EarPeaks(left: -20, right: -180), margin: 12))
        panel.tell(.refused([.wrongChannel(loudspeaker: "the right driver", reason: "was not heard at its ear")]))
        panel.tell(.asked(look: 2))
        var values = panel.values(at: 0)
        #expect(values["measurement/subject"] == .word("headphones"))
        #expect(values["measurement/wanted"] == .number(2) && values["measurement/begins"] == .word("on"))
        #expect(values["measurement/peaks"] == .numbers([-20, -180]) && values["measurement/peak"] == .number(-20))
        #expect(values["measurement/fit/1/number"] == .number(1))
        #expect(values["measurement/fit/1/verdict"] == .word("good"))
        #expect(values["measurement/fit/2/verdict"] == .word("refused"))
        #expect(values["measurement/fit/2/faults"] == .word("wrong-channel"))
        #expect(values["measurement/fit/2/reason"]?.word.contains("the right driver") == true)
        #expect(values["measurement/fit/3/verdict"] == .word("open") && values["measurement/fit/4/number"] == nil)
        // The page of headphones has no loudspeakers, and no direction of the head.
        let absent = ["layout", "tolerance", "look/1/yaw", "loudspeaker/1/name", "boost", "deviation"]
        #expect(absent.allSatisfy { values["measurement/" + $0] == nil })
        panel.enter(.done, result: ["boost": 6.04, "deviation": 1.26])
        values = panel.values(at: 0)
        #expect(values["measurement/boost"] == .number(6) && values["measurement/deviation"] == .number(1.3))
        await panel.close()
    }

    @Test func `Commands to the panel of headphones become requests of the fits`() async {
        let requests = PersonRequests()
        let panel = Self.headphones(requests)
        #expect(Self.refusal(.measurement(.skip), at: panel)?.contains("no fit") == true)
        #expect(Self.refusal(.measurement(.again), at: panel)?.contains("no take") == true)
        #expect(Self.refusal(.history(.undo), at: panel)?.contains("not a session") == true)
        panel.tell(.asked(look: 2))
        #expect(Self.refusal(.measurement(.begin), at: panel) == nil && requests.take() == .begin)
        panel.tell(.sounding(seconds: 10))
        #expect(Self.refusal(.measurement(.begin), at: panel)?.contains("no take waits") == true)
        panel.tell(.judged(peaks: EarPeaks(left: -20, right: -21), margin: 50))
        panel.tell(.kept(path: "fit_2.wav", done: 2, of: 3))
        panel.tell(.asked(look: 3))
        // Between takes the last one is repeated, and the present one is left out.
        #expect(Self.refusal(.measurement(.again), at: panel) == nil && requests.take() == .again(2))
        #expect(Self.refusal(.measurement(.skip), at: panel) == nil && requests.take() == .skip(3))
        #expect(Self.refusal(.measurement(.stop), at: panel) == nil && requests.isStop)
        await panel.close()
    }

    @Test func `The wait for a fit ends at a request of the panel`() async throws {
        let requests = PersonRequests()
        let prompt = PersonPrompt(feed: nil, wait: 60, goesOn: { true }, requests: requests, hasPanel: true)
        requests.put(.begin)
        #expect(try await prompt.fits(2, of: 3) == 2)
        for request in [PersonRequests.Request.skip(2), .again(1), .stop] {
            requests.put(request)
            #expect(try await prompt.fits(2, of: 3) == nil)
            #expect(requests.take() == request)
        }
    }

    @Test(arguments: [["--panel", "nowhere"], ["--panel", "99999"], ["--panel", "8150", "--token", ""]])
    func `Both measurements refuse an address or a token that is none`(_ words: [String]) {
        for command in ["me", "headphones"] {
            #expect(throws: (any Error).self, "\(command) \(words)") {
                try Proscenium.parseAsRoot(["measure", command, "folder"] + words)
            }
        }
    }

    @Test func `Both measurements take the address of a panel`() throws {
        for command in ["me", "headphones"] {
            let words = ["measure", command, "folder", "--panel", "8150", "--token", "word"]
            let parsed = try Proscenium.parseAsRoot(words)
            let page = (parsed as? MeasureMeCommand)?.page ?? (parsed as? MeasureHeadphonesCommand)?.page
            #expect(page?.address?.port == 8150 && page?.token == "word")
        }
        let none = try #require(
            try Proscenium.parseAsRoot(["measure", "headphones", "folder", "--panel", "none"])
                as? MeasureHeadphonesCommand)
        #expect(none.page.address == nil)
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
        let own = [
            "phase.waiting", "phase.computing", "filesIn", "looks", "fault.wrong-channel",
        ].map { $0 + ".headphones" }
        let figures = ["result.deviation", "result.deviation-high", "result.boost"]
        for name in ["english.js", "german.js"] {
            let text = try String(contentsOf: site.appending(path: name), encoding: .utf8)
            let missing = (keys + own + figures).filter { !text.contains("'\($0)': ") }
            #expect(missing.isEmpty, "\(name) has no word for \(missing)")
        }
    }
}
