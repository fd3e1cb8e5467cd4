import Geometry
import Glibc
import HRTF
import Metering
import Signal
import Soundstage

/// Loudness of a programme that is rendered from the loudspeakers of the stage, relative to its stereo fold-down, which
/// goes to the headphones directly.
///
/// Both are computed for pink noise from 20 Hz to 20 kHz, of equal level in all channels and uncorrelated between
/// channels. It is K-weighted (ITU-R BS.1770-5) at the two ears of a head that faces the front. LFE is left out,
/// because the fold-down has no LFE.
package enum StageLoudness {
    /// Returns the linear gain that makes a programme's fold-down as loud as the programme on the stage; 1 if either is
    /// silent. Not for the audio thread: takes about a millisecond per channel.
    package static func gainPastStage(_ programme: Programme, field: FilterField) -> Float {
        let layout = programme.layout
        // Stereo is computed without its upmix: on the two loudspeakers nearest to ±30°.
        let (left, right) = layout.stereoPair
        let channels = programme.hasMultichannelRendition ? Array(layout.loudspeakers.indices) : [left, right]
        let rate = field.sampleRate.hertz
        let transform = FourierTransform(minimumCount: max(16_384, field.tapCount))
        let binHz = rate / Double(transform.count)
        let weighting = KWeighting(sampleRate: rate)
        let weights = (0..<transform.count / 2).map { bin -> Double in
            let hertz = Double(bin) * binHz
            let weight = weighting.magnitude(at: hertz)
            return (20...20_000).contains(hertz) ? weight * weight / hertz : 0
        }
        let whole = weights.reduce(0, +)
        let fold = layout.stereoFoldDown
        var (on, past) = (0.0, 0.0)
        for channel in channels where !layout.loudspeakers[channel].isLowFrequency {
            let loudspeaker = layout.loudspeakers[channel]
            let gains = fold[channel]
            past += Double(gains.left * gains.left + gains.right * gains.right) * whole
            guard loudspeaker.motion != .direct else {
                let ears = loudspeaker.earGains
                on += Double(ears.left * ears.left + ears.right * ears.right) * whole
                continue
            }
            let level = loudspeaker.gain.amplitude
            let responses = field.responses(Direction<Head>(unit: loudspeaker.direction.unit))
            on += level * level * power(of: responses, transform, weights)
        }
        return on > 0 && past > 0 ? Float(sqrt(on / past)) : 1
    }

    /// Returns the sum of the weighted powers of both ears, by one complex transform.
    private static func power(
        of responses: (left: [Float], right: [Float]), _ transform: FourierTransform, _ weights: [Double]
    ) -> Double {
        let count = transform.count
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for (i, tap) in responses.left.prefix(count).enumerated() { real[i] = Double(tap) }
        for (i, tap) in responses.right.prefix(count).enumerated() { imaginary[i] = Double(tap) }
        transform.forward(&real, &imaginary)
        var sum = 0.0
        for bin in 1..<count / 2 where weights[bin] > 0 {
            let mirror = count - bin
            let one = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            let other = real[mirror] * real[mirror] + imaginary[mirror] * imaginary[mirror]
            sum += 0.5 * (one + other) * weights[bin]
        }
        return sum
    }
}
