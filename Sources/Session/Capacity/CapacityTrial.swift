import AudioIO
import HRTF
import Rendering
import Rooms
import Signal
import Soundstage

/// A stage under one setting, as it is to be measured.
struct CapacityTrial {
    /// The stage.
    let layout: Layout
    /// Period and slice.
    let setting: CapacityCell.Setting
    /// The room it stands in; nil: none.
    var room: CapacityCell.Room?

    /// The stage ready to render, its head turning. Takes some milliseconds, with a room up to a second.
    func driver(
        _ base: StageSettings, _ set: (field: FilterField, report: HRTFReport)
    ) throws(SessionError) -> TimedDriver {
        var settings = base
        settings.slice = setting.slice
        let renderer = try StageAssembly(settings, layout: layout, set: set, poses: .mailbox).renderer
        let rate = set.field.sampleRate
        if let room {
            do throws(RenderingError) {
                try renderer.publish(room: CapacityRooms.responses(room, for: layout, sampleRate: rate))
            } catch {
                throw SessionError(error)
            }
        }
        let mailbox = renderer.mailbox
        return TimedDriver(
            renderer: renderer, inputCount: layout.channelCount, sampleRate: rate, frames: setting.period,
            turnHead: { mailbox.store(TurningHead.forecast(at: $0)) })
    }

    /// What was measured, as it is reported.
    func cell(_ nanoseconds: [Int32], sampleRate: Double) -> CapacityCell {
        CapacityCell(
            stage: layout.name, room: room, sources: layout.loudspeakers.count, setting: setting,
            times: PeriodTimes(nanoseconds: nanoseconds, lasting: Double(setting.period) / sampleRate))
    }
}
