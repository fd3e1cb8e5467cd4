import Glibc
import HRTF
import Signal

/// Design of the filter that inverts the measured responses of a pair of headphones.
///
/// The mean power over refits is smoothed over sixths of an octave (half an octave at high frequencies, where refits
/// differ most), inverted and limited, after Z. Schärer and A. Lindau, "Evaluation of equalization methods for binaural
/// signals" (AES 126, 2009) and A. Lindau and F. Brinkmann, "Perceptual evaluation of headphone compensation in
/// binaural synthesis based on non-individual recordings" (JAES 60, 2012). Peaks in the response of headphones are more
/// audible than notches. Notches are filled only partly, because they move with each refit, and full boosts would then
/// ring.
package enum HeadphoneInverse {
    /// Largest boost, dB relative to the mean of 300 Hz to 3 kHz.
    package static let mostBoost = 10.0
    /// Largest cut, dB.
    private static let mostCut = 20.0
    /// Depth of a dip, dB below the mean of the octave around it, up to which it is filled, at low and at high
    /// frequencies.
    private static let filledDip = (low: 12.0, high: 2.0)
    /// Ranges in which the filter fades in and out, hertz.
    private static let fades = (low: (30.0, 50.0), high: (16_000.0, 18_000.0))

    /// Measured responses of headphones.
    package struct Measurement: Sendable {
        /// Responses `[refit][ear][sample]`: two ears in each refit, all of equal length.
        package let responses: [[[Float]]]
        /// Sample rate, hertz.
        package let sampleRate: Double

        /// Creates a measurement of one pair of headphones, which was put on again for each refit.
        package init(_ responses: [[[Float]]], sampleRate: Double) {
            self.responses = responses
            self.sampleRate = sampleRate
        }
    }

    /// Returns the mean power over refits, `[ear][bin]`, bins 0…n/2.
    private static func powers(
        _ measurement: Measurement, _ transform: FourierTransform, name: String
    ) throws(HeadphonesError) -> [[Double]] {
        var powers = [[Double]](repeating: [Double](repeating: 0, count: transform.count / 2 + 1), count: 2)
        for (refit, ears) in measurement.responses.enumerated() {
            for ear in 0..<2 {
                guard ears[ear].allSatisfy({ abs($0) < 1e6 }) else {
                    throw .implausible(name, "refit \(refit + 1) holds samples that are no finite numbers")
                }
                let power = HeadphoneImpulse.powers(of: ears[ear], transform)
                guard power.contains(where: { $0 > 1e-20 }) else {
                    throw .implausible(name, "refit \(refit + 1) is silent at ear \(ear + 1)")
                }
                for bin in power.indices { powers[ear][bin] += power[bin] / Double(measurement.responses.count) }
            }
        }
        return powers
    }

    /// Returns the inverse of headphones as an equaliser with gains of at most 0 dB. Takes about 10 ms per refit.
    ///
    /// - Throws: `implausible` if there are no responses, if a refit does not have those of two ears, if responses
    ///   differ in length or are longer than `HeadphoneImpulse.mostSamples`, or if one is silent or has a sample that
    ///   is not finite or reaches 10⁶.
    package static func equaliser(
        _ measurement: Measurement, name: String
    ) throws(HeadphonesError) -> HeadphoneEqualiser {
        let count = measurement.responses.first?.first?.count ?? 0
        guard count > 0, count <= HeadphoneImpulse.mostSamples,
            measurement.responses.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.count == count } })
        else {
            throw .implausible(name, "expected responses of two ears, all of the same length, at most 131072 samples")
        }
        let transform = FourierTransform(minimumCount: max(32_768, 2 * count))
        let step = measurement.sampleRate / Double(transform.count)
        let powers = try powers(measurement, transform, name: name)
        let top = min(20_000, 0.45 * measurement.sampleRate)
        let steps = Int(48 * log2(top / 10))
        let places = (0...steps).map { 10 * pow(top / 10, Double($0) / Double(steps)) }
        let middle = places.filter { (300...3000).contains($0) }
        let levels = powers.map { power in
            let smoothed = SmoothedPower(power, step: step)
            return middle.reduce(0) { $0 + smoothed.decibels(at: $1, octaves: 1.0 / 6) } / Double(middle.count)
        }
        let level = (levels[0] + levels[1]) / 2
        let gains = powers.map { Self.gains($0, step: step, at: places, level: level) }
        let peak = gains.joined().max() ?? 0
        var remarks = [
            "the mean of \(measurement.responses.count) \(measurement.responses.count == 1 ? "measurement" : "refits") is "
                + "inverted from 50 Hz to 16 kHz, boosted by \(tenths(peak)) dB at most, and turned down by as much"
        ]
        if measurement.responses.count == 1 {
            remarks.append("one fit of the headphones says little about the next fit")
        }
        if abs(levels[0] - levels[1]) > 3 {
            remarks.append(
                "the ears differ by \(tenths(abs(levels[0] - levels[1]))) dB, which the filter evens out: "
                    + "were both measured at the same level?")
        }
        return HeadphoneEqualiser(
            name: name, origin: .inverse, preamp: [-max(0, peak), -max(0, peak)],
            curves: gains.map { gains in [GainCurve(Array(zip(places, gains)))].compactMap(\.self) }, remarks: remarks)
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 + 0 }

    /// Returns the inverse of one ear's power at `places`, in dB relative to the mean level. It is computed from the
    /// smoothed power, then corrected twice by the deviation that remains after the filter, because on a steep slope
    /// the mean of a product differs from the product of means.
    private static func gains(_ power: [Double], step: Double, at places: [Double], level: Double) -> [Double] {
        let smoothed = SmoothedPower(power, step: step)
        // Largest boost at each place. Notches are filled partly, and less in the treble.
        let most = places.map { hertz in
            let height = Self.height(hertz)
            let filled = filledDip.low + (filledDip.high - filledDip.low) * height
            return min(mostBoost, level - smoothed.decibels(at: hertz, octaves: 1) + filled)
        }
        var gains = [Double](repeating: 0, count: places.count)
        for _ in 0..<3 {
            var heard = power
            if let curve = GainCurve(Array(zip(places, gains))) {
                for bin in heard.indices { heard[bin] *= pow(10, curve.value(at: Double(bin) * step) / 10) }
            }
            let left = SmoothedPower(heard, step: step)
            for (index, hertz) in places.enumerated() {
                let octaves = (1 + 2 * height(hertz)) / 6
                let wanted = gains[index] + level - left.decibels(at: hertz, octaves: octaves)
                gains[index] = max(-mostCut, min(most[index], wanted))
            }
        }
        return zip(gains, places).map { $0 * ramp($1, fades.low) * (1 - ramp($1, fades.high)) }
    }

    /// Returns how much a frequency counts as high: 0 up to 8.5 kHz, 1 from 12 kHz on. Notches at high frequencies
    /// differ between refits, so they are smoothed more and filled less.
    private static func height(_ hertz: Double) -> Double { max(0, min(1, 2 * log2(hertz / 8500))) }

    /// Returns 0 below the range, 1 above it, and between them a raised cosine over log frequency.
    private static func ramp(_ hertz: Double, _ range: (Double, Double)) -> Double {
        let place = log(hertz / range.0) / log(range.1 / range.0)
        return RaisedCosine.value(place)
    }
}

