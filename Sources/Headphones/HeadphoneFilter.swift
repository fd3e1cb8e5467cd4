import Glibc
import Signal

/// An equaliser at one sample rate, ready to be played: for each ear a gain, sections of second order and taps, in
/// series; all of minimum phase but for what all passes were asked for.
package struct HeadphoneFilter: Sendable {
    /// What one ear gets.
    package typealias Ear = EarFilter

    /// Samples per second.
    package let sampleRate: SampleRate
    /// Left and right.
    package let ears: [Ear]
    /// The largest gain of either ear from 10 Hz to 20 kHz in dB, preamp included, and where it is in hertz.
    package let boost: (decibels: Double, hertz: Double)
    /// dB by which it makes pink noise louder or softer, weighted by ITU-R BS.1770 and summed over both ears.
    package let loudness: Double

    /// Taps at a rate: 85 ms, so that a curve is followed down to 20 Hz.
    package static func tapCount(at sampleRate: SampleRate) -> Int {
        var count = 4096
        while Double(count) < 0.08 * sampleRate.hertz { count *= 2 }
        return count
    }

    /// Samples for which what was heard rings on: the longer response, or a tenth of a second for sections.
    package var ringing: Int {
        let sections = ears.contains { !$0.sections.isEmpty } ? Int(0.1 * sampleRate.hertz) : 0
        return max(sections, ears.map(\.taps.count).max() ?? 0)
    }

    /// Designs it; about 0.1 s where there are curves, else some milliseconds. Off the audio thread.
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

    /// Gain of an ear in dB at a frequency in hertz, as the coefficients have it.
    package func decibels(ear: Int, at hertz: Double) -> Double {
        10 * log10(max(1e-30, EarResponse(ears[ear], sampleRate: sampleRate.hertz).power(at: hertz)))
    }

    /// The response of curves in series, of minimum phase; what rings on below −120 dB is cut off.
    private static func taps(_ curves: [GainCurve], sampleRate: SampleRate) -> [Float] {
        guard !curves.isEmpty else { return [] }
        let count = tapCount(at: sampleRate)
        let bins = 2 * count
        let step = sampleRate.hertz / Double(2 * bins)
        // Deeper than any ear hears into, and shallow enough for the cepstrum.
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
