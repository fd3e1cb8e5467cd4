import CKernels
import Geometry
import Glibc
import Signal

/// Data of a set that are interpolated: for each direction and ear the aligned response, its magnitudes and the onset.
///
/// The object owns its memory, and is immutable after `init`.
final class InterpolationFeatures: Sendable {
    /// Transform of the responses. The transform is longer than a response. Ringing of the magnitude correction before
    /// sample 0 wraps to the end of the transform, where it is removed.
    let transform: FourierTransform
    let taps: Int
    /// Number of bins of a spectrum, 0…n/2.
    let bins: Int
    /// Responses `[2·direction + ear][tap]` and magnitudes `[2·direction + ear][bin]`; the strides are in floats.
    private let responses: ConstantMemory<Float>
    private let magnitudes: ConstantMemory<Float>
    private let responseStride: Int
    private let magnitudeStride: Int
    /// Onsets, and arrivals at the sphere of the model, samples, `[direction][ear]`.
    private let onsets: [Double]
    private let arrivals: [Double]

    /// Transforms the responses. O(directions · n log n), in parallel.
    init(_ source: ScatteredResponses) {
        let taps = source.taps
        let transform = FourierTransform(minimumCount: max(128, taps + taps / 4))
        let (n, bins) = (transform.count, transform.count / 2 + 1)
        let (responseStride, magnitudeStride) = ((taps + 15) / 16 * 16, (bins + 15) / 16 * 16)
        let count = source.directions.count
        let responses = AlignedMemory.allocate(Float.self, count: 2 * count * responseStride)
        let magnitudes = AlignedMemory.allocate(Float.self, count: 2 * count * magnitudeStride)
        responses.initialize(repeating: 0, count: 2 * count * responseStride)
        magnitudes.initialize(repeating: 0, count: 2 * count * magnitudeStride)
        nonisolated(unsafe) let (responseTarget, magnitudeTarget) = (responses, magnitudes)
        inParallel(count, chunk: max(1, count / 16)) { range in
            var real = [Double](repeating: 0, count: n)
            var imaginary = real
            var ears = EarSpectra(binCount: bins)
            for index in range {
                let row = index * 2 * taps
                for i in 0..<n {
                    real[i] = i < taps ? Double(source.rows[row + i]) : 0
                    imaginary[i] = i < taps ? Double(source.rows[row + taps + i]) : 0
                }
                transform.forward(&real, &imaginary)
                ears.separate(real, imaginary)
                for ear in 0..<2 {
                    let response = responseTarget + (2 * index + ear) * responseStride
                    for i in 0..<taps { response[i] = source.rows[row + ear * taps + i] }
                    let magnitude = magnitudeTarget + (2 * index + ear) * magnitudeStride
                    for bin in 0..<bins {
                        let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                        magnitude[bin] = Float((a * a + b * b).squareRoot())
                    }
                }
            }
        }
        onsets = source.onsets
        arrivals = source.directions.flatMap { direction -> [Double] in
            let arrival = source.model.model(direction)
            return [arrival.left * source.sampleRate, arrival.right * source.sampleRate]
        }
        self.transform = transform
        self.taps = taps
        self.bins = bins
        self.responses = ConstantMemory(responses)
        self.magnitudes = ConstantMemory(magnitudes)
        self.responseStride = responseStride
        self.magnitudeStride = magnitudeStride
    }

    deinit {
        responses.deallocate()
        magnitudes.deallocate()
    }

    /// Returns the `bins` magnitudes of a direction at an ear. Valid while this object exists.
    func magnitudes(_ direction: Int, ear: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: magnitudes.base + (2 * direction + ear) * magnitudeStride, count: bins)
    }

    /// Writes the weighted sums of responses, `[ear][tap]`.
    func blendResponses(_ weights: RowWeights, to result: UnsafeMutablePointer<Float>) {
        blend(weights, of: responses, stride: responseStride, count: taps, to: result)
    }

    /// Writes the weighted sums of magnitudes, `[ear][bin]`.
    func blendMagnitudes(_ weights: RowWeights, to result: UnsafeMutablePointer<Float>) {
        blend(weights, of: magnitudes, stride: magnitudeStride, count: bins, to: result)
    }

    private func blend(
        _ weights: RowWeights, of features: ConstantMemory<Float>, stride: Int, count: Int,
        to result: UnsafeMutablePointer<Float>
    ) {
        let factors = weights.weights.map(Float.init)
        for ear in 0..<2 {
            let sources: [UnsafePointer<Float>?] = weights.rows.map { features.base + ($0 ^ ear) * stride }
            prk_blend(count, sources.count, sources, factors, result + ear * count)
        }
    }

    /// Returns the onset at an ear, samples. `arrival`: arrival at the sphere from the same direction, samples.
    func onset(_ weights: RowWeights, ear: Int, arrival: Double) -> Double {
        var sum = 0.0
        for (place, row) in weights.rows.enumerated() {
            sum += weights.weights[place] * onsets[row ^ ear]
            sum += weights.drifts[place] * (arrival - arrivals[row ^ ear])
        }
        return sum
    }

    /// Returns the absolute error, samples, of a direction's interaural delay if the delay is interpolated by weights.
    func delayError(of direction: Int, from weights: RowWeights) -> Double {
        let errors = (0..<2).map { ear in
            let row = 2 * direction + ear
            return onsets[row] - onset(weights, ear: ear, arrival: arrivals[row])
        }
        return abs(errors[0] - errors[1])
    }
}
