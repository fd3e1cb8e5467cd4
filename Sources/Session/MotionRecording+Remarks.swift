import Foundation
import Signal

extension MotionRecording {
    /// What a renderer of the log should know: its length, and where the rendering differs from the session, so that
    /// the same motion gives other samples.
    func remarks(_ settings: RenderSettings, sampleRate: SampleRate, layout: String, hrtf: String) -> [String] {
        let it = circumstances
        var differences: [String] = []
        func compare(_ what: String, _ recorded: String, _ now: String) {
            if recorded != now { differences.append("\(what) \(now) instead of \(recorded)") }
        }
        compare("a rate of", "\(Int(it.sampleRate)) Hz", "\(Int(sampleRate.hertz)) Hz")
        compare("slice", "\(it.slice)", "\(settings.stage.slice)")
        compare("layout", it.layout, layout)
        compare("HRTF set", it.hrtf, hrtf)
        // Periods of whole slices give the same samples whatever their length.
        if let block = settings.block, block % it.slice != 0 || it.period % it.slice != 0 {
            compare("block", "\(it.period)", "\(block)")
        }
        var lines = [String(format: "motion: %d poses over %.1f s of a session", poses.count, duration)]
        if !differences.isEmpty {
            lines.append(
                "note: the same motion, not the same samples as live: " + differences.joined(separator: ", "))
        }
        return lines
    }
}
