import Geometry
import Glibc
import HRTF
import Signal

/// What a head makes of sound from everywhere: the power at each ear and the coherence between them.
///
/// Both come from the loaded set itself: with H the responses, P = Σ w·|H|² and γ = Σ w·Re(H_L·H̄_R)/√(P_L·P_R), w
/// being solid angles that sum to 1. For two points in free air γ would be sin(kd)/(kd); the head of a set lowers it,
/// as the model of Borss & Martin, "An improved parametric model for perception-based design of virtual acoustics" (AES
/// 35th Conf., 2009), says in closed form.
struct HeadDiffuseField: Sendable {
    /// Hertz between bins.
    let binHz: Double
    /// Amplitude per ear and bin, the root of the power.
    let left: [Double], right: [Double]
    /// −1…1 per bin.
    let coherence: [Double]

    /// Of a field, over 655 directions; some 10 ms.
    init(_ field: FilterField) {
        let grid = RingGrid(stepDegrees: 8)
        let transform = FourierTransform(minimumCount: max(512, field.tapCount))
        let count = transform.count
        var powers = ([Double](repeating: 0, count: count / 2 + 1), [Double](repeating: 0, count: count / 2 + 1))
        var cross = [Double](repeating: 0, count: count / 2 + 1)
        for (direction, angle) in zip(grid.directions(in: Head.self), grid.solidAngles) {
            let (l, r) = field.responses(direction)
            var real = l.map(Double.init) + [Double](repeating: 0, count: count - l.count)
            var imaginary = r.map(Double.init) + [Double](repeating: 0, count: count - r.count)
            transform.forward(&real, &imaginary)
            let weight = angle / (4 * .pi)
            for k in 0...(count / 2) {
                let m = (count - k) & (count - 1)
                // Left and right spectra out of one transform of left + i·right.
                let (a, b) = ((real[k] + real[m]) / 2, (imaginary[k] - imaginary[m]) / 2)
                let (c, d) = ((imaginary[k] + imaginary[m]) / 2, (real[m] - real[k]) / 2)
                powers.0[k] += weight * (a * a + b * b)
                powers.1[k] += weight * (c * c + d * d)
                cross[k] += weight * (a * c + b * d)
            }
        }
        binHz = field.sampleRate.hertz / Double(count)
        coherence = cross.indices.map { k in
            let size = (powers.0[k] * powers.1[k]).squareRoot()
            return size > 1e-20 ? max(-1, min(1, cross[k] / size)) : 1
        }
        left = powers.0.map { $0.squareRoot() }
        right = powers.1.map { $0.squareRoot() }
    }

    /// Amplitudes of both ears and their coherence at a frequency in hertz, linear between bins.
    func at(_ frequency: Double) -> (left: Double, right: Double, coherence: Double) {
        let place = min(Double(left.count - 1) - 1e-9, max(0, frequency / binHz))
        let lower = Int(place)
        let t = place - Double(lower)
        func between(_ values: [Double]) -> Double { values[lower] + t * (values[lower + 1] - values[lower]) }
        return (between(left), between(right), between(coherence))
    }
}
