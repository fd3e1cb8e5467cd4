import Glibc
import Signal

/// The end of a room's decay in a measured response, where noise takes over, by the iteration of Lundeby, Vigran,
/// Bietz & Vorländer, "Uncertainties of measurements in room acoustics", Acustica 81 (1995), §3.2.
package struct DecayWindow: Hashable, Sendable {
    /// Sample at which the extrapolated decay meets the noise.
    package let crossing: Int
    /// Level of the noise relative to the first 10 ms from the response's peak on, dB.
    package let noise: Double
    /// Time in which the level of the fitted decay falls by 60 dB, seconds.
    package let decayTime: Double

    /// Finds the end of the decay. O(n).
    ///
    /// - Parameters:
    ///   - response: begins at the direct sound or before it, and extends far into the noise.
    ///   - sampleRate: hertz.
    /// - Returns: nil if the first 10 ms from the peak on are not more than 15 dB above the noise, if no more than 0.1
    ///   s follow the peak, or if the level does not fall.
    package init?(_ response: [Double], sampleRate: Double) {
        let peak = response.indices.max { abs(response[$0]) < abs(response[$1]) } ?? 0
        let tail = response.count - peak
        guard tail > Int(0.1 * sampleRate), response[peak] != 0 else { return nil }
        // Running sums of the energy: the energy of a range is the difference of two sums.
        var sums = [0.0]
        sums.reserveCapacity(response.count + 1)
        for sample in response { sums.append(sums[sums.count - 1] + sample * sample) }
        func mean(_ from: Int, _ to: Int) -> Double {
            let range = max(0, min(response.count - 1, from))..<max(1, min(response.count, to))
            return range.isEmpty ? 0 : (sums[range.upperBound] - sums[range.lowerBound]) / Double(range.count)
        }
        func decibels(_ power: Double) -> Double { 10 * log10(max(1e-30, power)) }
        /// Returns the line level = offset + slope·time (dB; time in samples after the peak), fitted to the intervals
        /// with a level between `high` and `low`. Returns nil for fewer than two intervals, or if the line does not
        /// fall.
        func line(interval: Int, from high: Double, to low: Double) -> (offset: Double, slope: Double)? {
            var points: [(Double, Double)] = []
            var start = peak
            while start + interval <= response.count {
                let level = decibels(mean(start, start + interval))
                if level < low { break }
                if level <= high || points.isEmpty {
                    points.append((Double(start - peak) + Double(interval) / 2, level))
                }
                start += interval
            }
            guard points.count >= 2 else { return nil }
            let count = Double(points.count)
            let (x, y) = (points.reduce(0) { $0 + $1.0 } / count, points.reduce(0) { $0 + $1.1 } / count)
            let products = points.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) }
            let squares = points.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }
            let slope = products / squares
            // A fall of less than 1e-6 dB over the response comes from rounding errors.
            return slope * Double(tail) < -1e-6 ? (y - slope * x, slope) : nil
        }
        // Steps 1–3 of the paper: intervals of 10 ms. The noise is the mean of the last tenth. The line is fitted from
        // the peak down to 8 dB above the noise.
        let first = Int(0.01 * sampleRate)
        let top = decibels(mean(peak, peak + first))
        var floor = decibels(mean(response.count - tail / 10, response.count))
        guard top - floor > 15, var fit = line(interval: first, from: top, to: floor + 8) else { return nil }
        var crossing = (floor - fit.offset) / fit.slope
        for _ in 0..<6 {
            // Step 5: five intervals per 10 dB of decay.
            let interval = max(Int(0.002 * sampleRate), Int(-10 / fit.slope / 5))
            // Step 7: the noise is the mean from the point at which the decay is 8 dB below the crossing, and over at
            // least the last tenth.
            let quiet = peak + Int(max(0, min(Double(tail), crossing - 8 / fit.slope)))
            floor = decibels(mean(min(quiet, response.count - tail / 10), response.count))
            // Step 8: the late slope is fitted between 8 and 28 dB above the noise.
            guard let late = line(interval: interval, from: min(top, floor + 28), to: floor + 8) else { break }
            let next = (floor - late.offset) / late.slope
            let isSettled = abs(next - crossing) < 0.001 * sampleRate
            (crossing, fit) = (next, late)
            if isSettled { break }
        }
        self.crossing = min(response.count, peak + Int(max(1, min(Double(tail), crossing))))
        noise = floor - top
        decayTime = -60 / fit.slope / sampleRate
    }
}
