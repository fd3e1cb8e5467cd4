import ArgumentParser
import Foundation
import PluginHost

/// `proscenium plugin test`: tests whether plugins run on this machine.
struct PluginTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tests a plugin in a process of its own: with noise, with silence, saved and restored.",
        discussion: """
            The test runs at 48 kHz and 64 frames a slice. It reports the time of a slice, the plugin's latency, and ok, refused (a \
            feature that it requires is missing), failed, crashed or hung, with the reason. Exit code 0 if all are ok, 1 otherwise.

            Example:
              proscenium plugin test http://plugin.org.uk/swh-plugins/fastLookaheadLimiter
            """)

    @Argument(
        help: ArgumentHelp("The plugin.", valueName: "uri"),
        completion: .plugins)
    var identifier: String?
    @Flag(help: "Test all plugins, one after the other.") var all = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard (identifier == nil) == all else { throw ValidationError("Name a plugin, or add --all.") }
    }

    func run() throws {
        let reports = all ? try testAll() : [try testOne()]
        if reports.contains(where: { $0.verdict != .ok }) { throw ExitCode(Failure.Fault.input.rawValue) }
    }

    private func testOne() throws -> PluginTrialReport {
        let plugin = try PluginScan(PluginSearch.backend).find(identifier ?? "")
        let report = try PluginTester().test(PluginSummary(plugin))
        if json {
            try JSONText.print(report)
        } else {
            print("\(report.verdict.rawValue): \(report.name)" + (report.reason.map { ": \($0)" } ?? ""))
            for line in PluginTrialText.figures(report.figures) { print("  \(line)") }
            for line in report.words { print("  it says: \(line)") }
        }
        return report
    }

    private func testAll() throws -> [PluginTrialReport] {
        let plugins = try PluginSearch.catalogue().plugins
        let tester = PluginTester()
        let progress = Progress("testing \(plugins.count) plugins")
        defer { progress.finish() }
        var reports: [PluginTrialReport] = []
        for plugin in plugins {
            reports.append(try tester.test(plugin))
            progress.show(Double(reports.count) / Double(plugins.count))
        }
        progress.finish()
        if json {
            try JSONText.print(reports)
        } else {
            PluginTrialText.table(reports).print()
            print("\n\(PluginTrialText.counts(reports))")
        }
        return reports
    }
}
