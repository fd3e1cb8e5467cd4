import HRTF
import Signal
import Soundstage

/// The three parts of a measurement of capacity, one after the other, on the thread to be measured.
struct CapacityMeasurement {
    /// What else decides the sound.
    let base: StageSettings
    /// The stage asked for, and all that are measured.
    let asked: Layout, stages: [Layout]
    /// The set they play.
    let set: (field: FilterField, report: HRTFReport)
    /// How long it may take.
    let seconds: Double
    /// Told the share done; answers false to stop.
    let progress: (Double) -> Bool

    /// All stages by turns, two fifths of the time: loudspeakers and the stage asked for under all settings, other sound fields,
    /// whose decoders take long to prepare, under two.
    func measureStages() throws(SessionError) -> [CapacityCell] {
        let trials = stages.flatMap { layout in
            let isOther = layout.ambisonics != nil && layout.name != asked.name
            return (isOther ? CapacityCell.Setting.few : CapacityCell.Setting.usual).map {
                CapacityTrial(layout: layout, setting: $0)
            }
        }
        var sweep = try CapacitySweep(trials, base, set)
        return try unlessStopped(sweep.run(seconds: seconds * 0.4) { progress($0 * 0.4) })
    }

    /// The stage woken period by period, at each of the settings until one holds: a tenth of the time each.
    func measureWaking(_ cells: [CapacityCell]) throws(SessionError) -> [WokenStage] {
        var woken: [WokenStage] = []
        for cell in cells {
            let told = 0.4 + 0.1 * Double(woken.count)
            let driver = try CapacityTrial(layout: asked, setting: cell.setting).driver(base, set)
            let result = try unlessStopped(
                WokenStage.run(
                    driver, stage: asked.name, setting: cell.setting, sampleRate: set.field.sampleRate.hertz,
                    seconds: seconds * 0.1, progress: { progress(told + $0 * 0.1) }))
            woken.append(result)
            if result.holds { break }
        }
        return woken
    }

    /// The stage in rooms, one after the other, as each is larger than the caches, under the setting it held and at a period of
    /// 256: a fifth of the time. Empty where nothing fits even without a room, and for stages without a loudspeaker that a room
    /// could be heard from.
    func measureRooms(under setting: CapacityCell.Setting?) throws(SessionError) -> [CapacityCell] {
        guard let setting, asked.loudspeakers.contains(where: { $0.motion == .tracked }) else { return [] }
        let settings = setting.period < 256 ? [setting, CapacityCell.Setting(256, 64)] : [setting]
        let trials = settings.flatMap { setting in
            CapacityCell.Room.usual.map { CapacityTrial(layout: asked, setting: setting, room: $0) }
        }
        var cells: [CapacityCell] = []
        for (number, trial) in trials.enumerated() {
            var sweep = try CapacitySweep([trial], base, set)
            let share = 0.2 / Double(trials.count)
            cells += try unlessStopped(
                sweep.run(seconds: seconds * share) { progress(0.8 + share * (Double(number) + $0)) })
        }
        return cells
    }

    private func unlessStopped<Found>(_ found: Found?) throws(SessionError) -> Found {
        guard let found else { throw SessionError(.interrupted, "stopped") }
        return found
    }
}
