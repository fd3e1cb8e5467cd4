import Convolution
import Glibc
import HRTF

/// Difference between the clocks of the recording and the playing device, found from the two pilots of a take, which
/// are short sweeps at its start and its end.
///
/// Both pilots come from one loudspeaker, so their responses differ only by a delay. The delay is found at the largest
/// correlation of the two responses, to a fraction of a sample.
struct ClockDrift {
    /// Frequency of the recording clock relative to the playing clock, less one, in millionths.
    let partsPerMillion: Double
    /// Change of the time between the ears, left less right, from the first pilot to the last, seconds.
    let interauralChange: Double

    /// Finds the difference in a recording whose frame 0 is the first of the plan. Nil if the plan has no pilots, if a
    /// pilot is outside the recording, or if the correlation of the pilots' responses is at most 0.5 at an ear.
    init?(_ plan: TakePlan, left: [Float], right: [Float]) {
        guard let pilots = plan.pilots else { return nil }
        let rate = plan.sweep.sampleRate
        let pilot = Pilot(sampleRate: rate)
        // A pilot's sound may arrive late by up to the pause before the next sweep.
        let length = pilot.samples.count + Int(TakePlan.pause * rate)
        let inverse = SweepInverse(pilot, sampleRate: rate, frames: length)
        func heard(_ start: Int) -> (left: [Double], right: [Double])? {
            guard start >= 0, start + length <= left.count else { return nil }
            return inverse.deconvolved(Array(left[start..<(start + length)]), Array(right[start..<(start + length)]))
        }
        guard let first = heard(pilots.first), let last = heard(pilots.last) else { return nil }
        let ears = [(first.left, last.left), (first.right, last.right)]
        let delays = ears.map { Self.delay($0.0, $0.1, inverse.transform) }
        guard delays.allSatisfy({ $0.likeness > 0.5 }) else { return nil }
        // Each ear's delay is weighted with its energy.
        let energies = ears.map { $0.0.reduce(0) { $0 + $1 * $1 } }
        let total = energies[0] + energies[1]
        let delay = (energies[0] * delays[0].frames + energies[1] * delays[1].frames) / total
        partsPerMillion = delay / Double(pilots.last - pilots.first) * 1e6
        interauralChange = (delays[0].frames - delays[1].frames) / rate
    }

    /// Returns the delay of `b` after `a` (both circular), frames, and the normalised correlation at this delay.
    private static func delay(
        _ a: [Double], _ b: [Double], _ transform: FourierTransform
    ) -> (frames: Double, likeness: Double) {
        let n = transform.count
        var (real, imaginary) = (a, b)
        transform.forward(&real, &imaginary)
        var (crossReal, crossImaginary) = (real, imaginary)
        for k in 0..<n {
            let m = (n - k) % n
            // Spectra of a and b, from the transform of a + ib.
            let p: SIMD2<Double> = SIMD2(real[k] + real[m], imaginary[k] - imaginary[m]) / 2
            let q: SIMD2<Double> = SIMD2(imaginary[k] + imaginary[m], real[m] - real[k]) / 2
            (crossReal[k], crossImaginary[k]) = (p.x * q.x + p.y * q.y, p.x * q.y - p.y * q.x)
        }
        let (spectrumReal, spectrumImaginary) = (crossReal, crossImaginary)
        transform.inverse(&crossReal, &crossImaginary)
        let peak = crossReal.indices.max { crossReal[$0] < crossReal[$1] } ?? 0
        let energies = (a.reduce(0) { $0 + $1 * $1 }, b.reduce(0) { $0 + $1 * $1 })
        let size = (energies.0 * energies.1).squareRoot()
        guard size > 0 else { return (0, 0) }
        // The slope of the cross-spectrum's phase, weighted by power, refines the delay. The result is exact if `b` is
        // a delayed `a`.
        var delay = Double(peak <= n / 2 ? peak : peak - n)
        for _ in 0..<3 {
            var (slope, weight) = (0.0, 0.0)
            for k in 1..<(n / 2) {
                let angle = 2 * .pi * Double(k) * delay / Double(n)
                let (c, s) = (cos(angle), sin(angle))
                let x = spectrumReal[k] * c - spectrumImaginary[k] * s
                let y = spectrumReal[k] * s + spectrumImaginary[k] * c
                slope += Double(k) * y
                weight += Double(k) * Double(k) * max(0, x)
            }
            guard weight > 0 else { break }
            delay -= slope / weight * Double(n) / (2 * .pi)
        }
        return (delay, crossReal[peak] / size)
    }

    /// Returns both ears' recordings, resampled to the playing clock; unchanged if the clocks differ by at most 0.05
    /// millionths. Throws `recording` if they cannot be resampled.
    func removed(
        from left: [Float], _ right: [Float], sampleRate: Double
    ) throws(SweepError) -> (left: [Float], right: [Float]) {
        guard abs(partsPerMillion) > 0.05 else { return (left, right) }
        do throws(SampleRateConverter.Failure) {
            let rows = try SampleRateConverter.convert(
                left + right, count: 2, inputRate: sampleRate * (1 + partsPerMillion * 1e-6), outputRate: sampleRate)
            return (Array(rows[..<(rows.count / 2)]), Array(rows[(rows.count / 2)...]))
        } catch {
            throw .recording("the clocks' difference of \(partsPerMillion) ppm cannot be removed: \(error.reason)")
        }
    }
}
