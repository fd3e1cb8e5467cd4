import Glibc
import Signal

/// An equaliser at one sample rate. Each ear has a gain, second-order sections and taps, in series. It has minimum
/// phase, except for all-pass filters.
package struct HeadphoneFilter: Sendable {
    /// Filter of one ear.
    package typealias Ear = EarFilter

    /// Sample rate of the filter.
    package let sampleRate: SampleRate
    /// Filters of the left and right ear.
    package let ears: [Ear]
    /// Largest gain of either ear, including the preamp, dB, and its frequency, hertz; see `EarResponse.boost`.
    package let boost: (decibels: Double, hertz: Double)
    /// Change of pink noise's loudness, dB, weighted by ITU-R BS.1770-5, from the mean power of both ears.
    package let loudness: Double

    /// Returns the number of taps at a rate: at least 80 ms (85 ms at 48 kHz), so that a curve is followed down to 20
    /// Hz.
    package static func tapCount(at sampleRate: SampleRate) -> Int {
        var count = 4096
        while Double(count) < 0.08 * sampleRate.hertz { count *= 2 }
        return count
    }

    /// Length of the ringing after the end of the input, samples: the number of taps of the longer response, but at
    /// least 0.1 s if there are sections.
    package var ringing: Int {
        let sections = ears.contains { !$0.sections.isEmpty } ? Int(0.1 * sampleRate.hertz) : 0
        return max(sections, ears.map(\.taps.count).max() ?? 0)
    }

    /// Designs the filter. Takes about 0.1 s with curves, otherwise some milliseconds. Not for the audio thread.
    package init(_ equaliser: HeadphoneEqualiser, sampleRate: SampleRate) {
        self.sampleRate = sampleRate
        let rate = sampleRate.hertz
        ears = (0..<2).map { ear in
            let sections = equaliser.filters.filter { $0.ears.contains(ear: ear) && !($0.kind.hasGain && $0.gain == 0) }
            return Ear(
                gain: Decibels(equaliser.preamp[ear]).amplitude,
                sections: sections.map { SecondOrderSection($0, sampleRate: rate) },
                taps: Self.taps(equaliser.curves[ear], sampleRate: sampleRate))
        }
        let responses = ears.map { EarResponse($0, sampleRate: rate) }
        boost = EarResponse.boost(responses, at: equaliser.filters.map(\.hertz))
        loudness = EarResponse.loudness(responses)
    }

    /// Returns the gain of an ear at a frequency in hertz, dB, from the coefficients.
    package func decibels(ear: Int, at hertz: Double) -> Double {
        10 * log10(max(1e-30, EarResponse(ears[ear], sampleRate: sampleRate.hertz).power(at: hertz)))
    }

    /// Returns the minimum-phase response of curves in series, at least 64 taps; empty without curves. It is faded out
    /// and truncated where the remainder has less than −120 dB of the energy.
    private static func taps(_ curves: [GainCurve], sampleRate: SampleRate) -> [Float] {
        guard !curves.isEmpty else { return [] }
        let count = tapCount(at: sampleRate)
        let bins = 2 * count
        let step = sampleRate.hertz / Double(2 * bins)
        // The lower limit of −140 dB is inaudible, but high enough for the cepstrum.
        let gains = (0...bins).map { bin in
            max(-140, curves.reduce(0) { $0 + $1.value(at: Double(bin) * step) })
        }
        var samples = MinimumPhaseResponse.samples(decibels: gains, count: count)
        let fade = count / 4
        for i in 0..<fade { samples[count - fade + i] *= 0.5 + 0.5 * cos(.pi * (Double(i) + 0.5) / Double(fade)) }
        let energy = samples.reduce(0) { $0 + $1 * $1 }
        var (rest, end) = (0.0, count)
        while end > 64, rest + samples[end - 1] * samples[end - 1] < 1e-12 * energy {
            rest += samples[end - 1] * samples[end - 1]
            end -= 1
        }
        return samples.prefix(end).map(Float.init)
    }
}
