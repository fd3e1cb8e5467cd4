import Glibc
import HRTF

/// How much the responses of headphones differ between fits (each time they are put on).
package struct FitSpread: Codable, Hashable, Sendable {
    /// Standard deviation of the levels in sixths of an octave from 100 Hz to 8 kHz, mean over bands and ears, dB.
    package let middle: Double
    /// The same from 8 to 16 kHz, dB; nil at rates without such bands.
    package let high: Double?

    /// Returns the spread of responses `[fit][ear][sample]`; nil for fewer than two fits. O(n log n) per response.
    static func decibels(_ responses: [[[Float]]], sampleRate: Double) -> FitSpread? {
        guard responses.count > 1 else { return nil }
        let transform = FourierTransform(minimumCount: max(8192, responses[0][0].count))
        let step = sampleRate / Double(transform.count)
        let centres = (0...44).map { 100 * pow(2, Double($0) / 6) }.filter { $0 * pow(2, 1.0 / 12) < sampleRate / 2 }
        func levels(_ row: [Float]) -> [Double] {
            var real = row.map(Double.init) + [Double](repeating: 0, count: transform.count - row.count)
            var imaginary = [Double](repeating: 0, count: transform.count)
            transform.forward(&real, &imaginary)
            return centres.map { centre in
                let first = max(1, Int(centre * pow(2, -1.0 / 12) / step))
                let bins = first...max(first, Int(centre * pow(2, 1.0 / 12) / step))
                let power = bins.reduce(1e-30) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
                return 10 * log10(power / Double(bins.count))
            }
        }
        let found = responses.map { $0.map(levels) }
        func spread(_ isWanted: (Double) -> Bool) -> Double? {
            var deviations: [Double] = []
            for place in centres.indices where isWanted(centres[place]) {
                for ear in 0..<2 {
                    let values = found.map { $0[ear][place] }
                    let mean = values.reduce(0, +) / Double(values.count)
                    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
                    deviations.append((squares / Double(values.count - 1)).squareRoot())
                }
            }
            return deviations.isEmpty ? nil : deviations.reduce(0, +) / Double(deviations.count)
        }
        return FitSpread(middle: spread { $0 <= 8000 } ?? 0, high: spread { $0 > 8000 && $0 <= 16_000 })
    }
}
