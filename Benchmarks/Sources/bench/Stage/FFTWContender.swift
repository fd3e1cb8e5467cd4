import CPeers

/// The FFTW baseline in one of its forms. Its block may be shorter than a period, where that is faster.
final class FFTWContender: Contender {
    let name: String
    let remark: String
    private let engine: OpaquePointer
    private let work: StageWork
    private let block: Int
    private let states: Int
    private var rows: [Int]

    init(_ work: StageWork, _ form: peer_form, block: Int, called title: String = "FFTW") throws {
        self.work = work
        self.block = block
        states = work.states(inBlock: block)
        // A still head uses one row per source.
        let count = work.refresh == nil ? work.sources : FilterTable.rowCount
        guard let engine = peer_fftw_create(form, work.sources, block, work.taps, count, states) else {
            throw Refusal("the FFTW baseline found no memory for \(count) filters")
        }
        self.engine = engine
        if let refresh = work.refresh, refresh > block, peer_fftw_fade_over(engine, refresh) == 0 {
            throw Refusal("the FFTW baseline found no memory for its fade")
        }
        let kind = form == PEER_SINGLE ? "one transform" : "partitioned"
        name = "\(title), \(kind)" + (block == work.period ? "" : ", blocks of \(block)")
        remark = "transforms of \(peer_fftw_size(engine)), table of \(peer_fftw_table_bytes(engine) >> 10) KiB"
        rows = [Int](repeating: 0, count: states * work.sources)
        for row in 0..<count {
            let from = work.refresh == nil ? FilterTable.row(source: row, refresh: 0) : row
            peer_fftw_set(
                engine, row, work.table.response(row: from, ear: 0), work.table.response(row: from, ear: 1))
        }
        if work.refresh == nil { for source in 0..<work.sources { rows[source] = source } }
    }

    deinit { peer_fftw_destroy(engine) }

    func step(_ index: Int, into output: Output) {
        var start = 0
        while start < work.period {
            if let refresh = work.refresh {
                if refresh > block { peer_fftw_elapsed(engine, (index * work.period + start) % refresh) }
                let place = (index * work.period + start) / block
                for state in 0..<states {
                    for source in 0..<work.sources {
                        rows[state * work.sources + source] = work.row(
                            source: source, block: place, ofFrames: block, state: state)
                    }
                }
            }
            let inputs = UnsafeRawPointer(work.programme.block(index, from: start))
                .assumingMemoryBound(to: UnsafePointer<Float>?.self)
            peer_fftw_process(engine, inputs, rows, output.left + start, output.right + start)
            start += block
        }
    }
}
