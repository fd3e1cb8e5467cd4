import Foundation
import PluginHost

/// Results of plugin tests as text.
enum PluginTrialText {
    /// Returns the measured figures of one plugin, one line each.
    static func figures(_ figures: PluginTrialFigures) -> [String] {
        var lines: [String] = []
        if let median = figures.median, let percentile = figures.percentile99 {
            let silent = figures.silentMedian.map { ", with silence \(microseconds($0)) µs" } ?? ""
            lines.append(
                "a slice of 64 frames (1333 µs) takes \(microseconds(median)) µs, 99 of 100 below "
                    + "\(microseconds(percentile)) µs\(silent)")
            if percentile > 1_333_333 {
                lines.append("some slices take longer than they last: it cannot be played live")
            }
        }
        if let latency = figures.latencyFrames { lines.append("latency \(latency) frames") }
        if let peak = figures.peak, peak > 0 {
            lines.append(String(format: "peak %.1f dBFS", 20 * log10(peak)))
        }
        if let bytes = figures.savedBytes { lines.append("saved and restored: \(bytes) bytes") }
        return lines
    }

    /// Returns a table with one row per report.
    static func table(_ reports: [PluginTrialReport]) -> TextTable {
        TextTable(
            ["Verdict", "Median µs", "99 % µs", "Latency", "Name", "URI", "Reason"],
            reports.map { report in
                let figures = report.figures
                return [
                    report.verdict.rawValue, figures.median.map(microseconds) ?? "",
                    figures.percentile99.map(microseconds) ?? "", figures.latencyFrames.map(String.init) ?? "",
                    report.name, report.identifier, report.reason ?? "",
                ]
            })
    }

    /// Returns the number of plugins with each verdict.
    static func counts(_ reports: [PluginTrialReport]) -> String {
        PluginTrialReport.Verdict.allCases.map { verdict in
            "\(reports.filter { $0.verdict == verdict }.count) \(verdict.rawValue)"
        }.joined(separator: ", ")
    }

    private static func microseconds(_ nanoseconds: Int) -> String {
        String(format: "%.1f", Double(nanoseconds) / 1000)
    }
}
