import Soundstage

/// A stage (a rendered layout) under one setting, to be measured.
struct CapacityTrial {
    /// The stage.
    let layout: Layout
    /// Period and slice.
    let setting: CapacityCell.Setting
    /// The room; nil without one.
    var room: CapacityCell.Room?

    /// Makes the cell of a measurement from the rendering times of its periods, ns.
    func cell(_ nanoseconds: [Int32], sampleRate: Double) -> CapacityCell {
        CapacityCell(
            stage: layout.name, room: room, sources: layout.loudspeakers.count, setting: setting,
            times: PeriodTimes(nanoseconds: nanoseconds, lasting: Double(setting.period) / sampleRate))
    }
}
