import ArgumentParser
import Control
import Foundation
import Probes
import Session

/// `proscenium doctor`: checks the machine's setup and says what to do next.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Checks what a live session needs (JACK, limits, HRTF set, trackers, ports), and says what to type next.",
        discussion: """
            Examples:
              proscenium doctor
              proscenium doctor --json

            Each complaint has a cure, a command line to type. The report ends with the three most useful next steps for this \
            machine, each with its command line. Steps without which there is no sound come first. If none is needed, the \
            first step starts a session.

            Exit code 0 if a session can run, 3 otherwise.
            """)

    @Flag(help: "One JSON object: findings, and the next steps.") var json = false

    /// Answer as JSON.
    private struct Report: Encodable {
        let findings: [Finding]
        let next: [NextStep]
    }

    func run() async throws {
        var facts = await MachineFacts.found(sessions: SessionSockets.running())
        facts.desktop = await DesktopReport.found.fact
        let (findings, steps) = (Doctor.findings(of: facts), Doctor.nextSteps(of: facts))
        if json {
            try JSONText.print(Report(findings: findings, next: steps))
        } else {
            let files = "      files        proscenium info FILE says what each command makes of a sound file"
            for line in findings.flatMap(Self.lines) + [files, ""] + Self.lines(steps) { print(line) }
        }
        if findings.contains(where: { $0.state == .fault }) { throw ExitCode(3) }
    }

    private static func lines(_ finding: Finding) -> [String] {
        let mark =
            switch finding.state {
            case .ok: "ok  "
            case .warning: "warn"
            case .fault: "FAIL"
            }
        let subject = finding.subject.padding(toLength: 12, withPad: " ", startingAt: 0)
        let cure = finding.cure.map { ["                   cure: \($0.line)"] } ?? []
        return ["\(mark)  \(subject) \(finding.observation)"] + cure
    }

    private static func lines(_ steps: [NextStep]) -> [String] {
        ["next:"] + steps.enumerated().flatMap { ["  \($0 + 1). \($1.purpose)", "     \($1.line)"] }
    }
}
