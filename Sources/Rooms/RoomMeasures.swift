import Glibc
import HRTF

/// Measures of a room response: decay, reverberation time, interaural coherence; broadband or in octaves.
///
/// Pure functions; not for the audio thread.
package enum RoomMeasures {
    /// Returns the response in one octave of `OctaveBands.centres`, without phase shift: half the power at the octave's
    /// edges, none beyond the neighbouring centres.
    package static func octave(_ band: Int, of response: [Float], sampleRate: Double) -> [Double] {
        let transform = FourierTransform(minimumCount: response.count + Int(sampleRate / 10))
        let n = transform.count
        var real = response.map(Double.init) + [Double](repeating: 0, count: n - response.count)
        var imaginary = [Double](repeating: 0, count: n)
        transform.forward(&real, &imaginary)
        for k in 0..<n {
            let frequency = Double(k <= n / 2 ? k : n - k) * sampleRate / Double(n)
            let weight = OctaveBands.octaveWeight(band, at: frequency)
            real[k] *= weight
            imaginary[k] *= weight
        }
        transform.inverse(&real, &imaginary)
        return Array(real.prefix(response.count))
    }

    /// Returns the energy decay curve: at each sample the remaining energy, dB relative to the whole (Schroeder 1965;
    /// ISO 3382-1, §5.3.3). −∞ after the last non-zero sample.
    package static func energyDecay(_ response: [Double]) -> [Double] {
        var curve = [Double](repeating: 0, count: response.count)
        var sum = 0.0
        for i in response.indices.reversed() {
            sum += response[i] * response[i]
            curve[i] = sum
        }
        return curve.map { 10 * log10($0 / max(1e-300, sum)) }
    }

    /// Returns the reverberation time T30 in seconds: 60 dB over the slope of the decay curve between −5 and −35 dB, by
    /// least squares (ISO 3382-1, §3.4). Nil if the curve does not fall to −35 dB, or falls there in one step.
    package static func reverberationTime(_ decay: [Double], sampleRate: Double) -> Double? {
        guard let first = decay.firstIndex(where: { $0 <= -5 }), let last = decay.firstIndex(where: { $0 <= -35 }),
            last > first + 1
        else { return nil }
        let count = Double(last - first + 1)
        let (middle, mean) = (Double(last - first) / 2, decay[first...last].reduce(0, +) / count)
        var (products, squares) = (0.0, 0.0)
        for i in first...last {
            let x = Double(i - first) - middle
            products += x * (decay[i] - mean)
            squares += x * x
        }
        let slope = products / squares * sampleRate
        return slope < 0 ? -60 / slope : nil
    }

    /// Returns the interaural cross-correlation coefficient: the largest magnitude of the normalised correlation
    /// between the ears at lags within ±1 ms (ISO 3382-1, annex B); 0…1, and 0 if an ear is silent.
    package static func interauralCoherence(left: [Double], right: [Double], sampleRate: Double) -> Double {
        let count = min(left.count, right.count)
        let energies = (left.reduce(0) { $0 + $1 * $1 }, right.reduce(0) { $0 + $1 * $1 })
        guard count > 0, energies.0 > 0, energies.1 > 0 else { return 0 }
        let reach = Int((sampleRate / 1000).rounded())
        var largest = 0.0
        for lag in -reach...reach {
            var sum = 0.0
            for i in max(0, -lag)..<max(max(0, -lag), min(count, count - lag)) { sum += left[i] * right[i + lag] }
            largest = max(largest, abs(sum))
        }
        return largest / (energies.0 * energies.1).squareRoot()
    }

    /// Returns the ratio of the energy in the first `seconds` after the onset to the later energy, dB (ISO 3382-1's C80
    /// for 0.08 s). Nil if the later energy is at most −120 dB relative to the earlier energy, the rounding error of
    /// transforms.
    package static func clarity(_ response: [Double], within seconds: Double, sampleRate: Double) -> Double? {
        let peak = response.reduce(0) { max($0, abs($1)) }
        let onset = response.firstIndex { abs($0) >= 0.1 * peak } ?? 0
        let split = min(response.count, onset + Int(seconds * sampleRate))
        let early = response[..<split].reduce(0) { $0 + $1 * $1 }
        let late = response[split...].reduce(0) { $0 + $1 * $1 }
        return late > 1e-12 * early ? 10 * log10(early / late) : nil
    }

    /// Returns the normalised echo density at a time in seconds: the share of samples beyond the standard deviation,
    /// under a Hann window of 20 ms centred at this time, relative to the share in Gaussian noise, erfc(1/√2) (Abel &
    /// Huang, "A simple, robust measure of reverberation echo density", AES 121 (2006), eq. 4). It is near 0 for single
    /// echoes, about 1 for a mixed field, and 0 in silence.
    package static func echoDensity(_ response: [Float], at seconds: Double, sampleRate: Double) -> Double {
        let (middle, half) = (Int(seconds * sampleRate), Int(0.01 * sampleRate))
        let first = min(response.count, max(0, middle - half))
        let samples = response[first..<max(first, min(response.count, middle + half + 1))]
        let weights = samples.indices.map { 0.5 + 0.5 * cos(.pi * Double($0 - middle) / Double(half)) }
        let sum = weights.reduce(0, +)
        let power = zip(samples, weights).reduce(0.0) { $0 + $1.1 * Double($1.0 * $1.0) } / max(1e-30, sum)
        guard power > 0 else { return 0 }
        let beyond = zip(samples, weights).reduce(0.0) { $0 + (Double($1.0 * $1.0) > power ? $1.1 : 0) }
        return beyond / sum / erfc(0.5.squareRoot())
    }
}
