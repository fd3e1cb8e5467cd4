import Geometry
import Glibc
import HRTF
import Signal

/// Interpolates a response between two views far apart, 20° to 120°. The direct sound is shifted as a head turn shifts
/// it; the later sound is blended in short pieces (`ViewBlend`).
///
/// The direct sound of both views is cut out, time-aligned by correlation, blended, and placed at the arrival time for
/// the yaw in between. A linear interpolation of delays would be wrong: over 90° the delay at an ear deviates by 0.2 ms
/// from a straight line. The delays therefore follow a rigid sphere's (Woodworth; `RigidSphere.arrival`), and the
/// deviation of the measured delay from the sphere's is interpolated linearly. The power in each octave is interpolated
/// linearly. It is corrected by half the number of decibels by which the power of the loaded HRTF set, at the yaw in
/// between, differs from a linear interpolation. Without a loudspeaker direction delays and powers are interpolated
/// linearly.
struct WideBlend: Sendable {
    /// Widest gap between two views that is interpolated, radians; across a wider one the nearest view is held.
    static let widest = 120.01 * Double.pi / 180

    private let rest: ViewBlend
    private let field: FilterField
    private let transform: FourierTransform
    private let sampleRate: Double
    private let sphere = RigidSphere()

    /// Prepares blends for a head, at the rate of its filters.
    init(_ field: FilterField, rest: ViewBlend) {
        self.field = field
        self.rest = rest
        sampleRate = field.sampleRate.hertz
        transform = FourierTransform(minimumCount: Int(0.02 * sampleRate))
    }

    /// Returns the responses of both ears at `share` (0…1) of the way from view `a` to view `b`.
    ///
    /// - Parameters:
    ///   - a: responses of the first view, `[ear][sample]`; `b` has the same shape.
    ///   - looks: yaws of a, of b and of the result, radians.
    ///   - loudspeaker: direction of the loudspeaker for a head that faces the front; nil if unknown.
    func between(
        _ a: [[Float]], _ b: [[Float]], share: Double, gap: Double, looks: [Double], loudspeaker: Direction<Stage>?
    ) -> [[Float]] {
        let seen = loudspeaker.map { place in looks.map { Rotation<Head, Stage>(yaw: $0).inverse(place) } }
        return (0..<2).map { ear in
            let (first, second) = (onset(a[ear]), onset(b[ear]))
            var sum = rest.between(
                without(a[ear], direct: first), without(b[ear], direct: second), share: share, gap: gap)
            let arrivals = seen.map { $0.map { arrival($0, ear: ear) } } ?? [0, 0, 0]
            let origin = min(first, second) - transform.count / 4
            let direct = blend(
                segment(a[ear], onset: first, from: origin), segment(b[ear], onset: second, from: origin),
                share: share, arrivals: seen == nil ? nil : arrivals, levels: seen.map { levels($0, ear: ear) })
            for i in direct.indices where sum.indices.contains(i + origin) { sum[i + origin] += Float(direct[i]) }
            return sum
        }
    }

    /// Returns the first sample of a response that reaches a fifth of its peak.
    private func onset(_ row: [Float]) -> Int {
        let peak = row.reduce(0) { max($0, abs($1)) }
        return row.firstIndex { abs($0) >= 0.2 * peak } ?? 0
    }

    /// Returns the weight of a sample in the direct sound, which extends from 1 ms before the onset to 2.5 ms after it.
    private func weight(_ i: Int, onset: Int) -> Double {
        let milliseconds = Double(i - onset) / sampleRate * 1000
        let along = milliseconds < 0 ? (milliseconds + 1) / 0.5 : 2.5 - milliseconds
        return RaisedCosine.value(along)
    }

    private func without(_ row: [Float], direct onset: Int) -> [Float] {
        row.indices.map { row[$0] * Float(1 - weight($0, onset: onset)) }
    }

    private func segment(_ row: [Float], onset: Int, from origin: Int) -> [Double] {
        (0..<transform.count).map { i in
            let place = origin + i
            return row.indices.contains(place) ? Double(row[place]) * weight(place, onset: onset) : 0
        }
    }

    /// Returns the delay at an ear of a sphere relative to the sphere's centre, samples.
    private func arrival(_ direction: Direction<Head>, ear: Int) -> Double {
        let side = Direction<Head>(azimuthDegrees: ear == 0 ? 100 : -100, elevationDegrees: 0)
        return sphere.arrival(angle: direction.angle(to: side)) * sampleRate
    }

    /// Returns the power of the loaded head's responses per octave of bins, `[look][octave]`.
    private func levels(_ directions: [Direction<Head>], ear: Int) -> [[Double]] {
        directions.map { direction in
            let (left, right) = field.responses(direction)
            var real = (ear == 0 ? left : right).prefix(transform.count).map(Double.init)
            real += [Double](repeating: 0, count: transform.count - real.count)
            var imaginary = [Double](repeating: 0, count: transform.count)
            transform.forward(&real, &imaginary)
            var powers = [Double](repeating: 0, count: octaveCount)
            for k in 1...(transform.count / 2) {
                powers[PairSpectra.octave(k)] += real[k] * real[k] + imaginary[k] * imaginary[k]
            }
            return powers
        }
    }

    private func blend(
        _ a: [Double], _ b: [Double], share: Double, arrivals: [Double]?, levels: [[Double]]?
    ) -> [Double] {
        let n = transform.count
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        let spectra = PairSpectra(a, b, transform)
        // Delay of b relative to a: near the sphere's value, or without a direction within the range of any head.
        let model = arrivals.map { $0[1] - $0[0] } ?? 0
        let lag = spectra.lag(about: model, within: (arrivals == nil ? 0.0009 : 0.0003) * sampleRate)
        let bend = arrivals.map { $0[2] - $0[0] } ?? 0
        let later = bend + share * (lag - model)
        var powers = [SIMD2<Double>](repeating: .zero, count: octaveCount)
        for k in 0..<n {
            let (p, q) = spectra.delayed(k, (later, later - lag))
            let value = (1 - share) * p + share * q
            (real[k], imaginary[k]) = (value.x, value.y)
            let wanted = (1 - share) * (p * p).sum() + share * (q * q).sum()
            powers[PairSpectra.octave(min(k, n - k))] += SIMD2(wanted, (value * value).sum())
        }
        let gains = powers.indices.map { place -> Double in
            guard powers[place].y > 0 else { return 1 }
            var wanted = powers[place].x / powers[place].y
            if let levels {
                let line = (1 - share) * levels[0][place] + share * levels[1][place]
                if line > 0 { wanted *= (levels[2][place] / line).squareRoot() }
            }
            return max(0.3, min(3, wanted.squareRoot()))
        }
        for k in 0..<n {
            let gain = between(gains, at: log2(Double(max(1, min(k, n - k)))) - 0.5)
            real[k] *= gain
            imaginary[k] *= gain
        }
        transform.inverse(&real, &imaginary)
        return real
    }

    private var octaveCount: Int { transform.count.trailingZeroBitCount }

    private func between(_ values: [Double], at place: Double) -> Double {
        let lower = max(0, min(values.count - 2, Int(place.rounded(.down))))
        return values[lower] + max(0, min(1, place - Double(lower))) * (values[lower + 1] - values[lower])
    }
}
