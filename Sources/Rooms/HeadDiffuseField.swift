import Geometry
import Glibc
import HRTF
import Signal

/// Diffuse-field response of a head: the power at each ear and the interaural coherence.
///
/// Both are computed from the loaded set: with H the responses, P = Σ w·|H|² and γ = Σ w·Re(H_L·H̄_R)/√(P_L·P_R), where
/// w are solid angles that sum to 1. For two points in free air at the distance d, γ would be sin(kd)/(kd) (k: wave
/// number); the head lowers γ. Borss & Martin, "An improved parametric model for perception-based design of virtual
/// acoustics" (AES 35th Conf., 2009), give a closed form of γ.
struct HeadDiffuseField: Sendable {
    /// Spacing of the bins, hertz.
    let binHz: Double
    /// Amplitude per ear and bin: the square root of the power.
    let left: [Double], right: [Double]
    /// Interaural coherence per bin, −1…1; 1 in bins without power.
    let coherence: [Double]

    /// Computes the diffuse field of a set from 686 directions; takes about 10 ms.
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
                // Separates the spectra of both ears from one transform of left + i·right.
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

    /// Returns the amplitudes of both ears and their coherence at a frequency in hertz, interpolated linearly between
    /// bins.
    func at(_ frequency: Double) -> (left: Double, right: Double, coherence: Double) {
        let place = min(Double(left.count - 1) - 1e-9, max(0, frequency / binHz))
        let lower = Int(place)
        let t = place - Double(lower)
        func between(_ values: [Double]) -> Double { values[lower] + t * (values[lower + 1] - values[lower]) }
        return (between(left), between(right), between(coherence))
    }
}
