import ArgumentParser
import Foundation
import Probes
import Session

/// `proscenium doctor`: checks the machine's setup and names remedies.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks what a live session needs: JACK, real-time limits, HRTF set, ports, serial permission.",
        discussion: "Example: proscenium doctor\n\nExit code 0 if a session can run, 3 otherwise.")

    @Flag(help: "As JSON.") var json = false

    func run() throws {
        let findings = Doctor.examine()
        if json {
            try JSONText.print(findings)
        } else {
            for finding in findings {
                let mark =
                    switch finding.state {
                    case .ok: "ok  "
                    case .warning: "warn"
                    case .fault: "FAIL"
                    }
                print(
                    "\(mark)  \(finding.subject.padding(toLength: 12, withPad: " ", startingAt: 0)) \(finding.observation)"
                )
                if let cure = finding.cure { print("                    cure: \(cure)") }
            }
        }
        if findings.contains(where: { $0.state == .fault }) { throw ExitCode(3) }
    }
}
