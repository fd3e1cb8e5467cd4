import AudioIO
import HRTF
import Rendering
import Rooms
import Signal
import Soundstage

/// The three parts of a measurement of capacity, one after the other, on the thread to be measured: the engine that
/// plays live, without a server or a sound card.
package struct CapacityMeasurement<Failure: Error> {
    /// Makes a stage of a layout, with slices of so many frames, in a room or (nil) dry; its poses come from its
    /// mailbox.
    package typealias StageMaker = (Layout, _ slice: Int, RoomResponses?) throws(Failure) -> StageRenderer

    private let asked: Layout, stages: [Layout]
    private let field: FilterField
    private let seconds: Double
    private let make: StageMaker
    private let progress: (Double) -> Bool

    /// A measurement that has not begun.
    ///
    /// - Parameters:
    ///   - asked: the stage asked for; `stages`: all that are measured.
    ///   - field: the set they play.
    ///   - seconds: how long it may take, beside some milliseconds (with a room up to a second) to make each stage.
    ///   - progress: told the share done; answers false to stop.
    package init(
        asked: Layout, stages: [Layout], field: FilterField, seconds: Double, make: @escaping StageMaker,
        progress: @escaping (Double) -> Bool
    ) {
        self.asked = asked
        self.stages = stages
        self.field = field
        self.seconds = seconds
        self.make = make
        self.progress = progress
    }

    /// All stages by turns, two fifths of the time: loudspeakers and the stage asked for under all settings, other
    /// sound fields, whose decoders take long to prepare, under two. Nil if stopped.
    package func measureStages() throws(Failure) -> [CapacityCell]? {
        let trials = stages.flatMap { layout in
            let isOther = layout.ambisonics != nil && layout.name != asked.name
            return (isOther ? CapacityCell.Setting.few : CapacityCell.Setting.usual).map {
                CapacityTrial(layout: layout, setting: $0)
            }
        }
        var sweep = CapacitySweep(try trials.map(ready), sampleRate: field.sampleRate.hertz)
        return sweep.run(seconds: seconds * 0.4) { progress($0 * 0.4) }
    }

    /// The stage woken period by period, at each of the settings until one holds: a tenth of the time each. Nil if
    /// stopped.
    package func measureWaking(_ cells: [CapacityCell]) throws(Failure) -> [WokenStage]? {
        var woken: [WokenStage] = []
        for cell in cells {
            let told = 0.4 + 0.1 * Double(woken.count)
            let driver = try ready(CapacityTrial(layout: asked, setting: cell.setting)).driver
            let result = WokenStage.run(
                driver, stage: asked.name, setting: cell.setting, sampleRate: field.sampleRate.hertz,
                seconds: seconds * 0.1, progress: { progress(told + $0 * 0.1) })
            guard let result else { return nil }
            woken.append(result)
            if result.holds { break }
        }
        return woken
    }

    /// The stage in rooms, one after the other, as each is larger than the caches, under the setting it held and at a
    /// period of 256: a fifth of the time. Empty where nothing fits even without a room, and for stages without a
    /// loudspeaker that a room could be heard from; nil if stopped.
    package func measureRooms(under setting: CapacityCell.Setting?) throws(Failure) -> [CapacityCell]? {
        guard let setting, asked.loudspeakers.contains(where: { $0.motion == .tracked }) else { return [] }
        let settings = setting.period < 256 ? [setting, CapacityCell.Setting(256, 64)] : [setting]
        let trials = settings.flatMap { setting in
            CapacityCell.Room.usual.map { CapacityTrial(layout: asked, setting: setting, room: $0) }
        }
        var cells: [CapacityCell] = []
        for (number, trial) in trials.enumerated() {
            var sweep = CapacitySweep([try ready(trial)], sampleRate: field.sampleRate.hertz)
            let share = 0.2 / Double(trials.count)
            let found = sweep.run(seconds: seconds * share) { progress(0.8 + share * (Double(number) + $0)) }
            guard let found else { return nil }
            cells += found
        }
        return cells
    }

    /// A stage ready to render, its head turning.
    private func ready(_ trial: CapacityTrial) throws(Failure) -> CapacitySweep.Entry {
        let room = trial.room.map {
            CapacityRooms.responses($0, for: trial.layout, sampleRate: field.sampleRate)
        }
        let renderer = try make(trial.layout, trial.setting.slice, room)
        let mailbox = renderer.mailbox
        let driver = TimedDriver(
            renderer: renderer, inputCount: trial.layout.channelCount, sampleRate: field.sampleRate,
            frames: trial.setting.period, turnHead: { mailbox.store(TurningHead.forecast(at: $0)) })
        return CapacitySweep.Entry(trial: trial, driver: driver)
    }
}
