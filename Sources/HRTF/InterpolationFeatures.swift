import CKernels
import Geometry
import Glibc
import Signal

/// What is interpolated of a set: per direction the aligned responses and their magnitudes, and the onsets beyond the
/// sphere's. Owns its memory, immutable after `init` (hence `@unchecked Sendable`).
final class InterpolationFeatures: @unchecked Sendable {
    /// Transforms of the responses, with room for what the correction's symmetric filter rings before the onset: it
    /// wraps to the end and is cut.
    let transform: FourierTransform
    let taps: Int
    /// Floats per direction: left taps, right taps, left magnitudes, right magnitudes, rest.
    let width: Int
    let rows: UnsafeMutablePointer<Float>
    /// `[direction][ear]`: onsets beyond the model's, samples.
    let residuals: [Double]

    /// O(directions · n log n), in parallel.
    init(_ source: ScatteredResponses) {
        let taps = source.taps
        let transform = FourierTransform(minimumCount: max(128, taps + taps / 4))
        let (n, bins) = (transform.count, transform.count / 2 + 1)
        let width = (2 * taps + 2 * bins + 15) / 16 * 16
        let count = source.directions.count
        let rows = AlignedMemory.allocate(Float.self, count: count * width)
        rows.initialize(repeating: 0, count: count * width)
        nonisolated(unsafe) let target = rows
        inParallel(count, chunk: max(1, count / 16)) { range in
            var real = [Double](repeating: 0, count: n)
            var imaginary = real
            var ears = EarSpectra(binCount: bins)
            for index in range {
                let row = index * 2 * taps
                let feature = target + index * width
                for i in 0..<n {
                    real[i] = i < taps ? Double(source.rows[row + i]) : 0
                    imaginary[i] = i < taps ? Double(source.rows[row + taps + i]) : 0
                }
                for i in 0..<(2 * taps) { feature[i] = source.rows[row + i] }
                transform.forward(&real, &imaginary)
                ears.separate(real, imaginary)
                for ear in 0..<2 {
                    for bin in 0..<bins {
                        let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                        feature[2 * taps + ear * bins + bin] = Float((a * a + b * b).squareRoot())
                    }
                }
            }
        }
        residuals = (0..<(2 * count)).map { row -> Double in
            let arrival = source.model.model(source.directions[row / 2])
            return source.onsets[row] - (row % 2 == 0 ? arrival.left : arrival.right) * source.sampleRate
        }
        self.transform = transform
        self.taps = taps
        self.width = width
        self.rows = rows
    }

    deinit { rows.deallocate() }

    /// The weighted sum of some directions' features, `width` floats.
    func blend(_ indices: [Int], _ weights: [Double], to result: UnsafeMutablePointer<Float>) {
        let sources: [UnsafePointer<Float>?] = indices.map { UnsafePointer(rows + $0 * width) }
        prk_blend(width, sources.count, sources, weights.map(Float.init), result)
    }

    /// By how much the interaural delay of a direction differs from what others give, samples.
    func delayError(of index: Int, from indices: [Int], _ weights: [Double]) -> Double {
        var difference = residuals[2 * index] - residuals[2 * index + 1]
        for (place, other) in indices.enumerated() {
            difference -= weights[place] * (residuals[2 * other] - residuals[2 * other + 1])
        }
        return abs(difference)
    }
}
