import Geometry
import Glibc
import SOFA

/// A file's responses in the form for processing: one distance, each direction once, the left ear first.
struct MeasuredSet: Sendable {
    /// Sample rate, hertz.
    let sampleRate: Double
    /// Number of samples in each response.
    let sampleCount: Int
    /// Directions relative to the head. Their unit vectors differ when rounded to 1e-4.
    let directions: [Direction<Head>]
    /// Mean distance of the sources, metres; 0 if unknown.
    let distance: Double
    /// Responses `[direction][ear][sample]`.
    let responses: [Float]
    /// Delays to be added, samples, `[direction][ear]`.
    let delays: [Double]
    /// Whether the responses are sums of spherical harmonics at the points of a grid, not measurements.
    let isEvaluated: Bool
    /// Measurements that were omitted, and other changes; one sentence each.
    private(set) var remarks: [String]

    /// Longest response that is accepted as free-field, seconds. Responses of rooms are longer.
    static let longestSeconds = 0.1

    /// Largest number of directions: the densest known set has 41 527.
    static let mostDirections = 1 << 16
    /// Largest plausible delay between the ears, seconds: about twice that of the largest head (radius 15 cm: 1.1 ms).
    static let largestInterauralDelay = 0.002
    /// Largest plausible difference between the delays of two directions, seconds: 7 m of path, although all sources
    /// have the same distance.
    static let largestDelaySpread = 0.02

    /// Selects the measurements at the most common distance, or at the distance nearest to `wanted` metres. Of
    /// measurements with equal directions the first is used.
    ///
    /// - Throws: `implausible` if responses are too long, if delays are implausible, if there are too many directions,
    ///   or if most directions have several different responses.
    init(_ file: FreeFieldHRIR, distance wanted: Double? = nil) throws(HRTFError) {
        let seconds = Double(file.sampleCount) / file.sampleRate
        guard seconds <= MeasuredSet.longestSeconds else {
            throw .implausible(
                path: file.path,
                reason: "its responses last \(Int(seconds * 1000)) ms, longer than a free-field response can "
                    + "(\(Int(MeasuredSet.longestSeconds * 1000)) ms): it holds a room, to be played with --room; choose a free-field set"
            )
        }
        var remarks = file.remarks
        let shell = wanted.map { MeasuredSet.shell(file.distances, nearest: $0) } ?? MeasuredSet.shell(file.distances)
        if shell.count < file.measurementCount {
            remarks.append(
                "\(file.measurementCount - shell.count) measurements at other distances were left out: those near "
                    + "\(MeasuredSet.metres(file.distances[shell[0]])) are used")
        }
        let repeated = RepeatedDirections(file, of: shell)
        let kept = repeated.first
        guard 2 * repeated.contradicted <= kept.count else {
            throw .implausible(path: file.path, reason: MeasuredSet.contradiction(repeated, of: shell.count))
        }
        if repeated.count > 0 {
            remarks.append("\(repeated.count) repeated directions were left out")
        }
        guard kept.count <= MeasuredSet.mostDirections else {
            throw .implausible(
                path: file.path,
                reason:
                    "it has \(kept.count) directions, more than the \(MeasuredSet.mostDirections) that can be prepared; "
                    + "leave some out")
        }
        try MeasuredSet.checkDelays(file, kept)
        let set = kept.count == file.measurementCount ? file : file.keeping(kept)
        sampleRate = set.sampleRate
        sampleCount = set.sampleCount
        directions = set.directions
        distance = set.distances.reduce(0, +) / Double(set.distances.count)
        responses = set.responses
        delays = set.delays
        isEvaluated = set.isEvaluated
        self.remarks = remarks
    }

    private init(
        sampleRate: Double, sampleCount: Int, directions: [Direction<Head>], distance: Double, responses: [Float],
        delays: [Double], isEvaluated: Bool, remarks: [String]
    ) {
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.directions = directions
        self.distance = distance
        self.responses = responses
        self.delays = delays
        self.isEvaluated = isEvaluated
        self.remarks = remarks
    }

    /// Returns the reason for refusing a set in which most directions have several different responses.
    private static func contradiction(_ repeated: RepeatedDirections, of measurements: Int) -> String {
        let directions = repeated.first.count == 1 ? "direction" : "different directions"
        return "its \(measurements) measurements have only \(repeated.first.count) \(directions), and in "
            + "\(repeated.contradicted) of these the responses differ: it is not one head measured in many "
            + "directions, but for instance the decoder filters of an ambisonic renderer, one for each channel; choose "
            + "a set with one response for each direction"
    }

    /// Throws if Data.Delay is implausible for a head. A delay common to all directions is permitted, because it is
    /// removed.
    private static func checkDelays(_ file: FreeFieldHRIR, _ kept: [Int]) throws(HRTFError) {
        func refusal(_ what: String, _ seconds: Double, _ most: Double) -> HRTFError {
            .implausible(
                path: file.path,
                reason: "its Data.Delay differs \(what) by \((seconds * 1e4).rounded() / 10) ms, more than at any head "
                    + "(\(most * 1000) ms at most); is it in other units than samples? Use another file")
        }
        var (earliest, latest) = (Double.infinity, -Double.infinity)
        var (widest, place) = (0.0, 0)
        for index in kept {
            let (left, right) = (file.delays[2 * index], file.delays[2 * index + 1])
            let apart = abs(left - right) / file.sampleRate
            if apart > widest { (widest, place) = (apart, index) }
            earliest = min(earliest, left, right)
            latest = max(latest, left, right)
        }
        guard widest <= largestInterauralDelay else {
            throw refusal("between the ears in measurement \(place)", widest, largestInterauralDelay)
        }
        let spread = (latest - earliest) / file.sampleRate
        guard spread <= largestDelaySpread else {
            throw refusal("between two directions", spread, largestDelaySpread)
        }
    }

    /// Returns the set with exchanged ears.
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
            isEvaluated: isEvaluated,
            remarks: remarks + [
                "sounds from the left reach receiver 1 first: the ears are stored in the wrong order and were exchanged"
            ])
    }

    /// Returns the indices of the measurements at the most common distance (within 5 %); all of them if no distance is
    /// known.
    static func shell(_ distances: [Double]) -> [Int] {
        let order = distances.indices.sorted { distances[$0] < distances[$1] }
        var best: ArraySlice<Int> = []
        var start = 0
        for end in order.indices {
            while distances[order[end]] > 1.05 * distances[order[start]] + 0.001 { start += 1 }
            // If two distances are equally common, the farther one is used.
            if end - start + 1 >= best.count { best = order[start...end] }
        }
        return best.sorted()
    }

    /// Returns the indices of the measurements at the distance nearest to `wanted` metres, by ratio. Only distances
    /// with at least a quarter as many measurements as the most common one are considered.
    private static func shell(_ distances: [Double], nearest wanted: Double) -> [Int] {
        var shells: [[Int]] = []
        for index in distances.indices.sorted(by: { distances[$0] < distances[$1] }) {
            if let first = shells.last?.first, distances[index] <= 1.05 * distances[first] + 0.001 {
                shells[shells.count - 1].append(index)
            } else {
                shells.append([index])
            }
        }
        let most = shells.map(\.count).max() ?? 0
        func farness(_ shell: [Int]) -> Double { abs(log(max(1e-3, distances[shell[shell.count / 2]]) / wanted)) }
        let many = shells.filter { 4 * $0.count >= most }
        return (many.min { farness($0) < farness($1) } ?? []).sorted()
    }

    private static func metres(_ value: Double) -> String { "\((value * 100).rounded() / 100) m" }
}
