import Glibc

/// Loudness of pink noise through a pair of responses, weighted as in broadcasting.
///
/// It is the energy of both ears under the K-weighting of ITU-R BS.1770-5 (its two filters at 48 kHz, annex 1, tables 1
/// and 2), summed from 20 Hz to 20 kHz (at most 0.45 of the rate) for a signal with equal power per octave. The noise
/// is steady, so no gating is applied.
package struct EarLoudness: Sendable {
    private let transform: FourierTransform
    /// Weight of each bin's power, 0…n/2.
    private let weights: [Double]

    /// Prepares for responses of at most `taps` samples at a rate in hertz.
    package init(taps: Int, sampleRate: Double) {
        transform = FourierTransform(minimumCount: max(16_384, taps))
        let binHz = sampleRate / Double(transform.count)
        let top = min(20_000, 0.45 * sampleRate)
        weights = (0...(transform.count / 2)).map { k in
            let frequency = Double(k) * binHz
            return frequency >= 20 && frequency <= top ? EarLoudness.power(at: frequency) / frequency : 0
        }
    }

    /// Returns the weighted energy of both ears. It can be compared only with results of the same `EarLoudness`.
    package func energy(left: [Float], right: [Float]) -> Double {
        let n = transform.count
        var real = left.map(Double.init) + [Double](repeating: 0, count: n - left.count)
        var imaginary = right.map(Double.init) + [Double](repeating: 0, count: n - right.count)
        transform.forward(&real, &imaginary)
        var sum = 0.0
        for k in weights.indices where weights[k] > 0 {
            let m = (n - k) & (n - 1)
            // |L|² + |R|² of left + i·right.
            let power =
                real[k] * real[k] + imaginary[k] * imaginary[k] + real[m] * real[m] + imaginary[m] * imaginary[m]
            sum += weights[k] * power / 2
        }
        return sum
    }

    /// Returns |K(f)|² of the shelf and the high pass in series.
    private static func power(at frequency: Double) -> Double {
        let angle = 2 * Double.pi * frequency / 48_000
        func squared(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
            let real = c0 + c1 * cos(angle) + c2 * cos(2 * angle)
            let imaginary = c1 * sin(angle) + c2 * sin(2 * angle)
            return real * real + imaginary * imaginary
        }
        return squared(1.53512485958697, -2.69169618940638, 1.19839281085285)
            / squared(1, -1.69065929318241, 0.73248077421585) * squared(1, -2, 1)
            / squared(1, -1.99004745483398, 0.99007225036621)
    }
}
