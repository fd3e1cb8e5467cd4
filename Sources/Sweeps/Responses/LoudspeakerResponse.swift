import Glibc
import Signal

/// The responses of both ears to one loudspeaker, from a take.
package struct LoudspeakerResponse: Sendable {
    /// Name of the loudspeaker.
    package let loudspeaker: String
    /// Responses `[ear][sample]`, both of one length; recorded amplitude per played amplitude.
    package var ears: [[Double]]
    /// Time from the start of the sweep to sample 0, frames: 5 ms less than the latency of the devices and the travel
    /// time of the take's earliest direct sound. It is the same for all loudspeakers of a take. The alignment of
    /// several takes changes it, and for recordings that began at any time the loudspeaker's distance.
    package var origin: Int
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// End of the room's decay for each ear; nil if none is found.
    package let decays: [DecayWindow?]
    /// Harmonic distortion, per cent: square root of the energy of the harmonics 2 to 5 relative to the linear
    /// response.
    package let distortion: Double
    /// How much later the direct sound is at the left ear than at the right, seconds.
    package let interauralTime: Double
    /// Level of the first sound from 100 to 300 Hz at the left ear less that at the right, dB; nil if it does not stand
    /// out of the noise.
    package let interauralLevel: Double?
    /// Whether the loudest millisecond at each ear is more than 20 dB above the end of the response.
    package let isHeard: [Bool]

    /// Cuts a loudspeaker's response out of a take, removes the microphones' responses, and fades it out at the noise.
    ///
    /// - Parameter microphones: calibration of the left and the right microphone; nil without.
    init(_ take: DeconvolvedTake, part: TakePlan.Part, microphones: [MicrophoneCalibration?]) {
        let rate = take.plan.sweep.sampleRate
        let origin = take.origin(of: part)
        let whole = (0..<2).map { ear in
            let row = take.row(ear, from: origin, count: take.reach)
            return microphones[ear]?.removed(from: row, sampleRate: rate) ?? row
        }
        isHeard = whole.map { LoudspeakerResponse.isHeard($0, sampleRate: rate) }
        decays = whole.map { DecayWindow($0, sampleRate: rate) }
        let (delay, _) = InterauralTime.delay(whole, sampleRate: rate)
        interauralTime = delay
        interauralLevel = EarLevels.difference(whole, sampleRate: rate)
        // Both ears' responses get the same length: 1.1 times the time at which the later one meets the noise, at least
        // 50 ms, at most the whole response. They fade out over the last 27 % of this length.
        let crossing = decays.compactMap { $0?.crossing }.max() ?? take.reach
        let count = min(take.reach, max(crossing + crossing / 10, Int(0.05 * rate)))
        let (rise, fade) = (0.002 * rate, Double(count) / 1.1 * 0.3)
        ears = whole.map { row in
            (0..<count).map { i in
                row[i] * RaisedCosine.value(Double(i) / rise) * RaisedCosine.value(Double(count - 1 - i) / fade)
            }
        }
        loudspeaker = part.loudspeaker
        self.origin = origin - part.start
        sampleRate = rate
        let harmonics = (2...SweepSpacing.highestHarmonic).reduce(0) { $0 + take.share(ofHarmonic: $1, in: part) }
        distortion = 100 * harmonics.squareRoot()
    }

    /// Returns whether the loudest millisecond of a response is more than 20 dB above the mean of its last quarter.
    private static func isHeard(_ row: [Double], sampleRate: Double) -> Bool {
        let length = max(1, Int(0.001 * sampleRate))
        let frames = stride(from: 0, to: row.count - length, by: length).map { start in
            row[start..<(start + length)].reduce(0) { $0 + $1 * $1 }
        }
        let last = frames.suffix(max(1, frames.count / 4))
        return (frames.max() ?? 0) > 100 * last.reduce(0, +) / Double(last.count) && (frames.max() ?? 0) > 0
    }

    /// Returns `count` samples of the responses, `[ear][sample]`, from `start` frames after the sweep's start on, so
    /// that all responses of a set begin at the same time. Samples beyond the responses are 0.
    package func placed(from start: Int, count: Int) -> [[Float]] {
        ears.map { row in
            (0..<count).map { i in
                let place = i + start - origin
                return row.indices.contains(place) ? Float(row[place]) : 0
            }
        }
    }

    /// First sample of each ear that reaches a fifth of the ear's peak.
    package var onsets: [Int] { ears.map { InterauralTime.onset(of: $0) } }

    /// Returns the direct sound alone. It fades in during the last 1 ms before the earlier ear's onset. It fades out
    /// from half of `seconds` to `seconds` after the later ear's onset.
    package func gated(after seconds: Double) -> LoudspeakerResponse {
        let onsets = onsets
        let (first, last) = (onsets.min() ?? 0, (onsets.max() ?? 0) + Int(seconds * sampleRate))
        let lead = 0.001 * sampleRate
        var gated = self
        gated.ears = ears.map { row in
            row.indices.map { i in
                row[i] * RaisedCosine.value(Double(i - first) / lead + 1)
                    * RaisedCosine.value(Double(last - i) / (0.5 * seconds * sampleRate))
            }
        }
        return gated
    }
}
