import PluginHost

/// Cells of plugins in the product's chains beside the same plugins alone.
enum PluginGroup: CellGroup {
    static let name = "plugins"
    static let summary = "LV2 plugins in a chain beside the same run alone, in a process of their own, coming and going"

    static func plan() -> [CellPlan] {
        chains + LV2BenchCell.plan() + PacedCell.plan() + InsertionCell.plan()
            + PluginChoice.all.map(PluginMemoryCell.plan)
    }

    private static var chains: [CellPlan] {
        PluginChoice.all.flatMap { choice in
            [1, 2, 12].flatMap { channels in
                [64, 128, 256].map { slice in
                    let id = "plugins/chain/\(choice.name)/ch\(channels)/slice\(slice)"
                    let isQuick = slice == 64 && (choice.name == "dpl" && channels == 2 || choice.name == "amp")
                    return CellPlan(id: id, group: name, isQuick: isQuick) { bench in
                        try cell(id, PluginWork(choice, channels: channels, slice: slice)).measure(bench)
                    }
                }
            }
        }
    }

    private static func cell(_ id: String, _ work: PluginWork) throws -> CellWork {
        let steps = 40
        return CellWork(
            id: id, group: name, title: "a plugin in a chain, and run alone by lilv",
            unit: "ns per slice, all channels",
            facts: work.facts, rows: work.channels, frames: work.slice, units: 1,
            entries: [
                Entry(.ours) { try ChainContender(work) },
                Entry { try LilvContender(work) },
            ], truth: try PluginTruth(work, steps: steps), agreement: Agreement(warming: 0, compared: steps))
    }

    /// Throws in lockstep mode: cells paced by the clock cannot alternate with another process.
    static func refuseLockstep(_ bench: Bench) throws {
        if bench.options.lockstep != nil { throw Refusal("measured against the clock, not in turns") }
    }
}
