import Geometry
import Glibc
import SOFA

/// The responses of a set's horizontal plane as they are stored, in order of azimuth.
package struct HorizontalPlane: Sendable {
    /// Degrees counter-clockwise from the front, −180…180, rising; 90 is left.
    package let azimuths: [Double]
    /// How far from the horizon responses may come and be counted to it, degrees.
    package let tolerance: Double
    /// Metres: of several distances the one with the most directions; nil where they are not known.
    package let distance: Double?
    /// Where levels are given, hertz.
    package let frequencies: [Double]
    /// dB re 1, `[ear][azimuth][frequency]`.
    package let levels: [[[Double]]]
    /// Seconds by which the right ear hears later than the left, delays included, `[azimuth]`.
    package let interauralDelays: [Double]
    /// Seconds from the first sample kept to each step of `energies`.
    package let times: [Double]
    /// Energy over time, dB below the loudest of all, `[ear][azimuth][time]`, delays included.
    package let energies: [[[Double]]]

    /// How far from the horizon is still near it, degrees, from the strictest on.
    private static let tolerances = [0.6, 1, 2.5, 5, 10, 15]
    /// The least energy that is told apart, dB, and how long curves are, seconds at least.
    private static let (floor, shortest) = (-60.0, 2.5e-3)
    /// Directions at most; of more, those that are 2° apart.
    private static let mostAzimuths = 200
    /// Steps of time at most.
    private static let timeSteps = 120

    /// Of a set; nil where fewer than three of its directions are within 15° of the horizon.
    /// O(directions of the plane).
    package init?(_ set: FreeFieldHRIR) {
        let shell = MeasuredSet.shell(set.distances)
        var chosen: [Int] = []
        var used = 0.0
        for tolerance in HorizontalPlane.tolerances {
            let near = shell.filter { abs(set.directions[$0].elevation) * 180 / .pi <= tolerance }
            let found = HorizontalPlane.ordered(near, set)
            // The strictest that leaves no gap of more than 20° is enough; else the one with the most directions.
            guard found.count > chosen.count else { continue }
            (chosen, used) = (found, tolerance)
            if HorizontalPlane.largestGap(found.map { set.directions[$0].azimuth }) <= 20.01 * .pi / 180 { break }
        }
        guard chosen.count >= 3 else { return nil }
        tolerance = used
        let metres = set.distances[shell[0]]
        distance = metres > 0 ? metres : nil
        azimuths = chosen.map { set.directions[$0].azimuth * 180 / .pi }
        var curves = ResponseCurves(sampleRate: set.sampleRate, sampleCount: set.sampleCount)
        frequencies = curves.frequencies
        let pairs = chosen.map { curves.look(at: set.response($0, receiver: 0), set.response($0, receiver: 1)) }
        levels = (0..<2).map { ear in pairs.map { $0.levels[ear] } }
        interauralDelays = zip(chosen, pairs).map { index, pair in
            (pair.onsets[1] + set.delays[2 * index + 1] - pair.onsets[0] - set.delays[2 * index]) / set.sampleRate
        }
        let delays = chosen.map { [set.delays[2 * $0], set.delays[2 * $0 + 1]] }
        (times, energies) = HorizontalPlane.energyOverTime(pairs, delays, set.sampleRate)
    }

    /// Energy in steps of time from the earliest onset, half a millisecond before it, to where all has died away.
    private static func energyOverTime(
        _ pairs: [ResponseCurves.Pair], _ delays: [[Double]], _ rate: Double
    ) -> ([Double], [[[Double]]]) {
        let loudest = pairs.flatMap { $0.energies.compactMap { $0.max() } }.max() ?? 1
        let least = loudest * pow(10, floor / 10)
        var (start, end) = (Double.infinity, 0.0)
        for (pair, delay) in zip(pairs, delays) {
            for ear in 0..<2 {
                let heard = pair.energies[ear].indices.filter { pair.energies[ear][$0] > least }
                guard let last = heard.last else { continue }
                start = min(start, pair.onsets[ear] + delay[ear] - 5e-4 * rate)
                end = max(end, Double(last) + delay[ear])
            }
        }
        start = min(start, end).rounded(.down)
        let length = max(shortest * rate, end - start + 1)
        let step = max(1, (length / Double(timeSteps)).rounded(.up))
        let count = Int((length / step).rounded(.up))
        let energies = (0..<2).map { ear in
            zip(pairs, delays).map { pair, delay in
                var peaks = [Double](repeating: 0, count: count)
                for (n, value) in pair.energies[ear].enumerated() {
                    let place = Int(((Double(n) + delay[ear] - start) / step).rounded(.down))
                    if peaks.indices.contains(place) { peaks[place] = max(peaks[place], value) }
                }
                return peaks.map { max(floor, 10 * log10(max($0, 1e-30) / loudest)) }
            }
        }
        return ((0..<count).map { Double($0) * step / rate }, energies)
    }

    /// By azimuth, no azimuth twice: of several the one nearest to the horizon.
    private static func ordered(_ near: [Int], _ set: FreeFieldHRIR) -> [Int] {
        var best: [Int: Int] = [:]
        for index in near {
            let key = Int((set.directions[index].azimuth * 1800 / .pi).rounded())
            // −180° and 180° are one.
            let place = key == -1800 ? 1800 : key
            if let other = best[place],
                abs(set.directions[other].elevation) <= abs(set.directions[index].elevation)
            {
                continue
            }
            best[place] = index
        }
        let all = best.values.sorted { set.directions[$0].azimuth < set.directions[$1].azimuth }
        guard all.count > HorizontalPlane.mostAzimuths else { return all }
        // Of more than can be told apart, those that are far enough from the last.
        var kept: [Int] = []
        for index in all {
            let apart = kept.last.map { set.directions[index].azimuth - set.directions[$0].azimuth } ?? .infinity
            if apart > 1.9 * .pi / 180 { kept.append(index) }
        }
        return kept
    }

    private static func largestGap(_ azimuths: [Double]) -> Double {
        guard let first = azimuths.first else { return 2 * .pi }
        return zip(azimuths, azimuths.dropFirst() + [first + 2 * .pi]).map { $1 - $0 }.max() ?? 2 * .pi
    }
}
