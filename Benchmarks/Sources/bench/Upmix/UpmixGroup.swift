import Soundstage

/// Upmix of stereo to 5.1 and wider layouts. `report/upmix_programs.py` measures the peer, the program ffmpeg.
enum UpmixGroup: CellGroup {
    static let name = "upmix"
    static let summary = "stereo to 5.1, 7.1, 7.1.4 and 9.1.6, for players and live"

    static func plan() -> [CellPlan] {
        UpmixLatency.allCases.flatMap { latency in
            ["5.1", "7.1", "7.1.4", "9.1.6"].map { layout in
                let id = "upmix/\(latency.rawValue)/\(layout)"
                return CellPlan(id: id, group: name, isQuick: layout == "5.1") { bench in
                    try cell(id, UpmixWork(latency, layout: layout)).measure(bench)
                }
            }
        }
    }

    private static func cell(_ id: String, _ work: UpmixWork) throws -> CellWork {
        let latency = try UpmixContender(work, mode: .identity, role: .ours).latency
        let facts = Facts(
            period: work.period, sampleRate: work.sampleRate, size: work.layout.channelCount,
            filters: "masks of the programme itself")
        return CellWork(
            id: id, group: name, title: "stereo opened into \(work.layout.name), \(work.latency.rawValue)",
            unit: "ns per frame, all channels", facts: facts, rows: 2 * work.pairs, frames: work.period,
            units: Double(work.period),
            entries: [
                Entry(.ours) { try UpmixContender(work, mode: .identity, role: .ours) },
                Entry(.part) { try UpmixContender(work, mode: .energy, role: .part) },
            ],
            // All steps from the first are compared: the all-passes of the reference have state.
            truth: UpmixTruth(work, latency: latency), agreement: Agreement(warming: 0, compared: 60))
    }
}
