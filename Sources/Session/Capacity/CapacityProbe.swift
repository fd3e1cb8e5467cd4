import AudioIO
import Foundation
import HRTF
import Signal
import Soundstage

/// Measures how much of a stage this machine can render in time: no server, no sound card, the engine that plays live.
package enum CapacityProbe {
    /// Does all of it, in about `seconds` after a second or two of preparation.
    ///
    /// Half of the time all stages render by turns; then the asked stage is woken period by period, at the shortest period
    /// that fits and on to longer ones until one holds, an eighth of the time each.
    ///
    /// - Parameters:
    ///   - stage: layout (7.1.4 if nil), HRTF set and what else decides the sound; its slice does not count.
    ///   - progress: told the share done, about ten times a second, on another thread; answers false to stop.
    package static func measure(
        _ stage: StageSettings, sampleRate: Double, seconds: Double, progress: @escaping @Sendable (Double) -> Bool
    ) async throws(SessionError) -> CapacityReport {
        guard let rate = SampleRate(hertz: sampleRate) else {
            throw SessionError(.usage, "a rate of \(sampleRate) Hz is not supported; 8000 to 768000")
        }
        let asked = try StageAssembly.layout(stage.layout ?? "7.1.4", stage)
        let stages = try CapacityStages.all(including: asked)
        let set = try StageAssembly.set(stage, sampleRate: rate)
        let found = await RealTimeThread.run("proscenium-capacity") { isRealTime in
            Result<CapacityReport, SessionError> { () throws(SessionError) in
                let before = MachineLoad.Snapshot.now()
                var sweep = try CapacitySweep(stage, stages: stages, settings: CapacityCell.Setting.usual, set: set)
                guard let cells = sweep.run(seconds: seconds / 2, progress: { progress($0 / 2) }) else {
                    throw SessionError(.interrupted, "stopped")
                }
                var woken: [WokenStage] = []
                for cell in CapacityChoice.candidates(cells.filter { $0.stage == asked.name }) {
                    let told = 0.5 + 0.125 * Double(woken.count)
                    guard
                        let result = WokenStage.run(
                            try TimedDriver(stage, layout: asked, setting: cell.setting, set: set), stage: asked.name,
                            setting: cell.setting, sampleRate: sampleRate, seconds: seconds / 8,
                            progress: { progress(told + $0 / 8) })
                    else { throw SessionError(.interrupted, "stopped") }
                    woken.append(result)
                    if result.holds { break }
                }
                let after = MachineLoad.Snapshot.now()
                return CapacityReport(
                    machine: MeasuredMachine(), realTime: isRealTime,
                    load: before.flatMap { before in after.flatMap { MachineLoad(from: before, to: $0) } },
                    hrtf: set.report.name, taps: set.report.playedTaps, sampleRate: sampleRate,
                    motion: TurningHead.description, stage: asked.name, options: stage.options, cells: cells,
                    woken: woken)
            }
        }
        return try found.get()
    }
}

extension StageSettings {
    /// The stage and its set in the words of the command line.
    fileprivate var options: String { "--layout \(layout ?? "7.1.4")" + (hrtf.map { " --hrtf \($0)" } ?? "") }
}
