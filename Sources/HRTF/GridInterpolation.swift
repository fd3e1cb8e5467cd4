import CKernels
import Geometry
import Glibc
import Signal

/// Time-aligned responses of scattered directions, with the delays that were taken out.
struct ScatteredResponses: Sendable {
    var directions: [Direction<Head>]
    /// `[direction][ear][tap]`.
    var rows: [Float]
    var taps: Int
    /// `[direction][ear]`: onsets, samples.
    var onsets: [Double]
    /// Samples per second of rows and onsets.
    var sampleRate: Double
    /// A model of the onsets, seconds; only the rest is interpolated, so that sparse sets keep sensible delays.
    var model: Alignment
}

/// Responses on every point of a grid, from scattered ones.
///
/// Spherical splines of the time-aligned responses, whose magnitude above 1.2 kHz is then moved to the spline of the
/// log-magnitudes: averaging complex spectra that differ in phase loses level at high frequencies, up to 4 dB on the
/// far side of the head (Arend, Pörschmann, Weinzierl & Brinkmann, "Magnitude-corrected and time-aligned interpolation
/// of head-related transfer functions", IEEE/ACM TASLP 31 (2023), §II).
enum GridInterpolation {
    /// Between these frequencies in Hz the correction sets in.
    static let correction = (from: 800.0, to: 1600.0)
    /// Points of one ring that share a neighbourhood.
    static let patch = 3

    /// `[point][ear][tap]` and the onsets `[point][ear]` in samples.
    /// O(points · neighbours · (taps + bins)), in parallel; 710 directions of 128 taps to 10 450 points: 0.4 s.
    static func spread(_ source: ScatteredResponses, to grid: RingGrid) -> (responses: [Float], onsets: [Float]) {
        let taps = source.taps
        // Room for what the correction's symmetric filter rings before the onset; it wraps to the end and is cut.
        let transform = FourierTransform(minimumCount: max(128, taps + taps / 4))
        let n = transform.count
        let bins = n / 2 + 1
        let width = (2 * taps + 2 * bins + 15) / 16 * 16
        let count = source.directions.count
        let features = AlignedMemory.allocate(Float.self, count: count * width)
        features.initialize(repeating: 0, count: count * width)
        defer { features.deallocate() }
        fill(features, width: width, source, transform)

        let residuals = (0..<(2 * count)).map { row -> Double in
            let arrival = source.model.model(source.directions[row / 2])
            return source.onsets[row] - (row % 2 == 0 ? arrival.left : arrival.right) * source.sampleRate
        }
        let points = grid.directions(in: Head.self)
        let patches = patches(of: grid)
        let spline = SphericalSpline(source.directions)
        var responses = [Float](repeating: 0, count: points.count * 2 * taps)
        var onsets = [Float](repeating: 0, count: points.count * 2)
        let shares = (0..<bins).map { bin -> Double in
            let frequency = Double(bin) * source.sampleRate / Double(n)
            return max(0, min(1, (frequency - correction.from) / (correction.to - correction.from)))
        }
        responses.withUnsafeMutableBufferPointer { responses in
            onsets.withUnsafeMutableBufferPointer { onsets in
                let (responses, onsets) = (responses, onsets)
                inParallel(patches.count, chunk: max(1, patches.count / 64)) { range in
                    var corrector = MagnitudeCorrector(transform: transform, taps: taps, shares: shares)
                    let blended = AlignedMemory.allocate(Float.self, count: width)
                    defer { blended.deallocate() }
                    for patch in range {
                        let members = patches[patch]
                        let centre = points[(members.lowerBound + members.upperBound - 1) / 2].unit
                        let (indices, weights) = spline.weights(around: centre, for: points[members])
                        let rows: [UnsafePointer<Float>?] = indices.map { UnsafePointer(features + $0 * width) }
                        for (place, point) in members.enumerated() {
                            prk_blend(width, rows.count, rows, weights[place].map(Float.init), blended)
                            corrector.correct(blended)
                            for i in 0..<(2 * taps) { responses[point * 2 * taps + i] = blended[i] }
                            let arrival = source.model.model(points[point])
                            for ear in 0..<2 {
                                var sum = (ear == 0 ? arrival.left : arrival.right) * source.sampleRate
                                for (k, index) in indices.enumerated() {
                                    sum += weights[place][k] * residuals[2 * index + ear]
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

    /// Per direction: left taps, right taps, left log-magnitudes, right log-magnitudes.
    private static func fill(
        _ features: UnsafeMutablePointer<Float>, width: Int, _ source: ScatteredResponses, _ transform: FourierTransform
    ) {
        let (taps, n) = (source.taps, transform.count)
        let bins = n / 2 + 1
        let peak = source.rows.reduce(0) { max($0, abs($1)) }
        let floor = max(1e-12, Double(peak) * 1e-4)
        nonisolated(unsafe) let features = features
        inParallel(source.directions.count, chunk: max(1, source.directions.count / 16)) { range in
            var real = [Double](repeating: 0, count: n)
            var imaginary = real
            var ears = EarSpectra(binCount: bins)
            for index in range {
                let row = index * 2 * taps
                let target = features + index * width
                for i in 0..<n {
                    real[i] = i < taps ? Double(source.rows[row + i]) : 0
                    imaginary[i] = i < taps ? Double(source.rows[row + taps + i]) : 0
                }
                for i in 0..<(2 * taps) { target[i] = source.rows[row + i] }
                transform.forward(&real, &imaginary)
                ears.separate(real, imaginary)
                for ear in 0..<2 {
                    for bin in 0..<bins {
                        let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                        target[2 * taps + ear * bins + bin] = Float(0.5 * log(max(floor * floor, a * a + b * b)))
                    }
                }
            }
        }
    }
}

/// Moves the magnitudes of interpolated responses to interpolated log-magnitudes, phases kept. One per thread.
struct MagnitudeCorrector {
    private let transform: FourierTransform
    private let taps: Int
    /// Share of the correction per bin, 0…1.
    private let shares: [Double]
    private var real: [Double]
    private var imaginary: [Double]
    private var ears: EarSpectra

    init(transform: FourierTransform, taps: Int, shares: [Double]) {
        self.transform = transform
        self.taps = taps
        self.shares = shares
        real = [Double](repeating: 0, count: transform.count)
        imaginary = real
        ears = EarSpectra(binCount: transform.count / 2 + 1)
    }

    /// In place: `[left taps][right taps][left log-magnitudes][right log-magnitudes]`, of which the taps are rewritten.
    mutating func correct(_ row: UnsafeMutablePointer<Float>) {
        let n = transform.count
        let bins = n / 2 + 1
        for i in 0..<n {
            real[i] = i < taps ? Double(row[i]) : 0
            imaginary[i] = i < taps ? Double(row[taps + i]) : 0
        }
        transform.forward(&real, &imaginary)
        ears.separate(real, imaginary)
        for ear in 0..<2 {
            for bin in 0..<bins where shares[bin] > 0 {
                let (a, b) = (ears.real[ear][bin], ears.imaginary[ear][bin])
                let present = 0.5 * log(max(1e-30, a * a + b * b))
                // At most 20 dB: deeper holes in the average are left to be holes.
                let wanted = max(-2.3, min(2.3, Double(row[2 * taps + ear * bins + bin]) - present))
                let gain = exp(wanted * shares[bin])
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
