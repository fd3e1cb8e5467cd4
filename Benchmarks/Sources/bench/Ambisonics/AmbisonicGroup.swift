import CPeers

/// Cells of ambisonic scenes decoded to two ears.
enum AmbisonicGroup: CellGroup {
    static let name = "ambisonics"
    static let summary = "orders 1, 3, 5 and 7: the whole stage with the head turning; decoding alone beside the peers"

    static func plan() -> [CellPlan] {
        [1, 3, 5, 7].flatMap { order in
            [
                turning(order, 128, kind: "turning", isQuick: order == 3),
                turning(order, 64, kind: "period64/turning", isQuick: false),
                turning(order, 256, kind: "period256/turning", isQuick: false),
                CellPlan(id: "ambisonics/order\(order)/decoding", group: name, isQuick: false) { bench in
                    let work = AmbisonicWork(order: order, period: 128)
                    let ours = try AmbisonicContenders.still(work)
                    let peer = Entry {
                        try ZitaContender(work.programme, taps: ours.taps, largest: 128, responses: ours.response)
                    }
                    return try cell(
                        "decoding", work, [ours.entry, peer], truth: DecodingTruth(work, ours), taps: ours.taps
                    ).measure(bench)
                },
            ]
        }
    }

    private static func turning(_ order: Int, _ period: Int, kind: String, isQuick: Bool) -> CellPlan {
        CellPlan(id: "ambisonics/order\(order)/\(kind)", group: name, isQuick: isQuick) { bench in
            let work = AmbisonicWork(order: order, period: period)
            return try cell(kind, work, [AmbisonicContenders.turning(work)], truth: nil, taps: nil).measure(bench)
        }
    }

    private static func cell(
        _ kind: String, _ work: AmbisonicWork, _ entries: [Entry], truth: (any Truth)?, taps: Int?
    ) -> CellWork {
        let isTurning = kind.hasSuffix("turning")
        let facts = Facts(
            sources: work.channels, period: work.period, slice: work.period, refresh: isTurning ? work.period : nil,
            taps: taps, sampleRate: work.sampleRate, order: work.order,
            directions: isTurning ? "the head turns left at 100° a second" : "still",
            filters: "decoding filters of Debian's KEMAR")
        return CellWork(
            id: "ambisonics/order\(work.order)/\(kind)", group: name,
            title: isTurning ? "ambisonic stage, the head turning" : "ambisonic decoding, the head still",
            unit: "ns per frame, all channels", facts: facts, frames: work.period, units: Double(work.period),
            entries: entries, truth: truth,
            agreement: Agreement(warming: (taps ?? 0) / work.period + 5, compared: 4))
    }
}

/// Decoding by direct convolution in double precision.
final class DecodingTruth: Truth {
    let name = "direct convolution in double precision"
    private let work: AmbisonicWork
    private let decoder: AmbisonicDecoding

    init(_ work: AmbisonicWork, _ decoder: AmbisonicDecoding) {
        self.work = work
        self.decoder = decoder
    }

    func result(ofStep index: Int, rows: inout [[Double]]) {
        let first = index * work.period
        for channel in 0..<work.channels {
            let x = (-(decoder.taps - 1)..<work.period).map {
                work.programme.sample(channel: channel, frame: first + $0)
            }
            x.withUnsafeBufferPointer { x in
                guard let base = x.baseAddress else { return }
                for ear in 0..<2 {
                    peer_direct(
                        work.period, decoder.taps, base + decoder.taps - 1, decoder.response(channel, ear), &rows[ear])
                }
            }
        }
    }
}
