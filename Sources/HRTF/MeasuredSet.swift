import Geometry
import SOFA

/// A file's responses made fit for processing: one distance, no direction twice, left ear first.
struct MeasuredSet: Sendable {
    /// Samples per second.
    let sampleRate: Double
    /// Samples of each response.
    let sampleCount: Int
    /// Directions seen from the head; no two within 0.005°.
    let directions: [Direction<Head>]
    /// Mean distance of the sources in metres; 0 where unknown.
    let distance: Double
    /// `[direction][ear][sample]`.
    let responses: [Float]
    /// `[direction][ear]`: delay to be added, samples.
    let delays: [Double]
    /// What was left out or changed, one sentence each.
    private(set) var remarks: [String]

    /// The longest response taken for a free-field one, seconds; rooms ring longer.
    static let longestSeconds = 0.1

    /// Keeps the distance with the most directions and the first of equal directions.
    init(_ file: FreeFieldHRIR) throws(HRTFError) {
        let seconds = Double(file.sampleCount) / file.sampleRate
        guard seconds <= MeasuredSet.longestSeconds else {
            throw .implausible(
                path: file.path,
                reason: "its responses last \(Int(seconds * 1000)) ms, longer than a free-field response can "
                    + "(\(Int(MeasuredSet.longestSeconds * 1000)) ms): it holds a room, to be played with --room; choose a free-field set"
            )
        }
        var remarks = file.remarks
        let shell = MeasuredSet.shell(file.distances)
        if shell.count < file.measurementCount {
            remarks.append(
                "\(file.measurementCount - shell.count) measurements at other distances were left out: those near "
                    + "\(MeasuredSet.metres(file.distances[shell[0]])) are used")
        }
        var seen: Set<SIMD3<Int32>> = []
        var kept: [Int] = []
        for index in shell {
            // 1e-4 of the radius: 0.006°.
            let key = SIMD3<Int32>((file.directions[index].unit * 1e4).rounded(.toNearestOrEven))
            if seen.insert(key).inserted { kept.append(index) }
        }
        if kept.count < shell.count {
            remarks.append("\(shell.count - kept.count) repeated directions were left out")
        }
        let set = kept.count == file.measurementCount ? file : file.keeping(kept)
        sampleRate = set.sampleRate
        sampleCount = set.sampleCount
        directions = set.directions
        distance = set.distances.reduce(0, +) / Double(set.distances.count)
        responses = set.responses
        delays = set.delays
        self.remarks = remarks
    }

    private init(
        sampleRate: Double, sampleCount: Int, directions: [Direction<Head>], distance: Double, responses: [Float],
        delays: [Double], remarks: [String]
    ) {
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.directions = directions
        self.distance = distance
        self.responses = responses
        self.delays = delays
        self.remarks = remarks
    }

    /// The set with its ears exchanged.
    func exchangingEars() -> MeasuredSet {
        var exchanged: [Float] = []
        exchanged.reserveCapacity(responses.count)
        for index in directions.indices {
            let start = 2 * index * sampleCount
            exchanged += responses[(start + sampleCount)..<(start + 2 * sampleCount)]
            exchanged += responses[start..<(start + sampleCount)]
        }
        return MeasuredSet(
            sampleRate: sampleRate, sampleCount: sampleCount, directions: directions, distance: distance,
            responses: exchanged, delays: directions.indices.flatMap { [delays[2 * $0 + 1], delays[2 * $0]] },
            remarks: remarks + [
                "sounds from the left reach receiver 1 first: the ears are stored in the wrong order and were exchanged"
            ])
    }

    /// Indices of the measurements at the most common distance (within 5 %); all if none is known.
    private static func shell(_ distances: [Double]) -> [Int] {
        let order = distances.indices.sorted { distances[$0] < distances[$1] }
        var best: ArraySlice<Int> = []
        var start = 0
        for end in order.indices {
            while distances[order[end]] > 1.05 * distances[order[start]] + 0.001 { start += 1 }
            // At equal counts the farther one.
            if end - start + 1 >= best.count { best = order[start...end] }
        }
        return best.sorted()
    }

    private static func metres(_ value: Double) -> String { "\((value * 100).rounded() / 100) m" }
}

extension SIMD3 where Scalar == Int32 {
    fileprivate init(_ v: SIMD3<Double>) { self.init(Int32(v.x), Int32(v.y), Int32(v.z)) }
}
