import Glibc
import HRTF
import Signal

/// An exponential sweep: a sine whose frequency rises by the same factor in equal times.
///
/// Deconvolution yields a separate response for each harmonic of the playback chain, before the linear response
/// (Farina, AES 108 (2000) and AES 122 (2007)). The lowest frequency times the time constant is a whole number. The
/// harmonics of the sweep are then copies of the sweep, shifted in time (Novak, Lotton & Simon, JAES 63 (2015), eq.
/// 12).
package struct ExponentialSweep: Sendable {
    /// Samples, ±1 at most.
    package let samples: [Float]
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// Time in which the frequency rises by a factor of e, seconds.
    package let timeConstant: Double
    /// Frequencies between which the sweep has its full level, hertz.
    package let band: ClosedRange<Double>

    /// Accepted durations, seconds.
    package static let durations = 0.1...60.0

    /// Makes a sweep. The level rises during the first half octave, and falls during the last 24th of an octave.
    ///
    /// - Parameters:
    ///   - low: first frequency, hertz, ≥ 1.
    ///   - high: last frequency, hertz, at least four times `low`, at most half the sample rate; nil: 0.49 of the
    ///     sample rate.
    ///   - seconds: duration, 0.1…60. It is rounded to a multiple of ln(high/low) / low s, but not to 0.
    ///   - amplitude: peak, above 0, up to 1.
    /// - Throws: `impossible` for numbers outside these ranges.
    package init(
        low: Double = 15, high: Double? = nil, seconds: Double, sampleRate: SampleRate, amplitude: Double = 1
    ) throws(SweepError) {
        let rate = sampleRate.hertz
        let high = high ?? 0.49 * rate
        guard low >= 1, high <= 0.5 * rate, high >= 4 * low else {
            throw .impossible(
                "a sweep from \(low) to \(high) Hz cannot be made at \(rate) Hz: it needs two octaves below half the rate"
            )
        }
        guard ExponentialSweep.durations.contains(seconds), amplitude > 0, amplitude <= 1 else {
            throw .impossible("a sweep lasts 0.1 to 60 s, not \(seconds) s, at an amplitude above 0 and up to 1")
        }
        let span = log(high / low)
        let constant = max(1, (low * seconds / span).rounded()) / low
        let count = Int((constant * span * rate).rounded())
        let rise = constant * log(2) / 2 * rate
        let fall = constant * log(2) / 24 * rate
        samples = (0..<count).map { i in
            let phase = 2 * .pi * low * constant * (exp(Double(i) / rate / constant) - 1)
            let edge = RaisedCosine.value(Double(i) / rise) * RaisedCosine.value(Double(count - 1 - i) / fall)
            return Float(amplitude * edge * sin(phase))
        }
        self.sampleRate = rate
        timeConstant = constant
        band = (low * 2.0.squareRoot())...(high / pow(2, 1.0 / 24))
    }

    /// Recognises an exponential sweep in a test signal, for example one of another program.
    ///
    /// The power of such a sweep is inversely proportional to frequency. The band of the result is the longest range in
    /// which power times frequency is within 6 dB of the upper tercile of its values.
    ///
    /// - Throws: `notASweep` for a duration outside 0.1…60 s, samples that are not finite, a band of less than two
    ///   octaves, or a frequency that does not rise by the same factor in equal times.
    package init(samples: [Float], sampleRate: SampleRate, name: String) throws(SweepError) {
        let rate = sampleRate.hertz
        guard ExponentialSweep.durations.contains(Double(samples.count) / rate),
            samples.allSatisfy({ abs($0) < 1e6 })
        else { throw .notASweep("\(name): a sweep lasts 0.1 to 60 s and holds finite samples") }
        let transform = FourierTransform(minimumCount: samples.count)
        var real = samples.map(Double.init) + [Double](repeating: 0, count: transform.count - samples.count)
        var imaginary = [Double](repeating: 0, count: transform.count)
        transform.forward(&real, &imaginary)
        let step = rate / Double(transform.count)
        // Power times frequency in sixths of an octave, from 2 Hz on.
        let steps = Int(6 * log2(rate / 2 / 2))
        let levels = (0..<steps).map { place -> Double in
            let low = 2 * pow(2, Double(place) / 6)
            let bins = max(1, Int(low / step))...max(1, min(transform.count / 2, Int(low * pow(2, 1.0 / 6) / step)))
            let sum = bins.reduce(0.0) { sum, bin in
                sum + (real[bin] * real[bin] + imaginary[bin] * imaginary[bin]) * Double(bin) * step
            }
            return sum / Double(bins.count)
        }
        let level = levels.sorted()[steps * 2 / 3]
        let within = levels.map { level > 0 && $0 > level / 4 && $0 < level * 4 }
        var longest = 0..<0
        var start = 0
        for place in within.indices {
            if !within[place] { start = place + 1 }
            if place + 1 - start > longest.count { longest = start..<(place + 1) }
        }
        let peak = Double(samples.reduce(0) { max($0, abs($1)) })
        guard longest.count >= 12 else {
            throw .notASweep(
                "\(name): is no exponential sweep: its power does not fall by 3 dB per octave; name the signal "
                    + "that was played")
        }
        guard peak > 0, let constant = Self.timeConstant(of: samples, rate: rate) else {
            throw .notASweep(
                "\(name): is no exponential sweep: its frequency does not rise by the same factor in equal times; name "
                    + "the signal that was played")
        }
        self.samples = samples
        self.sampleRate = rate
        timeConstant = constant
        let low = 2 * pow(2, Double(longest.lowerBound) / 6)
        band = low...max(low, min(0.5 * rate, 2 * pow(2, Double(longest.upperBound) / 6)))
    }

    /// Returns the time constant, seconds, from the frequencies after 40, 60 and 80 % of the duration. Returns nil if
    /// the frequency does not rise by the same factor from each to the next, within 5 % of the time constant.
    private static func timeConstant(of samples: [Float], rate: Double) -> Double? {
        /// Returns the frequency, hertz, from the zero crossings in a twentieth of the duration that begins at `share`
        /// of the duration. Returns nil for ten zero crossings or fewer.
        func frequency(at share: Double) -> Double? {
            let first = Int(share * Double(samples.count))
            let range = first..<min(samples.count - 1, first + samples.count / 20)
            let crossings = range.filter { (samples[$0] < 0) != (samples[$0 + 1] < 0) }.map { place in
                Double(place) + Double(samples[place] / (samples[place] - samples[place + 1]))
            }
            guard let start = crossings.first, let end = crossings.last, crossings.count > 10 else { return nil }
            return Double(crossings.count - 1) / 2 / (end - start) * rate
        }
        guard let low = frequency(at: 0.4), let middle = frequency(at: 0.6), let high = frequency(at: 0.8),
            high > middle, middle > low
        else { return nil }
        let seconds = 0.2 * Double(samples.count) / rate
        let (first, second) = (seconds / log(middle / low), seconds / log(high / middle))
        guard abs(first / second - 1) < 0.05 else { return nil }
        return 2 * seconds / log(high / low)
    }

    /// Duration, seconds.
    package var seconds: Double { Double(samples.count) / sampleRate }

    /// Returns how much earlier than the linear response the response of a harmonic appears, seconds: L·ln k for the
    /// harmonic k.
    package func advance(ofHarmonic order: Int) -> Double { timeConstant * log(Double(order)) }
}
