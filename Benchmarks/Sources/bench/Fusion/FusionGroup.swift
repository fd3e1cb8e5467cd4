/// Cells of the orientation filter.
enum FusionGroup: CellGroup {
    static let name = "fusion"
    static let summary = "nanoseconds per IMU sample of the orientation filter, beside VQF where it was built"

    static func plan() -> [CellPlan] {
        [6, 9].map { axes in
            CellPlan(id: "fusion/axes\(axes)", group: name, isQuick: axes == 6) { bench in
                let motion = Motion(rate: 285.7)
                let facts = Facts(
                    sampleRate: 285.7, directions: "a head that looks about, with an IMU's noise", filters: "none")
                var entries = [Entry(.ours) { FusionContender(motion, nine: axes == 9) }]
                if Shared.vqf != nil { entries.append(Entry { try VQFContender(motion, nine: axes == 9) }) }
                return try CellWork(
                    id: "fusion/axes\(axes)", group: name,
                    title: "orientation filter (filters differ, so results are not compared here but in their tests)",
                    unit: "ns per sample", facts: facts, frames: 16, units: Double(FusionContender.block),
                    entries: entries
                ).measure(bench)
            }
        }
    }
}
