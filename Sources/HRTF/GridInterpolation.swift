import Geometry
import Glibc
import Signal

/// Responses on every point of a grid, from scattered ones.
///
/// Weighted sums of the time-aligned responses, whose magnitude above 1.2 kHz is then moved towards the weighted sum of
/// the magnitudes: averaging complex spectra that differ in phase loses level at high frequencies, up to 4 dB on the far
/// side of the head (Arend, Pörschmann, Weinzierl & Brinkmann, "Magnitude-corrected and time-aligned interpolation of
/// head-related transfer functions", IEEE/ACM TASLP 31 (2023), §II; there log-magnitudes are averaged: amplitudes came out
/// 3…5 % better on four sets).
enum GridInterpolation {
    /// Between these frequencies in Hz the correction sets in.
    static let correction = (from: 800.0, to: 1600.0)
    /// Points of one ring that share a neighbourhood.
    static let patch = 3

    /// `[point][ear][tap]` and the onsets `[point][ear]` in samples.
    /// O(points · neighbours · (taps + bins)), in parallel.
    static func spread(
        _ source: ScatteredResponses, to grid: RingGrid, _ method: InterpolationMethod
    ) -> (responses: [Float], onsets: [Float]) {
        let taps = source.taps
        let features = InterpolationFeatures(source)
        let points = grid.directions(in: Head.self)
        let patches = patches(of: grid)
        let spline = SphericalSpline(source.directions)
        let completion = Completion(source.directions, spline)
        var responses = [Float](repeating: 0, count: points.count * 2 * taps)
        var onsets = [Float](repeating: 0, count: points.count * 2)
        responses.withUnsafeMutableBufferPointer { responses in
            onsets.withUnsafeMutableBufferPointer { onsets in
                let (responses, onsets) = (responses, onsets)
                inParallel(patches.count, chunk: max(1, patches.count / 64)) { range in
                    var corrector = MagnitudeCorrector(features, sampleRate: source.sampleRate)
                    corrector.share = method.magnitudeShare
                    let blended = AlignedMemory.allocate(Float.self, count: features.width)
                    defer { blended.deallocate() }
                    for patch in range {
                        let members = patches[patch]
                        let centre = points[(members.lowerBound + members.upperBound - 1) / 2].unit
                        let weights = completion.complete(
                            spline.weights(method.weights, around: centre, for: points[members]), at: points[members],
                            method)
                        for (place, point) in members.enumerated() {
                            features.blend(weights[place].indices, weights[place].weights, to: blended)
                            corrector.correct(blended)
                            for i in 0..<(2 * taps) { responses[point * 2 * taps + i] = blended[i] }
                            let arrival = source.model.model(points[point])
                            for ear in 0..<2 {
                                var sum = (ear == 0 ? arrival.left : arrival.right) * source.sampleRate
                                for (k, index) in weights[place].indices.enumerated() {
                                    sum += weights[place].weights[k] * features.residuals[2 * index + ear]
                                }
                                onsets[2 * point + ear] = Float(sum)
                            }
                        }
                    }
                }
            }
        }
        return (responses, onsets)
    }

    /// Runs of neighbouring points on one ring.
    private static func patches(of grid: RingGrid) -> [Range<Int>] {
        (0..<grid.ringCount).flatMap { ring in
            stride(from: 0, to: grid.counts[ring], by: patch).map { start in
                let first = grid.first[ring]
                return (first + start)..<(first + min(grid.counts[ring], start + patch))
            }
        }
    }
}

/// Moves the magnitudes of interpolated responses towards interpolated magnitudes, phases kept. One per thread.
struct MagnitudeCorrector {
    /// How far, 0…1, in dB.
    var share = 1.0

    private let transform: FourierTransform
    private let taps: Int
    /// Where the correction acts: per bin, 0…1.
    private let extent: [Double]
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra

    init(_ features: InterpolationFeatures, sampleRate: Double) {
        transform = features.transform
        taps = features.taps
        let (n, range) = (features.transform.count, GridInterpolation.correction)
        extent = (0...(n / 2)).map { bin in
            let frequency = Double(bin) * sampleRate / Double(n)
            return max(0, min(1, (frequency - range.from) / (range.to - range.from)))
        }
        real = [Double](repeating: 0, count: n)
        imaginary = real
        ears = EarSpectra(binCount: n / 2 + 1)
    }

    /// In place: `[left taps][right taps][left magnitudes][right magnitudes]`, of which the taps are rewritten.
    mutating func correct(_ row: UnsafeMutablePointer<Float>) {
        guard share > 0 else { return }
        let n = transform.count
        let bins = n / 2 + 1
        for i in 0..<n {
            real[i] = i < taps ? Double(row[i]) : 0
            imaginary[i] = i < taps ? Double(row[taps + i]) : 0
        }
        transform.forward(&real, &imaginary)
        ears.separate(real, imaginary)
        for ear in 0..<2 {
            for bin in 0..<bins where extent[bin] > 0 {
                let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                let present = 0.5 * log(max(1e-30, a * a + b * b))
                let wanted = Double(row[2 * taps + ear * bins + bin])
                // Splines of magnitudes undershoot 0 in rare bins; at most 20 dB: deeper holes in the average are left.
                guard wanted > 0 else { continue }
                let change = max(-2.3, min(2.3, log(wanted) - present))
                let gain = exp(change * share * extent[bin])
                ears.real[ear][bin] = a * gain
                ears.imaginary[ear][bin] = b * gain
            }
        }
        ears.combine(&real, &imaginary)
        transform.inverse(&real, &imaginary)
        for i in 0..<taps {
            row[i] = Float(real[i])
            row[taps + i] = Float(imaginary[i])
        }
    }
}
