import Foundation
import MotionLogs
import Signal

extension MotionRecording {
    /// What a renderer of the log should know: its length, and where the rendering differs from the session, so that
    /// the same motion gives other samples.
    func remarks(
        _ settings: RenderSettings, sampleRate: SampleRate, layout: String, hrtf: String, room: String? = nil,
        upmix: String? = nil
    ) -> [String] {
        let it = circumstances
        var differences: [String] = []
        func compare(_ what: String, _ recorded: String, _ now: String) {
            if recorded != now { differences.append("\(what) \(now) instead of \(recorded)") }
        }
        compare("a rate of", "\(Int(it.sampleRate)) Hz", "\(Int(sampleRate.hertz)) Hz")
        compare("slice", "\(it.slice)", "\(settings.stage.slice)")
        compare("layout", it.layout, layout)
        compare("HRTF set", it.hrtf, hrtf)
        if let recorded = it.room { compare("room", recorded, room ?? recorded) }
        if let recorded = it.upmix { compare("upmix", recorded, upmix ?? recorded) }
        // Periods of whole slices give the same samples whatever their length.
        if let block = settings.block, block % it.slice != 0 || it.period % it.slice != 0 {
            compare("block", "\(it.period)", "\(block)")
        }
        var lines = [String(format: "motion: %d poses over %.1f s of a session", poses.count, duration)]
        let asked = changes.filter { $0.frame > 0 }.count
        if asked > 0 { lines.append("motion: \(asked) changes of inputs or room are played again") }
        let names = Set(changes.compactMap { if case .input(let name, _) = $0.state { name } else { nil } })
        let others = names.subtracting(["main"]).sorted()
        if !others.isEmpty { differences.append("no input " + others.joined(separator: ", ")) }
        if renditionChanges { differences.append("one rendition") }
        if !differences.isEmpty {
            lines.append(
                "note: the same motion, not the same samples as live: " + differences.joined(separator: ", "))
        }
        return lines
    }

    /// Whether a rendition was asked for, of which a file has one.
    private var renditionChanges: Bool {
        changes.contains { if case .input(_, let state) = $0.state { state.rendition != "auto" } else { false } }
    }
}
