import HRTF
import Loading
import Measurement
import Rendering
import Signal
import Soundstage
import Stages

/// Measures which stages (layouts of virtual loudspeakers) and rooms this machine renders in time, as a session renders
/// them.
package enum CapacityProbe {
    /// Runs all measurements. Takes about `seconds`, after a second or two of preparation.
    ///
    /// - Parameters:
    ///   - stage: layout (7.1.4 if nil), HRTF set and the other settings of the sound. Its slice is ignored, because
    ///     several slices are measured.
    ///   - progress: receives the fraction done, often, on another thread. If it returns false, the measurement ends
    ///     with an error.
    package static func measure(
        _ stage: StageSettings, sampleRate: Double, seconds: Double, progress: @escaping @Sendable (Double) -> Bool
    ) async throws(SessionError) -> CapacityReport {
        guard let rate = SampleRate(hertz: sampleRate) else {
            throw SessionError(.usage, "a rate of \(sampleRate) Hz is not supported; 8000 to 768000")
        }
        let asked = try stage.layout(named: stage.layout ?? "7.1.4")
        let standing = try stage.standing(in: asked)
        let stages: [Layout]
        do throws(SoundstageError) { stages = try CapacityStages.all(including: asked) } catch {
            throw SessionError(error)
        }
        let set = try StageAssembly.set(standing, sampleRate: rate)
        let found = await RealTimeThread.run("proscenium-capacity") { isRealTime in
            Result<CapacityReport, SessionError> { () throws(SessionError) in
                let measurement = CapacityMeasurement(
                    asked: asked, stages: stages, field: set.field, seconds: seconds,
                    make: { (layout, slice, room) throws(SessionError) in
                        var settings = standing
                        settings.slice = slice
                        let renderer = try StageAssembly(settings, layout: layout, set: set, poses: .mailbox).renderer
                        guard let room else { return renderer }
                        do throws(RenderingError) { try renderer.publish(room: room) } catch {
                            throw SessionError(error)
                        }
                        return renderer
                    }, progress: progress)
                let before = MachineLoad.Snapshot.now()
                let cells = try unlessStopped(measurement.measureStages())
                let woken = try unlessStopped(
                    measurement.measureWaking(
                        CapacityChoice.candidates(cells.filter { $0.stage == asked.name })))
                let rooms = try unlessStopped(measurement.measureRooms(under: woken.last?.setting))
                let after = MachineLoad.Snapshot.now()
                return CapacityReport(
                    realTime: isRealTime,
                    load: before.flatMap { before in after.flatMap { MachineLoad(from: before, to: $0) } },
                    hrtf: set.report.name, taps: set.report.playedTaps, sampleRate: sampleRate, stage: asked.name,
                    options: stage.options, cells: cells + rooms, woken: woken)
            }
        }
        switch found {
        case .success(let report): return try report.get()
        case .failure(let error): throw SessionError(.environment, error.description)
        }
    }

    private static func unlessStopped<Found>(_ found: Found?) throws(SessionError) -> Found {
        guard let found else { throw SessionError(.interrupted, "stopped") }
        return found
    }
}

extension StageSettings {
    /// The layout and the HRTF set as options of the command line.
    fileprivate var options: String { "--layout \(layout ?? "7.1.4")" + (self.hrtf.map { " --hrtf \($0)" } ?? "") }
}
