/// Recommendations from the measured cells: settings, number of sources and room.
package enum CapacityChoice {
    /// Returns the cells whose settings are to be tried for one stage (a rendered layout), short periods first: those
    /// with the best verdict found, `fits` or else `tight`, and for each period only the finest slice. Empty if all
    /// verdicts are `exceeds`.
    package static func candidates(_ cells: [CapacityCell]) -> [CapacityCell] {
        guard let best = cells.map(\.verdict).min(), best < .exceeds else { return [] }
        let usable = cells.filter { $0.verdict == best }
        return Set(usable.map(\.setting.period)).sorted().compactMap { period in
            usable.filter { $0.setting.period == period }.min { $0.setting.slice < $1.setting.slice }
        }
    }

    /// Returns the largest stage that fits under one setting without a room, and the smallest of the larger stages that
    /// were measured. Each is nil if there is none.
    ///
    /// All stages with fewer sources than one that fits count as fitting too, since a disturbance may have spoiled
    /// their times. Sound fields are left out.
    static func sources(
        _ cells: [CapacityCell], under setting: CapacityCell.Setting
    ) -> (most: CapacityCell?, tooMany: CapacityCell?) {
        let here = cells.filter { $0.setting == setting && $0.room == nil && $0.sources > 0 }
        let most = here.filter { $0.verdict == .fits }.max { $0.sources < $1.sources }
        let tooMany = here.filter { $0.sources > most?.sources ?? 0 }.min { $0.sources < $1.sources }
        return (most, tooMany)
    }

    /// Returns the longest room that fits under one setting, preferably without a shared tail; nil if none fits.
    static func room(_ cells: [CapacityCell], under setting: CapacityCell.Setting) -> CapacityCell? {
        cells.filter { $0.setting == setting && $0.verdict == .fits && $0.room != nil }.max { a, b in
            guard let a = a.room, let b = b.room else { return false }
            return a.seconds != b.seconds ? a.seconds < b.seconds : a.isTailShared && !b.isTailShared
        }
    }
}
