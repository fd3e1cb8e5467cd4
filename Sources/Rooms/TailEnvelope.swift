import Glibc

/// Removes the slow level fluctuation from a band of noise, so that its decay is exponential.
///
/// The energy of a narrow band of noise fluctuates. An octave at 125 Hz that falls by 60 dB in a third of a second has
/// a handful of independent values per 10 dB; its decay curve deviates by 3 dB and more from a straight line. Each
/// ear's signal is divided by the square root of its power. The power is smoothed over some periods, so that the sound
/// of the band does not change. `TailCoherence` corrects the interaural coherence later.
enum TailEnvelope {
    /// Smoothing time of the power: number of periods of the band's centre, and lower limit in seconds.
    static let (periods, leastTime) = (4.0, 0.005)

    /// Removes the fluctuation from a row of one band at `centre` hertz. A row shorter than the window stays unchanged.
    /// Cost: O(n).
    ///
    /// - Parameter power: mean square of the result.
    static func even(_ row: inout [Double], power: Double, centre: Double, sampleRate: Double) {
        let width = max(2, Int(max(periods / centre, leastTime) * sampleRate / 2))
        guard power > 0, row.count > 2 * width else { return }
        var smooth = row.map { $0 * $0 }
        // Two circular running means form a triangular window, centred on the sample.
        for _ in 0..<2 { smooth = running(smooth, width: width) }
        for i in row.indices {
            row[i] *= (power / max(0.05 * power, smooth[(i + width - 1) % row.count])).squareRoot()
        }
    }

    /// Returns the mean of each value and the `width` − 1 values before it, circularly.
    private static func running(_ values: [Double], width: Int) -> [Double] {
        let n = values.count
        var sum = (0..<width).reduce(0.0) { $0 + values[n - 1 - $1] }
        return values.indices.map { i in
            sum += values[i] - values[(i + n - width) % n]
            return max(0, sum) / Double(width)
        }
    }
}
