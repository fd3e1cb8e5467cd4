/// Largest differences in perceptual measures between two binaural responses with equal onset.
package struct RoomDifference: Hashable, Sendable {
    /// Difference of the reverberation time T30 of both ears together, divided by that of the first response; the
    /// largest of the octaves from 250 Hz on.
    package private(set) var reverberationTime = 0.0
    /// Difference of each ear's energy decay curve, dB, where the first response's curve is above −35 dB.
    package private(set) var decay = 0.0
    /// Difference of interaural coherence; the largest of the octaves from 250 Hz on.
    package private(set) var coherence = 0.0

    /// Compares a reference and another response, `[ear][sample]`; takes about 0.3 s per second of response.
    package init(_ truth: [[Float]], _ heard: [[Float]], sampleRate: Double) {
        for ear in 0..<2 {
            let (p, q) = (
                RoomMeasures.energyDecay(truth[ear].map(Double.init)),
                RoomMeasures.energyDecay(heard[ear].map(Double.init))
            )
            for i in 0..<min(p.count, q.count) where p[i] > -35 { decay = max(decay, abs(p[i] - q[i])) }
        }
        for band in 1..<OctaveBands.centres.count {
            let octaves = [truth, heard].map { ears in
                ears.map { RoomMeasures.octave(band, of: $0, sampleRate: sampleRate) }
            }
            let times = octaves.compactMap { ears in
                let both = zip(ears[0], ears[1]).map { ($0 * $0 + $1 * $1).squareRoot() }
                return RoomMeasures.reverberationTime(RoomMeasures.energyDecay(both), sampleRate: sampleRate)
            }
            if times.count == 2 { reverberationTime = max(reverberationTime, abs(times[1] / times[0] - 1)) }
            let coherences = octaves.map {
                RoomMeasures.interauralCoherence(left: $0[0], right: $0[1], sampleRate: sampleRate)
            }
            coherence = max(coherence, abs(coherences[0] - coherences[1]))
        }
    }
}
