/// What the ear can tell between two pairs of responses that begin together: the largest differences.
package struct RoomDifference: Hashable, Sendable {
    /// Reverberation time T30, both ears together, in octaves from 250 Hz, as a share of the first pair's.
    package private(set) var reverberationTime = 0.0
    /// Energy decay curve of each ear, dB, where the first pair's is above −35 dB.
    package private(set) var decay = 0.0
    /// Interaural coherence in octaves from 250 Hz.
    package private(set) var coherence = 0.0

    /// Compares `[ear][sample]` with what it should be; some 0.3 s per second of room.
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
