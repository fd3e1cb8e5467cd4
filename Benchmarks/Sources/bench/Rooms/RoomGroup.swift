import CPeers
import Convolution

/// Cells of rooms: long fixed filters, identical for all engines.
enum RoomGroup: CellGroup {
    static let name = "rooms"
    static let summary = "room responses of 8192, 24000 and 96000 taps, identical for all engines; a shared tail apart"

    static func plan() -> [CellPlan] {
        var plans: [CellPlan] = []
        for taps in [8192, 24_000, 96_000] {
            for slice in [64, 256] {
                for sources in [6, 12] {
                    for isTailShared in [false, true] {
                        let id = "rooms/n\(sources)/slice\(slice)/taps\(taps)" + (isTailShared ? "/shared-tail" : "")
                        let isQuick = taps == 24_000 && slice == 64 && sources == 12 && !isTailShared
                        plans.append(
                            CellPlan(id: id, group: name, isQuick: isQuick) { bench in
                                try cell(
                                    id,
                                    RoomWork(sources: sources, slice: slice, taps: taps, isTailShared: isTailShared)
                                ).measure(bench)
                            })
                    }
                }
            }
        }
        return plans
    }

    /// Returns the engines of a room cell, the product's first.
    static func entries(_ work: RoomWork) -> [Entry] {
        var entries: [Entry] = RoomContenders.ours(work)
        entries.append(
            Entry {
                try ZitaContender(work.programme, taps: work.taps, largest: 8192) { source, ear in
                    work.response(source: source, ear: ear)
                }
            })
        return entries
    }

    private static func cell(_ id: String, _ work: RoomWork) -> CellWork {
        let facts = Facts(
            sources: work.sources, period: work.slice, slice: work.slice, taps: work.taps, sampleRate: work.sampleRate,
            directions: "still",
            filters: "noise that dies away by 60 dB, one response per source and ear"
                + (work.isTailShared ? "; from \(work.earlyTaps) taps on one tail for all sources" : ""))
        // Whole cycles of the longest partitions, so that every turn has the same work; two, because the first cycle
        // brings the filters back into the caches.
        let cycle = PartitionPlan.longestBlock / work.slice
        return CellWork(
            id: id, group: name, title: work.isTailShared ? "room, tail shared" : "room",
            unit: "ns of all threads' processor time per frame and source", facts: facts, frames: work.slice,
            units: Double(work.slice * work.sources), entries: entries(work), truth: RoomTruth(work),
            agreement: Agreement(warming: work.taps / work.slice + cycle + 5, compared: 4),
            statistic: .medianTurn(cycles: 2, steps: cycle))
    }
}
