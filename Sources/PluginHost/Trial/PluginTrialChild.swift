import CRealtime
import Foundation
import Processes
import Signal

/// Child process of a trial. It announces each stage, and sends a report at the end.
package enum PluginTrialChild {
    /// Prefix of the line that announces a stage, before the stage's name.
    static let stageWord = "stage "
    /// Prefix of the report, which is JSON.
    static let reportWord = "report "

    /// Tries a plugin, and sends its stages and the report.
    ///
    /// - Parameters:
    ///   - folder: folder for saving, which does not exist yet.
    package static func run(
        _ plugin: PluginDescription, by backend: any PluginBackend, savingIn folder: String,
        clocks: TrialClocks, to parent: ParentLine
    ) {
        var report = PluginTrialReport(PluginSummary(plugin), .failed)
        func begin(_ stage: PluginTrialStage) {
            report.stage = stage
            parent.say(stageWord + stage.rawValue)
        }
        // Denormals are flushed, as on the audio thread.
        prc_flush_denormals()
        parent.begin()
        begin(.instantiate)
        do throws(PluginError) {
            let setup = PluginSetup(
                sampleRate: .studio, slice: PluginTrial.slice, isFixed: plugin.needsFixedBlocks, isLive: true)
            let instance = try backend.instantiate(plugin, setup)
            // A failed instance is not closed, because closing might block the report. The process ends soon.
            _ = Unmanaged.passRetained(instance as AnyObject)
            var trial = PluginTrial(instance, clocks: clocks)
            defer {
                report.figures = trial.figures
                report.words = instance.health.log
            }
            begin(.noise)
            try trial.runOnNoise()
            begin(.silence)
            try trial.runOnSilence()
            begin(.save)
            try trial.save(to: folder)
            begin(.restore)
            try trial.restore(from: folder)
            begin(.close)
            trial.awaitWorker()
            if instance.close(within: 2) {
                report.verdict = .ok
            } else {
                report.reason = "its worker does not return"
            }
        } catch .failed(_, let reason) {
            report.reason = reason
        } catch .refused(_, let reason) {
            report.verdict = .refused
            report.reason = reason
        } catch .state(_, _, let reason) {
            report.reason = "its state: \(reason)"
        } catch {
            report.reason = error.description
        }
        report.words += parent.words
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = (try? encoder.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        parent.say(reportWord + line)
    }
}
