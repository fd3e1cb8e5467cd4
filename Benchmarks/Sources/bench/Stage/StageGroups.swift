import CPeers

/// Sizes of the stage cells.
enum StageSizes {
    static let sources = [2, 6, 8, 12, 16, 32, 64]
    static let periods = [64, 128, 256, 1024]
    static let taps = [128, 256, 512]

    /// Returns the cells of all sizes, in order of taps, periods, sources; `isQuick` selects those of the short suite.
    static func all(_ name: String, isQuick: (Int, Int, Int) -> Bool, _ measure: @escaping (Int, Int, Int) -> CellWork?)
        -> [CellPlan]
    {
        var plans: [CellPlan] = []
        for taps in taps {
            for period in periods {
                for sources in sources {
                    plans.append(
                        CellPlan(
                            id: "\(name)/n\(sources)/period\(period)/taps\(taps)", group: name,
                            isQuick: isQuick(sources, period, taps)
                        ) { bench in
                            guard let work = measure(sources, period, taps) else { throw Refusal("nothing to measure") }
                            return try work.measure(bench)
                        })
                }
            }
        }
        return plans
    }
}

/// Cells of convolution alone, with moving filters from a table of spectra.
enum MovingGroup: CellGroup {
    static let name = "moving"
    static let summary = "convolution with filters that move every refresh, taken from a table of spectra"

    static func plan() -> [CellPlan] {
        StageSizes.all(
            name, isQuick: { n, period, taps in taps == 256 && period <= 128 && [2, 6, 16].contains(n) }
        ) { sources, period, taps in
            let work = StageWork(sources: sources, period: period, taps: taps, isMoving: true)
            return work.cell(group: name, title: "moving filters, convolution alone", entries: work.entries())
        }
    }
}

/// Cells of convolution with fixed filters.
enum StaticGroup: CellGroup {
    static let name = "static"
    static let summary = "convolution with filters that stay"

    static func plan() -> [CellPlan] {
        StageSizes.all(
            name, isQuick: { n, period, taps in taps == 256 && [64, 256].contains(period) && n == 16 }
        ) { sources, period, taps in
            let work = StageWork(sources: sources, period: period, taps: taps, isMoving: false)
            return work.cell(group: name, title: "filters at rest", entries: work.entries())
        }
    }
}

extension StageWork {
    /// Returns the product and the peers that can do the work. With a turning head, the baseline may also run in blocks
    /// of one refresh, but in none longer than the product's slice: its filters would be later than the product's. With
    /// a head at rest, its block is the whole period.
    func entries() -> [Entry] {
        var entries: [Entry] = []
        entries.append(Entry(.ours) { TableContender(self) })
        if refresh != nil && taps == 256 && [2, 6, 16].contains(sources) {
            for share in [TableContender.Share.transforms, .sums] {
                entries.append(Entry(.part) { TableContender(self, share: share) })
            }
        }
        let blocks = refresh.map { $0 == slice ? [slice] : [slice, $0] } ?? [period]
        for block in blocks {
            for form in [PEER_PARTITIONED, PEER_SINGLE] {
                entries.append(Entry { try FFTWContender(self, form, block: block) })
            }
        }
        if refresh == nil {
            entries.append(
                Entry {
                    try ZitaContender(programme, taps: taps, largest: period) { source, ear in
                        table.response(row: FilterTable.row(source: source, refresh: 0), ear: ear)
                    }
                })
        }
        return entries
    }

    /// Returns the cell of this work.
    func cell(group: String, title: String, entries: [Entry]) -> CellWork {
        CellWork(
            id: "\(group)/n\(sources)/period\(period)/taps\(taps)", group: group, title: title,
            facts: facts(Machine()), frames: period, units: Double(period * sources),
            entries: entries, truth: DirectTruth(self),
            agreement: Agreement(
                warming: (taps + period - 1) / period + 3 + slicesToRest, compared: max(2, 512 / period)))
    }
}
