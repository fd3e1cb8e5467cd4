import Glibc

/// Removes the slow level fluctuation from a band of noise, so that its decay is exponential.
///
/// The energy of a narrow band of noise wanders: an octave about 125 Hz that falls by 60 dB in a third of a second
/// holds a handful of independent values per 10 dB, and its decay curve strays by 3 dB and more from the line. Dividing
/// each ear by the root of its power, smoothed over some periods, keeps the band's sound; how alike the ears are is
/// brought right later (`TailCoherence`).
enum TailEnvelope {
    /// Periods of the band's centre that the power is smoothed over, and the least time, seconds.
    static let (periods, leastTime) = (4.0, 0.005)

    /// Evens out a row of one band about `centre` hertz. O(n).
    ///
    /// - Parameter power: mean square of the result.
    static func even(_ row: inout [Double], power: Double, centre: Double, sampleRate: Double) {
        let width = max(2, Int(max(periods / centre, leastTime) * sampleRate / 2))
        guard power > 0, row.count > 2 * width else { return }
        var smooth = row.map { $0 * $0 }
        // Twice a running mean, around the circle: a triangle in the middle of which the sample stands.
        for _ in 0..<2 { smooth = running(smooth, width: width) }
        for i in row.indices {
            row[i] *= (power / max(0.05 * power, smooth[(i + width - 1) % row.count])).squareRoot()
        }
    }

    /// Mean of each value and the `width` − 1 before it, around a circle.
    private static func running(_ values: [Double], width: Int) -> [Double] {
        let n = values.count
        var sum = (0..<width).reduce(0.0) { $0 + values[n - 1 - $1] }
        return values.indices.map { i in
            sum += values[i] - values[(i + n - width) % n]
            return max(0, sum) / Double(width)
        }
    }
}
