import Foundation
import SoundFixtures
import Testing

/// `doctor` through the program, on a machine whose server and default set are made to fail.
struct DoctorCommandTests {
    private struct Step: Decodable, Equatable {
        let purpose: String, line: String
    }

    private struct Report: Decodable {
        struct Finding: Decodable {
            let subject: String, state: String, observation: String, cure: Step?
        }
        let findings: [Finding], next: [Step]
    }

    @Test func textAndJSONEndWithTheSameStepsWhatPreventsSoundFirst() throws {
        let scratch = try Scratch()
        let folder = scratch("data/proscenium/hrtf")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "no set".write(toFile: folder + "/default.sofa", atomically: false, encoding: .utf8)
        // No server has this name, and no session's socket is in this folder.
        let environment = [
            "JACK_DEFAULT_SERVER": "none-\(UUID().uuidString)", "XDG_DATA_HOME": scratch("data"),
            "XDG_RUNTIME_DIR": scratch("data"),
        ]
        let (text, json) = try (
            Run(["doctor"], environment: environment), Run(["doctor", "--json"], environment: environment)
        )
        #expect(text.status == 3 && json.status == 3)
        #expect(text.complaints.isEmpty && json.complaints.isEmpty)
        let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
        let faults = report.findings.filter { $0.state == "fault" }
        #expect(faults.map(\.subject) == ["jack", "hrtf"])
        #expect(report.findings.allSatisfy { ($0.state == "ok") == ($0.cure == nil) })
        #expect(report.next.prefix(2) == faults.compactMap(\.cure).prefix(2))
        #expect(report.next.count == 3)
        #expect(report.next[1].line == "mv \(folder)/default.sofa \(folder)/default.sofa.aside")
        let lines = text.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let steps = report.next.enumerated().flatMap { ["\($0 + 1). \($1.purpose)", $1.line] }
        #expect(Array(lines.suffix(7)) == ["next:"] + steps)
        for finding in report.findings {
            #expect(lines.contains { $0.contains(finding.subject) && $0.hasSuffix(finding.observation) })
            if let cure = finding.cure { #expect(lines.contains("cure: " + cure.line)) }
        }
    }
}
