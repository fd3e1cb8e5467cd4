import AudioIO
import CRealtime
import Foundation
import HRTF
import Rendering
import Signal
import Soundstage

/// Measures many stages by turns, one period of each after the other: whatever else the machine does meets all of them
/// alike, and each finds the caches as others left them, as a client does on a live machine.
struct CapacitySweep {
    /// A stage under one setting, and the nanoseconds its periods took.
    private struct Entry {
        let layout: Layout
        let setting: CapacityCell.Setting
        let driver: TimedDriver
        /// Takes part in every so many rounds: long periods are rare events, and would take most of the time.
        var turn: Int { Swift.max(1, setting.period / 256) }
        var times: [Int32] = []
    }
    private var entries: [Entry] = []
    private let sampleRate: Double

    /// Rounds that are not counted: pages are touched for the first time, caches and branch predictors learn.
    private static let warmUpRounds = 20

    /// Prepares every stage under every setting; some milliseconds each.
    init(
        _ base: StageSettings, stages: [Layout], settings: [CapacityCell.Setting],
        set: (field: FilterField, report: HRTFReport)
    ) throws(SessionError) {
        sampleRate = set.field.sampleRate.hertz
        for layout in stages {
            for setting in settings {
                let driver = try TimedDriver(base, layout: layout, setting: setting, set: set)
                entries.append(Entry(layout: layout, setting: setting, driver: driver))
            }
        }
    }

    /// Measures for so many seconds, one counted round at least; on the thread to be measured.
    ///
    /// - Parameter progress: told the share done between rounds; answers false to stop.
    /// - Returns: nil if stopped.
    mutating func run(seconds: Double, progress: (Double) -> Bool) -> [CapacityCell]? {
        let begun = prc_monotonic_nanoseconds()
        func elapsed() -> Double { Double(prc_monotonic_nanoseconds() - begun) * 1e-9 }
        var round = 0
        while round <= CapacitySweep.warmUpRounds || elapsed() < seconds {
            let start = elapsed()
            for index in entries.indices where round.isMultiple(of: entries[index].turn) {
                let taken = entries[index].driver.renderPeriod()
                if round >= CapacitySweep.warmUpRounds { entries[index].times.append(Int32(clamping: taken)) }
            }
            round += 1
            // Rests for a fifth of the time: real-time threads that take all of it are stopped by the system
            // (sched(7), sched_rt_runtime_us: 95 %), and others want the processor too.
            prc_sleep_microseconds(UInt32(max(200, (elapsed() - start) * 0.25e6)))
            guard progress(min(1, elapsed() / seconds)) else { return nil }
        }
        return entries.map { entry in
            CapacityCell(
                stage: entry.layout.name, sources: entry.layout.loudspeakers.count, setting: entry.setting,
                times: PeriodTimes(
                    nanoseconds: entry.times, lasting: Double(entry.setting.period) / sampleRate))
        }
    }
}

extension TimedDriver {
    /// A stage under one setting, its head turning.
    convenience init(
        _ base: StageSettings, layout: Layout, setting: CapacityCell.Setting,
        set: (field: FilterField, report: HRTFReport)
    ) throws(SessionError) {
        var settings = base
        settings.slice = setting.slice
        let assembly = try StageAssembly(settings, layout: layout, set: set, poses: .mailbox)
        let mailbox = assembly.renderer.mailbox
        self.init(
            renderer: assembly.renderer, inputCount: layout.channelCount, sampleRate: set.field.sampleRate,
            frames: setting.period, turnHead: { mailbox.store(TurningHead.forecast(at: $0)) })
    }
}
