import Convolution
import Geometry
import Glibc
import Signal

/// Filters that decode the channels of a sound field, in head coordinates, to two ears. They are computed from a loaded
/// set.
///
/// Channels are in ACN order with SN3D scaling. A plane wave arrives at the ears at the same time as in the filter
/// field's response for its direction, so that sound fields, loudspeakers and direct feeds are aligned. Immutable;
/// created off the audio thread.
package struct AmbisonicDecoder: Sendable {
    /// Order of the sound field, 1…7.
    package let order: Int
    /// Number of channels: (order + 1)².
    package let channelCount: Int
    /// Number of samples in each filter, a multiple of 16.
    package let tapCount: Int
    /// Sample rate of the filters.
    package let sampleRate: SampleRate
    /// Filters `[ear][channel][tap]`.
    package let taps: [Float]

    /// Returns the number of samples in each filter for a field. They last 4 ms at 48 kHz, for the delay across the
    /// head and the ringing of the pinna. If the responses are longer than 6 ms (unprocessed), the filters are as long,
    /// up to 10.7 ms. The low part of a response (`FilterField.LowRows`) is not counted: its samples after the main
    /// part change a critical band by less than the errors of a decoder. Silence before the onsets is added; see
    /// `silence(of:)`.
    package static func tapCount(for field: FilterField) -> Int { silence(of: field) + soundingTaps(of: field) }

    /// Returns the length of the silence before the onsets, samples, a multiple of 16. Unprocessed responses may begin
    /// with silence of any length. If the first onset is less than 2.7 ms after the start, as in processed sets and
    /// with the ringing of a rate conversion, the result is 0. Otherwise the silence ends 1.3 ms before the first
    /// onset.
    static func silence(of field: FilterField) -> Int {
        let scale = max(1, field.sampleRate.hertz / 48_000)
        let first = min(field.firstOnset, Double(field.tapCount))
        return first < 128 * scale ? 0 : 16 * Int((first - 64 * scale) / 16)
    }

    /// Returns the number of samples of the filters after the silence.
    private static func soundingTaps(of field: FilterField) -> Int {
        let scale = max(1, field.sampleRate.hertz / 48_000)
        let silence = silence(of: field)
        let wide = (field.extent.low > 0 ? field.extent.wide : field.tapCount) - silence
        let most = wide > Int(288 * scale) ? min(512 * scale, Double(field.tapCount - silence)) : 192 * scale
        return 16 * Int((most / 16).rounded(.up))
    }

    /// Computes the filters of an order for a field. Not for the audio thread: on two cores it takes about 0.03 s at
    /// order 3 and 0.5 s at order 7.
    ///
    /// - Parameter tapCount: samples of each filter, a multiple of 16; nil for `tapCount(for:)`. Longer responses of
    ///   the field are faded out. Silence before the onsets is omitted as far as the filters have no room for it.
    package init(order: Int, field: FilterField, method: DecodingMethod = .magnitudeLeastSquares, tapCount: Int? = nil)
    {
        self.order = max(1, min(SphericalHarmonics.maximumOrder, order))
        channelCount = SphericalHarmonics.count(order: self.order)
        let tapCount = tapCount ?? AmbisonicDecoder.tapCount(for: field)
        self.tapCount = tapCount
        sampleRate = field.sampleRate
        let silence = AmbisonicDecoder.silence(of: field)
        let delay = min(silence, max(0, tapCount - AmbisonicDecoder.soundingTaps(of: field)))
        let fit = AmbisonicFit(
            order: self.order, field: field, method: method, tapCount: tapCount - delay, start: silence)
        taps = AmbisonicDecoder.delayed(fit.taps(), rows: 2 * channelCount, by: delay)
    }

    /// Returns `count` rows with `delay` zeros before each.
    private static func delayed(_ taps: [Float], rows count: Int, by delay: Int) -> [Float] {
        guard delay > 0 else { return taps }
        let length = taps.count / count
        var result: [Float] = []
        result.reserveCapacity(taps.count + count * delay)
        for row in 0..<count {
            result.append(contentsOf: repeatElement(0, count: delay))
            result.append(contentsOf: taps[(row * length)..<((row + 1) * length)])
        }
        return result
    }

    /// Returns one filter, `tapCount` samples.
    package func filter(ear: Int, channel: Int) -> ArraySlice<Float> {
        let start = (ear * channelCount + channel) * tapCount
        return taps[start..<(start + tapCount)]
    }

    /// Returns the ear signals of a plane wave of amplitude 1 from a direction, `tapCount` samples each.
    package func responses(_ direction: Direction<Head>) -> (left: [Float], right: [Float]) {
        let harmonics = SphericalHarmonics.values(order: order, direction)
        let ears = (0..<2).map { ear in
            var sum = [Double](repeating: 0, count: tapCount)
            for channel in 0..<channelCount {
                for (i, tap) in filter(ear: ear, channel: channel).enumerated() {
                    sum[i] += harmonics[channel] * Double(tap)
                }
            }
            return sum.map(Float.init)
        }
        return (ears[0], ears[1])
    }
}
