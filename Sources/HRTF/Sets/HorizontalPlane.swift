import Geometry
import Glibc
import SOFA

/// Stored responses of a set's horizontal plane, in order of azimuth.
package struct HorizontalPlane: Sendable {
    /// Azimuths in degrees, counter-clockwise from the front, −180…180, rising; 90 is left.
    package let azimuths: [Double]
    /// Largest elevation, upwards or downwards, at which a response counts as horizontal, degrees.
    package let tolerance: Double
    /// Distance of the sources, metres. If the set has several, it is the one with the most directions. Nil if unknown.
    package let distance: Double?
    /// Frequencies of `levels`, hertz.
    package let frequencies: [Double]
    /// Levels, dB relative to 1, `[ear][azimuth][frequency]`.
    package let levels: [[[Double]]]
    /// Arrival at the right ear minus arrival at the left, including delays, seconds, `[azimuth]`.
    package let interauralDelays: [Double]
    /// Time of each step of `energies`, seconds. Time 0 is 0.5 ms before the earliest onset.
    package let times: [Double]
    /// Energy over time, including delays, dB relative to the loudest sample of all, `[ear][azimuth][time]`.
    package let energies: [[[Double]]]

    /// Tolerances that are tried, degrees, the strictest first.
    private static let tolerances = [0.6, 1, 2.5, 5, 10, 15]
    /// Lower limit of `energies`, dB, and least length of their curves, seconds.
    private static let (floor, shortest) = (-60.0, 2.5e-3)
    /// Largest number of azimuths. If there are more, only azimuths more than 1.9° apart are kept.
    private static let mostAzimuths = 200
    /// Largest number of time steps.
    private static let timeSteps = 120

    /// Collects the horizontal plane of a set. Nil if fewer than three of its directions are within 15° of the plane.
    /// O(directions of the plane).
    package init?(_ set: FreeFieldHRIR) {
        let shell = MeasuredSet.shell(set.distances)
        var chosen: [Int] = []
        var used = 0.0
        for tolerance in HorizontalPlane.tolerances {
            let near = shell.filter { abs(set.directions[$0].elevation) * 180 / .pi <= tolerance }
            let found = HorizontalPlane.ordered(near, set)
            // The strictest tolerance without a gap of more than 20° is used, or else the one with the most azimuths.
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

    /// Returns the energy in time steps, from 0.5 ms before the earliest onset to the last sample above `floor`.
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

    /// Returns the directions by azimuth, each azimuth (to 0.1°) once. Of several directions the one nearest to the
    /// horizon is used.
    private static func ordered(_ near: [Int], _ set: FreeFieldHRIR) -> [Int] {
        var best: [Int: Int] = [:]
        for index in near {
            let key = Int((set.directions[index].azimuth * 1800 / .pi).rounded())
            // −180° and 180° are the same azimuth.
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
        // If there are more than `mostAzimuths`, directions too close to the last kept one are dropped.
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
