import Geometry
import Glibc
import Signal

/// Responses of the capsules of one microphone array, fitted to measurements around it.
///
/// In each frequency bin the pattern of each capsule is fitted to its measured responses. Before the fit, the phase
/// that results from the capsule's position is removed. A pattern consists of four complex numbers, which a small
/// number of directions does not determine. The fit is therefore regularised towards the capsule's nominal pattern
/// times one complex number (Tikhonov regularisation). One response then determines the capsule's level and phase. Many
/// responses also determine its axis and pattern. Farina, "A-format to B-format conversion" (2006), inverts measured
/// responses without a model. A model needs fewer responses and averages their noise.
package struct Calibration: Sendable {
    /// One measured direction.
    package struct Measurement: Sendable {
        /// Direction of the loudspeaker, in device axes.
        package var direction: Direction<Device>
        /// Impulse responses, `[capsule][sample]`. Distance and loudspeaker are the same for all directions.
        package var responses: [[Double]]

        /// Creates a measurement.
        package init(direction: Direction<Device>, responses: [[Double]]) {
            (self.direction, self.responses) = (direction, responses)
        }
    }

    /// Measured directions, at least one.
    package let measurements: [Measurement]
    /// Sample rate of the responses.
    package let sampleRate: SampleRate
    /// Name of the calibration in errors: the path of its file, if it has one.
    package let source: String
    /// Weight of the nominal pattern relative to the weight of all measured directions together.
    private static let trust = 0.005
    /// Lowest frequency that is fitted, Hz. Measurements in a room of usual size are unreliable below this frequency.
    /// Lower bins get the result of the lowest fitted bin.
    private static let lowest = 100.0

    /// Creates a calibration from measurements at a sample rate. `source`: name of the calibration in errors.
    package init(measurements: [Measurement], sampleRate: SampleRate, source: String = "calibration") {
        (self.measurements, self.sampleRate, self.source) = (measurements, sampleRate, source)
    }

    /// Returns the responses of an array after the fit to the measurements, for a transform of `length` samples at a
    /// sample rate.
    ///
    /// The mean level and the mean delay over all capsules and directions from 200 Hz to 2 kHz stay nominal. The
    /// measurement adds only the deviations from these means. Above 0.48 of the measurement's sample rate the patterns
    /// are nominal. Throws `calibrationDoesNotFit`.
    package func responses(
        of array: MicrophoneArray, length: Int, sampleRate: SampleRate
    ) throws(CaptureError) -> ArrayResponses {
        let capsules = array.capsules
        try check(capsules)
        var result = ArrayResponses(capsules, length: length, sampleRate: sampleRate)
        let nominal = result
        let spectra = measuredSpectra(at: (0..<result.binCount).map(result.frequency))
        let (delay, gain) = common(nominal, spectra)
        guard gain > 1e-6, gain.isFinite else {
            throw .calibrationDoesNotFit(
                source: source, reason: "its responses do not resemble the array's nominal responses")
        }
        let lowest = max(1, Int((Self.lowest * Double(length) / sampleRate.hertz).rounded(.up)))
        for bin in lowest..<result.binCount where result.frequency(bin) < 0.48 * self.sampleRate.hertz {
            for capsule in capsules.indices {
                fit(&result, nominal, spectra[bin], bin, capsule, delay: delay, gain: gain)
            }
        }
        for bin in 0..<min(lowest, result.binCount) {
            for capsule in capsules.indices {
                let (from, to) = (lowest * capsules.count + capsule, bin * capsules.count + capsule)
                (result.real[to], result.imaginary[to]) = (result.real[from], result.imaginary[from])
            }
        }
        return result
    }

    private func check(_ capsules: [Capsule]) throws(CaptureError) {
        guard !capsules.isEmpty else {
            throw .calibrationDoesNotFit(source: source, reason: "an encoded sound field has no capsules")
        }
        guard !measurements.isEmpty else { throw .calibrationDoesNotFit(source: source, reason: "it has no responses") }
        for (place, one) in measurements.enumerated() {
            guard one.responses.count == capsules.count else {
                throw .calibrationDoesNotFit(
                    source: source,
                    reason: "response \(place + 1) has \(one.responses.count) channels, the array \(capsules.count)")
            }
            for (capsule, samples) in one.responses.enumerated() where !samples.contains(where: { abs($0) > 1e-9 }) {
                throw .calibrationDoesNotFit(
                    source: source, reason: "in response \(place + 1) capsule \(capsules[capsule].name) is silent")
            }
        }
    }

    /// Returns the Fourier transforms of the responses at the given frequencies, Hz: `[bin][measurement][capsule]`,
    /// each with the real part first.
    private func measuredSpectra(at frequencies: [Double]) -> [[[SIMD2<Double>]]] {
        let origin = Double(loudest)
        return frequencies.map { frequency in
            let step = 2 * Double.pi * frequency / sampleRate.hertz
            let turn = SIMD2(cos(step), -sin(step))
            return measurements.map { one in
                one.responses.map { samples in
                    var (phase, sum) = (SIMD2(cos(step * origin), sin(step * origin)), SIMD2(0.0, 0.0))
                    for sample in samples {
                        sum += sample * phase
                        phase = phase.times(turn)
                    }
                    return sum
                }
            }
        }
    }

    /// Index of the sample with the most power over all responses. Phases are relative to this sample, so that they
    /// vary slowly with frequency.
    private var loudest: Int {
        var power = [Double](repeating: 0, count: measurements.flatMap(\.responses).map(\.count).max() ?? 0)
        for samples in measurements.flatMap(\.responses) {
            for (place, sample) in samples.enumerated() { power[place] += sample * sample }
        }
        return power.indices.max { power[$0] < power[$1] } ?? 0
    }

    /// Returns the common delay of the measured responses relative to the nominal ones, seconds, and their common gain,
    /// linear.
    private func common(_ nominal: ArrayResponses, _ spectra: [[[SIMD2<Double>]]]) -> (delay: Double, gain: Double) {
        // Σ measured·conj(nominal) over capsules and directions, for each bin. With a delay the phase of this sum falls
        // linearly with frequency.
        var sums: [(frequency: Double, value: SIMD2<Double>)] = []
        var power = 0.0
        for bin in 0..<nominal.binCount {
            let frequency = nominal.frequency(bin)
            guard frequency >= 200, frequency <= 2000 else { continue }
            var sum = SIMD2(0.0, 0.0)
            for (place, one) in measurements.enumerated() {
                for capsule in 0..<nominal.capsuleCount {
                    let value = nominal.response(bin, capsule: capsule, one.direction.unit)
                    sum += spectra[bin][place][capsule].times(SIMD2(value.real, -value.imaginary))
                    power += value.real * value.real + value.imaginary * value.imaginary
                }
            }
            sums.append((frequency, sum))
        }
        // First estimate of the delay from the mean phase step between bins, unambiguous up to half a turn per bin.
        var mean = SIMD2(0.0, 0.0)
        for (before, here) in zip(sums, sums.dropFirst()) {
            mean += here.value.times(SIMD2(before.value.x, -before.value.y))
        }
        let spacing = sums.count > 1 ? sums[1].frequency - sums[0].frequency : 1
        var delay = -atan2(mean.y, mean.x) / (2 * .pi * spacing)
        // The remaining phases are small. Their slope through zero is found by weighted least squares.
        var (top, bottom) = (0.0, 0.0)
        for (frequency, value) in sums {
            let turn = 2 * Double.pi * frequency
            let rest = value.times(SIMD2(cos(turn * delay), sin(turn * delay)))
            let weight = (rest * rest).sum().squareRoot()
            top += weight * turn * atan2(rest.y, rest.x)
            bottom += weight * turn * turn
        }
        if bottom > 0 { delay -= top / bottom }
        let total = sums.reduce(0) { sum, one in
            let turn = 2 * Double.pi * one.frequency * delay
            return sum + one.value.times(SIMD2(cos(turn), sin(turn))).x
        }
        return (delay, power > 0 ? total / power : 0)
    }

    /// Fits one capsule's pattern in one bin, and writes it to `result`.
    private func fit(
        _ result: inout ArrayResponses, _ nominal: ArrayResponses, _ spectra: [[SIMD2<Double>]], _ bin: Int,
        _ capsule: Int, delay: Double, gain: Double
    ) {
        let place = bin * nominal.capsuleCount + capsule
        let prior = nominal.real[place]
        let turn = 2 * .pi * nominal.frequency(bin)
        let k = turn / ArrayResponses.speedOfSound
        let data = measurements.indices.map { index -> SIMD2<Double> in
            let u = measurements[index].direction.unit
            let phase = turn * delay - k * (nominal.positions[capsule] * u).sum()
            return spectra[index][capsule].times(SIMD2(cos(phase), sin(phase))) / gain
        }
        let rows = measurements.map { SIMD4(1, $0.direction.unit) }
        // First the complex factor of the nominal pattern is fitted.
        var (match, norm) = (SIMD2(0.0, 0.0), 1e-12)
        for (row, value) in zip(rows, data) {
            let expected = (row * prior).sum()
            match += expected * value
            norm += expected * expected
        }
        let factor = match / norm
        // Then the residual is fitted, by ridge regression towards zero.
        let ridge = Self.trust * Double(rows.count)
        var matrix = [Double](repeating: 0, count: 16)
        var (right, across) = ([0.0, 0, 0, 0], [0.0, 0, 0, 0])
        for (row, value) in zip(rows, data) {
            let rest = value - (row * prior).sum() * factor
            for i in 0..<4 {
                right[i] += row[i] * rest.x
                across[i] += row[i] * rest.y
                for j in 0...i { matrix[4 * i + j] += row[i] * row[j] }
            }
        }
        for i in 0..<4 { matrix[5 * i] += ridge }
        let system = CholeskyFactor(lower: matrix, count: 4)
        let (a, b) = (system.solution(right), system.solution(across))
        result.real[place] = factor.x * prior + SIMD4(a[0], a[1], a[2], a[3])
        result.imaginary[place] = factor.y * prior + SIMD4(b[0], b[1], b[2], b[3])
    }
}

extension SIMD2<Double> {
    /// Returns the product of two complex numbers, each with the real part first.
    func times(_ other: SIMD2) -> SIMD2 {
        SIMD2(x * other.x - y * other.y, x * other.y + y * other.x)
    }
}
