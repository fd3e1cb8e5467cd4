import Convolution
import Geometry
import Glibc
import Signal

/// Filters that decode the channels of a sound field, in head coordinates, to two ears. They are computed from a loaded
/// set.
///
/// Channels are in ACN order with SN3D scaling. A plane wave arrives at the ears at the time of the field's own
/// response in its direction, so that sound fields, loudspeakers and direct feeds are aligned. Immutable; created off
/// the audio thread.
package struct AmbisonicDecoder: Sendable {
    /// Order of the sound field, 1…7.
    package let order: Int
    /// Number of channels: (order + 1)².
    package let channelCount: Int
    /// Samples of each filter, a multiple of 16.
    package let tapCount: Int
    /// Sample rate of the filters.
    package let sampleRate: SampleRate
    /// Filters `[ear][channel][tap]`.
    package let taps: [Float]

    /// Returns the number of samples of the filters for a field. It is 4 ms, for the delay across the head and the
    /// ringing of the pinna. For a set of much longer (unprocessed) responses it is their length, up to 10.7 ms. The
    /// low part of a response is not counted, because its later samples change a critical band by less than the errors
    /// of a decoder.
    package static func tapCount(for field: FilterField) -> Int {
        let scale = max(1, field.sampleRate.hertz / 48_000)
        let wide = field.extent.low > 0 ? field.extent.wide : field.tapCount
        let most = wide > Int(288 * scale) ? min(512 * scale, Double(field.tapCount)) : 192 * scale
        return 16 * Int((most / 16).rounded(.up))
    }

    /// Computes the filters of an order for a field. Off the audio thread; on two cores about 0.03 s at order 3 and 0.5
    /// s at order 7.
    ///
    /// - Parameter tapCount: samples of each filter, a multiple of 16; nil for `tapCount(for:)`. Longer responses of
    ///   the field are faded out.
    package init(order: Int, field: FilterField, method: DecodingMethod = .magnitudeLeastSquares, tapCount: Int? = nil)
    {
        self.order = max(1, min(SphericalHarmonics.maximumOrder, order))
        channelCount = SphericalHarmonics.count(order: self.order)
        let tapCount = tapCount ?? AmbisonicDecoder.tapCount(for: field)
        self.tapCount = tapCount
        sampleRate = field.sampleRate
        let fit = AmbisonicFit(order: self.order, field: field, method: method, tapCount: tapCount)
        taps = fit.taps()
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
