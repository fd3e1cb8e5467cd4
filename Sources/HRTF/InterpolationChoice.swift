import CKernels
import Geometry
import Glibc
import Signal

/// The method that predicts a set's own directions best from the others, and how well.
///
/// Leave-one-out over at most `most` directions spread over the set: every candidate predicts the aligned responses and
/// the onsets of each; the smallest mean error over critical bands is taken, and that of the onsets is told.
struct InterpolationChoice: Sendable {
    /// What is chosen.
    var method: InterpolationMethod
    /// Mean error of critical bands at 0.5…16 kHz, dB, and of the interaural delay, µs; nil where there was nothing to
    /// choose by.
    var errors: (bands: Double, delay: Double)?

    /// Directions that are predicted.
    static let most = 96
    /// Sets with fewer directions than this play by the usual method.
    static let fewest = 16
    static let candidates: [InterpolationMethod.Weights] = [
        .spline(smoothing: 1e-6), .spline(smoothing: 1e-5), .spline(smoothing: 1e-4), .spline(smoothing: 1e-3),
        .triangle,
    ]
    /// Triangles are taken where they err by this factor less: between a grid's points their kinks are blurred.
    static let triangleGain = 0.9
    static let shares = [0, 0.25, 0.5, 0.75, 1]

    /// The choice in a sentence.
    var sentence: String {
        func rounded(_ value: Double, _ places: Double) -> Double { (value * places).rounded() / places }
        var text =
            "interpolated by \(method.weights), magnitudes corrected by "
            + "\(Int(method.magnitudeShare * 100)) %"
        if let errors {
            text +=
                ": left out, directions are predicted within \(rounded(errors.bands, 100)) dB and "
                + "\(rounded(errors.delay, 10)) µs in the mean"
        }
        return text
    }

    /// Chooses for a set. O(`most` · candidates · (neighbours³ + neighbours · (taps + bins))), in parallel; any thread.
    static func best(for source: ScatteredResponses) -> InterpolationChoice {
        let count = source.directions.count
        guard count >= fewest else { return InterpolationChoice(method: .usual) }
        let step = max(1, (count + most - 1) / most)
        let held = Array(stride(from: step / 2, to: count, by: step))
        let features = InterpolationFeatures(source)
        let spline = SphericalSpline(source.directions)
        let width = shares.count + 1
        var errors = [Double](repeating: 0, count: held.count * candidates.count * width)
        errors.withUnsafeMutableBufferPointer { errors in
            let errors = errors
            inParallel(held.count, chunk: 4) { range in
                var trial = Trial(source, features)
                for place in range {
                    for (kind, weights) in candidates.enumerated() {
                        let start = (place * candidates.count + kind) * width
                        let index = held[place]
                        let (indices, values) = spline.weights(
                            weights, around: source.directions[index].unit, for: source.directions[index...index],
                            leavingOut: index)[0]
                        for (k, share) in shares.enumerated() {
                            errors[start + k] = trial.distance(of: index, from: indices, values, share: share)
                        }
                        errors[start + shares.count] = features.delayError(of: index, from: indices, values)
                    }
                }
            }
        }
        func mean(_ kind: Int, _ k: Int) -> Double {
            held.indices.reduce(0) { $0 + errors[($1 * candidates.count + kind) * width + k] } / Double(held.count)
        }
        var method = InterpolationMethod.usual
        var (bands, delay) = (Double.infinity, 0.0)
        for (kind, weights) in candidates.enumerated() {
            let least = weights == .triangle ? triangleGain * bands : bands
            for (k, share) in shares.enumerated() where mean(kind, k) < min(least, bands) {
                (bands, delay) = (mean(kind, k), mean(kind, shares.count))
                method = InterpolationMethod(weights: weights, magnitudeShare: share)
            }
        }
        return InterpolationChoice(method: method, errors: (bands, delay / source.sampleRate * 1e6))
    }

    /// One thread's predictions.
    private struct Trial {
        let features: InterpolationFeatures
        let taps: Int
        var corrector: MagnitudeCorrector
        let bands: CriticalBands
        var real: [Double]
        var imaginary: [Double]
        var ears: EarSpectra
        var blended: [Float]
        var kept: [Float] = []

        init(_ source: ScatteredResponses, _ features: InterpolationFeatures) {
            self.features = features
            taps = source.taps
            corrector = MagnitudeCorrector(features, sampleRate: source.sampleRate)
            let n = features.transform.count
            bands = CriticalBands(
                from: 500, to: min(16_000, 0.45 * source.sampleRate), binHz: source.sampleRate / Double(n),
                binCount: n / 2 + 1)
            real = [Double](repeating: 0, count: n)
            imaginary = real
            ears = EarSpectra(binCount: n / 2 + 1)
            blended = [Float](repeating: 0, count: features.width)
        }

        /// Mean over the ears of the difference in critical bands between a direction and its prediction, dB.
        mutating func distance(of index: Int, from indices: [Int], _ weights: [Double], share: Double) -> Double {
            features.blend(indices, weights, to: &blended)
            corrector.share = share
            blended.withUnsafeMutableBufferPointer { row in
                guard let row = row.baseAddress else { return }
                corrector.correct(row)
            }
            let row = blended
            let predicted = row.withUnsafeBufferPointer { levels($0.baseAddress) }
            let truth = levels(UnsafePointer(features.rows + index * features.width))
            return (CriticalBands.distance(predicted[0], truth[0]) + CriticalBands.distance(predicted[1], truth[1])) / 2
        }

        private mutating func levels(_ row: UnsafePointer<Float>?) -> [[Double]] {
            guard let row else { return [] }
            for i in real.indices {
                real[i] = i < taps ? Double(row[i]) : 0
                imaginary[i] = i < taps ? Double(row[taps + i]) : 0
            }
            features.transform.forward(&real, &imaginary)
            ears.separate(real, imaginary)
            return [bands.decibels(ears, 0), bands.decibels(ears, 1)]
        }
    }
}
