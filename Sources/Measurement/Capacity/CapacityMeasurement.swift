import AudioIO
import HRTF
import Rendering
import Rooms
import Signal
import Soundstage

/// A capacity measurement in three parts: many layouts, the requested layout on a thread that wakes at each period, and
/// the requested layout in rooms. The parts run one after the other on the thread to be measured. The measured engine
/// is that of live playback, without a server or a sound card.
package struct CapacityMeasurement<Failure: Error> {
    /// Makes the renderer of a layout (a stage), which updates its filters every `slice` frames, with a room or (nil)
    /// without one. The stage reads the head's poses from its mailbox.
    package typealias StageMaker = (Layout, _ slice: Int, RoomResponses?) throws(Failure) -> StageRenderer

    private let asked: Layout, stages: [Layout]
    private let field: FilterField
    private let seconds: Double
    private let make: StageMaker
    private let progress: (Double) -> Bool

    /// Prepares a measurement.
    ///
    /// - Parameters:
    ///   - asked: the requested stage; `stages`: all stages to measure.
    ///   - field: the HRTF set of the stages.
    ///   - seconds: duration of the measurement. Making each stage takes some milliseconds more, with a room up to a
    ///     second.
    ///   - progress: receives the share done; returns false to stop.
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

    /// Measures all stages in turns, for two fifths of the time. Layouts of loudspeakers and the requested stage are
    /// measured under the settings `usual`; other sound fields only under `few`, as their decoders take long to
    /// prepare. Returns nil if stopped.
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

    /// Measures the requested stage on a thread that wakes at each period. Tries the settings of `cells` in order until
    /// one holds, for a tenth of the time each. Returns nil if stopped.
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

    /// Measures the requested stage in rooms, for a fifth of the time: under `setting` and, if its period is shorter
    /// than 256 frames, also with a period of 256 and slices of 64 frames. The rooms are measured one after the other,
    /// because each is larger than the caches. Empty if `setting` is nil, or if no loudspeaker of the stage is tracked;
    /// nil if stopped.
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

    /// Makes a stage of a trial with a driver that turns the head.
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
