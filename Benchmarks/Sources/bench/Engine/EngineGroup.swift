import CAllocations
import CPeers

/// Cells of the whole engine, called as an audio driver calls it.
enum EngineGroup: CellGroup {
    static let name = "engine"
    static let summary = "the whole engine, `process`: a turning head over all sizes, a still one with 256 taps"

    static func plan() -> [CellPlan] {
        var plans: [CellPlan] = []
        for taps in StageSizes.taps {
            for period in StageSizes.periods {
                for sources in StageSizes.sources {
                    for isTurning in taps == 256 ? [true, false] : [true] {
                        let id =
                            "engine/n\(sources)/period\(period)/taps\(taps)/" + (isTurning ? "turning" : "still")
                        let isQuick =
                            taps == 256 && isTurning
                            && [(12, 128), (16, 64), (6, 64), (2, 64)].contains { $0 == (sources, period) }
                        plans.append(
                            CellPlan(id: id, group: name, isQuick: isQuick) { bench in
                                try cell(id, sources, period, taps, isTurning, nil, bench.machine).measure(bench)
                            })
                        // At slices of 64 frames the product updates the filters every other slice.
                        guard period == 64 && isTurning else { continue }
                        plans.append(
                            CellPlan(id: id + "/refresh128", group: name, isQuick: isQuick) { bench in
                                try cell(id + "/refresh128", sources, period, taps, isTurning, 128, bench.machine)
                                    .measure(bench)
                            })
                    }
                }
            }
        }
        return plans
    }

    private static func cell(
        _ id: String, _ sources: Int, _ period: Int, _ taps: Int, _ isTurning: Bool, _ refresh: Int?,
        _ machine: Machine
    ) throws -> CellWork {
        let loaded = try Fields.field(taps: taps)
        let work = EngineWork(
            sources: sources, period: period, isTurning: isTurning, field: loaded.field, refresh: refresh)
        let before = bench_bytes_in_use()
        let spectral = SpectralResponses(loaded.field, slice: work.slice)
        let tableBytes = Int(bench_bytes_in_use() - before)
        var facts = Facts()
        facts.sources = sources
        facts.period = period
        facts.slice = work.slice
        facts.refresh = isTurning ? work.refresh : nil
        facts.taps = work.field.tapCount
        facts.sampleRate = work.field.sampleRate.hertz
        facts.tableBytes = tableBytes
        facts.tablePlace = machine.place(ofBytes: tableBytes)
        facts.directions = isTurning ? "the head turns left at \(Int(EngineWork.speed))° a second" : "still"
        facts.filters = "\(loaded.name), interpolated at each refresh"
        // The product delays by phases of spectra, the baseline by a kernel; the two differ by the kernel's images at
        // −80 dB. Each engine is therefore compared with its own responses.
        var entries = [Entry(.ours, truth: EngineTruth(work, spectral)) { try EngineContender(work) }]
        if isTurning {
            for form in [PEER_PARTITIONED, PEER_SINGLE] {
                let truth = EngineTruth(work, TimeResponses(work.field))
                entries.append(Entry(truth: truth) { try SameWorkContender(work, form) })
            }
            // FFTW without updates, its filters ready in a table: it has less work, so it is the stricter comparison.
            let ready = StageWork(sources: sources, period: period, taps: taps, isMoving: true, refresh: refresh)
            for form in [PEER_PARTITIONED, PEER_SINGLE] {
                entries.append(
                    Entry(truth: DirectTruth(ready)) {
                        try FFTWContender(ready, form, block: ready.slice, called: "FFTW with ready filters")
                    })
            }
        }
        return CellWork(
            id: id, group: name, title: "whole engine, the head \(isTurning ? "turning" : "still")", facts: facts,
            frames: period, units: Double(period * sources), entries: entries,
            agreement: Agreement(
                warming: (work.field.tapCount + period - 1) / period + 3, compared: max(2, 512 / period)),
            // Where every other period updates filters, the median of single steps would cover one kind alone.
            statistic: work.refresh > period ? .medianSteps(work.refresh / period) : .medianStep)
    }
}
