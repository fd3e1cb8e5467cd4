import Geometry
import Glibc
import Signal

/// Filters from the channels of a sound field, seen from the head, to two ears, computed from a loaded set.
///
/// Channels are in the order of ACN and scaled by SN3D. A plane wave from any direction reaches the ears when the
/// field's own response for that direction would bring it there, so that sound fields, loudspeakers and direct feeds
/// keep time. Immutable; made off the audio thread.
package struct AmbisonicDecoder: Sendable {
    /// Order of the sound field, 1…7.
    package let order: Int
    /// Channels: (order + 1)².
    package let channelCount: Int
    /// Samples of each filter, a multiple of 16.
    package let tapCount: Int
    /// The rate the filters are for.
    package let sampleRate: SampleRate
    /// `[ear][channel][tap]`.
    package let taps: [Float]

    /// Samples that the filters for a field take: 4 ms, the head's passing time, the pinna and what rings of both; for
    /// a set that plays much longer (as measured, unprocessed) as many as it has, up to 10.7 ms.
    package static func tapCount(for field: FilterField) -> Int {
        let scale = max(1, field.sampleRate.hertz / 48_000)
        let most = field.tapCount > Int(288 * scale) ? min(512 * scale, Double(field.tapCount)) : 192 * scale
        return 16 * Int((most / 16).rounded(.up))
    }

    /// Filters for an order, from a field. Off the audio thread; on two cores about 0.03 s at order 3 and 0.5 s at
    /// order 7.
    ///
    /// - Parameter tapCount: samples of each filter, a multiple of 16; what the field holds beyond them is faded out.
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

    /// One filter, `tapCount` samples.
    package func filter(ear: Int, channel: Int) -> ArraySlice<Float> {
        let start = (ear * channelCount + channel) * tapCount
        return taps[start..<(start + tapCount)]
    }

    /// What the ears hear of a plane wave of amplitude 1 from a direction: `tapCount` samples each.
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
