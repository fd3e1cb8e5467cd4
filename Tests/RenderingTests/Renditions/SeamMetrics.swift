import Foundation
import SeamMeasures

/// Artefacts that a seam leaves in a signal, dB.
///
/// Burst: the loudest 2 ms above 8 kHz within 30 ms of the seam over the 99.5th percentile elsewhere, both at least −90
/// dBFS. Bend: the largest second difference within 30 ms over the 99.9th percentile elsewhere. Dip: the level of the
/// 50 ms around the seam re that of 100…300 ms before and after.
struct SeamMetrics {
    var burst: Double
    var bend: Double
    var dip: Double

    init(_ x: [Float], at seam: Int, rate: Double = 48_000) {
        let near = Int(0.03 * rate)
        let high = HighPass.over8kHz(x, rate)
        let window = Int(0.002 * rate)
        var (inside, outside): ([Double], [Double]) = ([], [])
        for start in stride(from: 0, to: x.count - window, by: window) {
            let energy = high[start..<start + window].reduce(Double(window) * 1e-9) { $0 + $1 * $1 }
            if abs(start - seam) < near { inside.append(energy) } else { outside.append(energy) }
        }
        burst = 10 * log10((inside.max() ?? 0) / Self.percentile(outside, 0.995))
        (inside, outside) = ([], [])
        for i in 0..<x.count - 2 {
            let difference = abs(Double(x[i]) - 2 * Double(x[i + 1]) + Double(x[i + 2]))
            if abs(i - seam) < near { inside.append(difference) } else { outside.append(difference) }
        }
        bend = 20 * log10((inside.max() ?? 0) / Self.percentile(outside, 0.999))
        func power(_ from: Double, _ to: Double) -> Double {
            let range = (seam + Int(from * rate))..<(seam + Int(to * rate))
            return x[range].reduce(0) { $0 + Double($1) * Double($1) } / Double(range.count)
        }
        dip = 10 * log10(power(-0.025, 0.025) / (0.5 * (power(-0.3, -0.1) + power(0.1, 0.3))))
    }

    private static func percentile(_ values: [Double], _ share: Double) -> Double {
        values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
    }
}