/// A power spectrum with smoothing over any bandwidth.
struct SmoothedPower {
    private let sums: [Double]
    private let step: Double

    /// Creates the spectrum from powers at bins 0…n/2, spaced by `step` hertz.
    init(_ powers: [Double], step: Double) {
        var sums = [0.0]
        sums.reserveCapacity(powers.count + 1)
        for power in powers { sums.append(sums[sums.count - 1] + power) }
        self.sums = sums
        self.step = step
    }

    /// Returns the mean power in a band around a frequency in hertz, dB. `octaves`: width of the band.
    func decibels(at hertz: Double, octaves: Double) -> Double {
        let half = pow(2, octaves / 2)
        return 10 * log10(max(1e-30, mean(from: hertz / half / step, to: hertz * half / step)))
    }

    /// Returns the mean over a range of bins. Each bin extends half way to its neighbours.
    private func mean(from low: Double, to high: Double) -> Double {
        let last = Double(sums.count - 1)
        let (low, high) = (max(0, min(last - 1, low + 0.5)), max(1, min(last, high + 0.5)))
        func sum(_ place: Double) -> Double {
            let whole = min(sums.count - 2, Int(place))
            return sums[whole] + (place - Double(whole)) * (sums[whole + 1] - sums[whole])
        }
        return (sum(high) - sum(low)) / max(1e-9, high - low)
    }
}
