import Desk
import Testing

@testable import proscenium

@Suite struct StatusLineTests {
    private var line: StatusLine {
        var line = StatusLine()
        line.add("yaw +12.0°", weight: 3)
        line.add(nil, weight: 9)
        line.add("load 12 %", weight: 1)
        line.add("MUTED", weight: 2)
        return line
    }

    @Test(arguments: [
        (80, "yaw +12.0° | load 12 % | MUTED"), (30, "yaw +12.0° | load 12 % | MUTED"), (29, "yaw +12.0° | MUTED"),
        (17, "yaw +12.0°"), (5, "yaw +"), (0, ""),
    ])
    func theLeastImportantGoesFirst(columns: Int, text: String) {
        #expect(line.text(columns: columns) == text)
    }

    @Test func aPartWithoutTextAddsNoSeparator() {
        var line = StatusLine()
        line.add("", weight: 8)
        line.add("load 12 %", weight: 1)
        #expect(line.text(columns: 80) == "load 12 %")
    }

    @Test func metersShowSilenceLevelAndMore() {
        #expect(StatusLine.meters([-200, -60, -59, -30, -0.1, 0, 0.1, -.infinity]) == "··▁▅██!·")
    }
}

/// Messages about a session that does not run.
@Suite struct StatusAnswerTests {
    @Test func aSessionWithoutAStageIsToldWithTheLineThatWaitsForIt() {
        let starting = StatusAnswer.phase(PhaseStatus(.starting, preparing: "reading the HRTF set"))
        let told = #expect(throws: Failure.self) { try starting.status }
        let remedy = "this waits until it runs: proscenium ctl status --wait 60, with the same --to or --port"
        #expect(told?.message == "the session is starting: reading the HRTF set; \(remedy)")
        let ending = StatusAnswer.phase(PhaseStatus(.ending))
        let last = #expect(throws: Failure.self) { try ending.status }
        #expect(last?.message == "the session is ending")
    }

    @Test func aWaitForASessionThatEndsNamesItsEndAndNoTime() {
        let (starting, ending) = (PhaseStatus(.starting), PhaseStatus(.ending))
        #expect(StatusAnswer.failure(in: starting, after: nil)?.message == nil)
        #expect(StatusAnswer.failure(in: ending, after: nil)?.message == "the session is ending")
        #expect(
            StatusAnswer.failure(in: starting, after: 2.5)?.message
                == "the session did not run within 2.5 s; it is starting")
    }
}
