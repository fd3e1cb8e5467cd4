import CPeers

/// Output of the stage by direct convolution in double precision, with a linear fade between filter states.
final class DirectTruth: Truth {
    let name = "direct convolution in double precision"
    private let work: StageWork

    init(_ work: StageWork) { self.work = work }

    func result(ofStep index: Int, rows: inout [[Double]]) {
        let fade = work.refresh ?? work.period
        let part = min(fade, work.period)
        for start in stride(from: 0, to: work.period, by: part) {
            let first = index * work.period + start
            for source in 0..<work.sources {
                let past = work.taps - 1
                let x = (-past..<part).map { work.programme.sample(channel: source, frame: first + $0) }
                for ear in 0..<2 {
                    let block = first / part
                    let old = filtered(x, part, work.row(source: source, block: block, ofFrames: part, state: 0), ear)
                    let new = work.refresh.map { _ in
                        filtered(x, part, work.row(source: source, block: block, ofFrames: part, state: 1), ear)
                    }
                    for i in 0..<part {
                        let share = Double(first % fade + i) / Double(fade)
                        rows[ear][start + i] += new.map { old[i] + share * ($0[i] - old[i]) } ?? old[i]
                    }
                }
            }
        }
    }

    private func filtered(_ x: [Double], _ count: Int, _ row: Int, _ ear: Int) -> [Double] {
        var y = [Double](repeating: 0, count: count)
        x.withUnsafeBufferPointer { x in
            guard let base = x.baseAddress else { return }
            peer_direct(count, work.taps, base + work.taps - 1, work.table.response(row: row, ear: ear), &y)
        }
        return y
    }
}
