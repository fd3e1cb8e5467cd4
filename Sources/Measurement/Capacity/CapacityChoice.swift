/// What the figures suggest: the shortest period that a stage keeps up with.
package enum CapacityChoice {
    /// The settings to try for one stage, the best first: of each period that fits the finest slice that does, short
    /// periods first; where none fits, those that are tight, likewise; empty where all are too much.
    package static func candidates(_ cells: [CapacityCell]) -> [CapacityCell] {
        guard let best = cells.map(\.verdict).min(), best < .exceeds else { return [] }
        let usable = cells.filter { $0.verdict == best }
        return Set(usable.map(\.setting.period)).sorted().compactMap { period in
            usable.filter { $0.setting.period == period }.min { $0.setting.slice < $1.setting.slice }
        }
    }

    /// Under one setting, the most sources that fit without a room, and the next larger stage measured; nil: there is
    /// none.
    ///
    /// Where more sources fit fewer do, whatever disturbed them while they were measured. Sound fields do not count.
    static func sources(
        _ cells: [CapacityCell], under setting: CapacityCell.Setting
    ) -> (most: CapacityCell?, tooMany: CapacityCell?) {
        let here = cells.filter { $0.setting == setting && $0.room == nil && $0.sources > 0 }
        let most = here.filter { $0.verdict == .fits }.max { $0.sources < $1.sources }
        let tooMany = here.filter { $0.sources > most?.sources ?? 0 }.min { $0.sources < $1.sources }
        return (most, tooMany)
    }

    /// Under one setting, the longest room of a stage that fits; nil: none does.
    static func room(_ cells: [CapacityCell], under setting: CapacityCell.Setting) -> CapacityCell? {
        cells.filter { $0.setting == setting && $0.verdict == .fits && $0.room != nil }.max { a, b in
            guard let a = a.room, let b = b.room else { return false }
            return a.seconds != b.seconds ? a.seconds < b.seconds : a.isTailShared && !b.isTailShared
        }
    }
}
