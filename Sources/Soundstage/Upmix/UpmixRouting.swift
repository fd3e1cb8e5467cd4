import Signal

/// Channels of a layout by their role in an upmix.
struct UpmixRouting: BitwiseCopyable, Sendable {
    /// Channel numbers of the front pair and the centre.
    let left: Int, right: Int, centre: Int
    /// Channel numbers of the wides; nil without them.
    let wideLeft: Int?, wideRight: Int?
    /// Channel numbers of the pairs that carry ambience: sides, backs, heights. Only the first `pairs` are valid.
    let ambientLeft: InlineArray<5, Int>, ambientRight: InlineArray<5, Int>
    let pairs: Int
    /// Number of channels of the layout.
    let channelCount: Int

    /// Finds the roles of a layout's channels by their symbols. The LFE and channels without a role stay silent.
    ///
    /// - Throws: `noStage` if front pair, centre or surrounds are missing.
    init(_ layout: Layout) throws(UpmixError) {
        func index(_ channel: Channel) -> Int? { layout.loudspeakers.firstIndex { $0.symbol == channel.rawValue } }
        func pair(_ left: Channel, _ right: Channel) -> (left: Int, right: Int)? {
            guard let left = index(left), let right = index(right) else { return nil }
            return (left, right)
        }
        let surrounds = [pair(.sideLeft, .sideRight), pair(.backLeft, .backRight)].compactMap(\.self)
        let heights = [
            pair(.topFrontLeft, .topFrontRight), pair(.topSideLeft, .topSideRight), pair(.topBackLeft, .topBackRight),
        ].compactMap(\.self)
        guard let front = pair(.frontLeft, .frontRight), let centre = index(.frontCentre), !surrounds.isEmpty else {
            throw .noStage(layout: layout.name)
        }
        (left, right) = front
        self.centre = centre
        let wides = pair(.wideLeft, .wideRight)
        (wideLeft, wideRight) = (wides?.left, wides?.right)
        let ambient = surrounds + heights
        pairs = ambient.count
        ambientLeft = InlineArray { $0 < ambient.count ? ambient[$0].left : 0 }
        ambientRight = InlineArray { $0 < ambient.count ? ambient[$0].right : 0 }
        channelCount = layout.channelCount
    }

    /// All groups except the front pair: the centre, then the pairs of surrounds, heights and wides.
    var groups: [[Int]] {
        let wides = [wideLeft, wideRight].compactMap(\.self)
        return [[centre]] + (0..<pairs).map { [ambientLeft[$0], ambientRight[$0]] } + (wides.isEmpty ? [] : [wides])
    }

    /// Returns the delays of the all-passes of ambient channel `index`, samples at 48 kHz. The left channel of pair p
    /// is 2·p, the right one 2·p + 1.
    ///
    /// The delays of the first pair were found by a random search for the least coherence of two copies of a sound, in
    /// third octaves above 300 Hz. The coherence is at most 0.39 below 1 kHz and 0.2 above. Only cascades shorter than
    /// 10 ms were searched; longer ones decorrelate better but smear more. The delays of the other pairs are further
    /// results of the same search.
    static func delays(_ index: Int) -> [Int] {
        let table = [
            [108], [461], [151, 37], [389, 53], [79, 131], [41, 347], [211], [433], [59, 173], [67, 307],
        ]
        return table[index % table.count]
    }
}
