import Foundation
import HRTF
import Signal
import Soundstage

/// Measures how much of a stage this machine can render in time: no server, no sound card, the engine that plays live.
package enum CapacityProbe {
    /// Does all of it, in about `seconds` after a second or two of preparation.
    ///
    /// - Parameters:
    ///   - stage: layout (7.1.4 if nil), HRTF set and what else decides the sound; its slice does not count.
    ///   - progress: told the share done, often, on another thread; answers false to stop.
    package static func measure(
        _ stage: StageSettings, sampleRate: Double, seconds: Double, progress: @escaping @Sendable (Double) -> Bool
    ) async throws(SessionError) -> CapacityReport {
        guard let rate = SampleRate(hertz: sampleRate) else {
            throw SessionError(.usage, "a rate of \(sampleRate) Hz is not supported; 8000 to 768000")
        }
        let asked = try stage.layout(named: stage.layout ?? "7.1.4")
        let stages = try CapacityStages.all(including: asked)
        let set = try StageAssembly.set(stage, sampleRate: rate)
        let found = await RealTimeThread.run("proscenium-capacity") { isRealTime in
            Result<CapacityReport, SessionError> { () throws(SessionError) in
                let measurement = CapacityMeasurement(
                    base: stage, asked: asked, stages: stages, set: set, seconds: seconds, progress: progress)
                let before = MachineLoad.Snapshot.now()
                let cells = try measurement.measureStages()
                let woken = try measurement.measureWaking(
                    CapacityChoice.candidates(cells.filter { $0.stage == asked.name }))
                let rooms = try measurement.measureRooms(under: woken.last?.setting)
                let after = MachineLoad.Snapshot.now()
                var report = CapacityReport(
                    machine: MeasuredMachine(), realTime: isRealTime,
                    load: before.flatMap { before in after.flatMap { MachineLoad(from: before, to: $0) } },
                    hrtf: set.report.name, taps: set.report.playedTaps, sampleRate: sampleRate,
                    motion: TurningHead.description, stage: asked.name, options: stage.options, cells: cells + rooms,
                    woken: woken)
                report.suggestion = report.words
                return report
            }
        }
        return try found.get()
    }
}

extension StageSettings {
    /// The stage and its set in the words of the command line.
    fileprivate var options: String { "--layout \(layout ?? "7.1.4")" + (hrtf.map { " --hrtf \($0)" } ?? "") }
}
