import CPeers

/// Direct convolution in double precision with the field's responses, evaluated at each refresh and faded linearly.
final class EngineTruth: Truth {
    let name = "direct convolution in double precision with the field's own responses"
    private let work: EngineWork
    private let responses: any Responses

    /// Creates the reference for the responses that one engine plays.
    init(_ work: EngineWork, _ responses: any Responses) {
        self.work = work
        self.responses = responses
    }

    func result(ofStep index: Int, rows: inout [[Double]]) {
        let fade = work.refresh
        let part = min(fade, work.period)
        let taps = responses.taps
        for start in stride(from: 0, to: work.period, by: part) {
            let first = index * work.period + start
            for source in 0..<work.sources {
                let x = (-(taps - 1)..<part).map { work.programme.sample(channel: source, frame: first + $0) }
                let elapsed = first % fade
                let old = filtered(x, part, source, atFrame: first - elapsed)
                let new = filtered(x, part, source, atFrame: first - elapsed + fade)
                for ear in 0..<2 {
                    for i in 0..<part {
                        let share = Double(elapsed + i) / Double(fade)
                        rows[ear][start + i] += old[ear][i] + share * (new[ear][i] - old[ear][i])
                    }
                }
            }
        }
    }

    private func filtered(_ x: [Double], _ count: Int, _ source: Int, atFrame frame: Int) -> [[Double]] {
        responses.evaluate(
            work.directions[source], headToStage: work.headToStage(atFrame: frame),
            before: work.headToStage(atFrame: frame - work.refresh))
        let taps = responses.taps
        return [responses.left, responses.right].map { response in
            var y = [Double](repeating: 0, count: count)
            x.withUnsafeBufferPointer { x in
                if let base = x.baseAddress { peer_direct(count, taps, base + taps - 1, response, &y) }
            }
            return y
        }
    }
}
