import Foundation
import Gate
import Processes
import Takes

/// Tester that tries each plugin in a child process, so that no plugin can block or crash this process.
package struct PluginTester: Sendable {
    private let program: String
    private let words: [String]
    private let secondsPerStage: Double

    /// Creates a tester.
    ///
    /// - Parameters:
    ///   - program: program of the child; by default this program itself.
    ///   - words: arguments before the identifier and the folder for saving; the program must run `PluginTrialChild`.
    ///   - secondsPerStage: longest time for one stage of a trial, s.
    package init(
        program: String = "/proc/self/exe", words: [String] = ["plugin", "try"], secondsPerStage: Double = 10
    ) {
        self.program = program
        self.words = words
        self.secondsPerStage = secondsPerStage
    }

    /// Tries a plugin. A refused plugin is not loaded.
    ///
    /// - Throws: `noChild`.
    package func test(_ plugin: PluginSummary) throws(PluginError) -> PluginTrialReport {
        if let refusal = plugin.refusal { return PluginTrialReport(plugin, .refused, reason: refusal) }
        let folder = TemporaryFolder()
        defer { folder.remove() }
        // Without the folder the child cannot save, and reports that.
        try? folder.make()
        let child = try ChildProcess.forPlugins(program, words + [plugin.identifier, folder.path + "/state"])
        var report = PluginTrialReport(plugin, .crashed)
        while true {
            switch child.next(within: secondsPerStage) {
            case .line(let line):
                if line.hasPrefix(PluginTrialChild.stageWord) {
                    report.stage = PluginTrialStage(
                        rawValue: String(line.dropFirst(PluginTrialChild.stageWord.count)))
                } else if line.hasPrefix(PluginTrialChild.reportWord) {
                    let text = line.dropFirst(PluginTrialChild.reportWord.count).utf8
                    if let said = try? JSONValue.decode(PluginTrialReport.self, from: text, within: .child) {
                        child.stop()
                        return said
                    }
                }
                continue
            case .silent:
                report.verdict = .hung
                report.reason = "\(place(report)): no end within \(String(format: "%g", secondsPerStage)) s"
            case .ended(let end): report.reason = "\(place(report)): \(end)"
            }
            child.stop()
            report.words = child.words
            return report
        }
    }

    private func place(_ report: PluginTrialReport) -> String {
        switch report.stage {
        case nil: "before it was loaded"
        case .instantiate: "in making an instance"
        case .noise: "while running"
        case .silence: "while running on silence"
        case .save: "in saving its state"
        case .restore: "in restoring its state"
        case .close: "in ending"
        }
    }
}
