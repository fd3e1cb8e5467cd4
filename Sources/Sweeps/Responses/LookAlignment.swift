import Glibc

/// The delay between two takes (recordings of the sweeps) with different directions of the head, for recorders that do
/// not start together with the player.
///
/// Below 1.5 kHz, a turn of the head makes the sound of a loudspeaker later at one ear by as much as it becomes earlier
/// at the other (Kuhn, JASA 62 (1977), eq. 8). The mean over both ears is the time at the middle of the head, which
/// does not change.
package enum LookAlignment {
    /// Returns the delay of a take after a reference, frames: the median over the loudspeakers that both contain.
    /// Returns nil if there is no such loudspeaker.
    package static func delay(of take: [LoudspeakerResponse], after reference: [LoudspeakerResponse]) -> Double? {
        let delays = take.compactMap { response -> Double? in
            reference.first { $0.loudspeaker == response.loudspeaker }.map { delay(of: response, after: $0) }
        }.sorted()
        return delays.isEmpty ? nil : (delays[(delays.count - 1) / 2] + delays[delays.count / 2]) / 2
    }

    /// Returns the mean delay of both ears, frames.
    private static func delay(of response: LoudspeakerResponse, after reference: LoudspeakerResponse) -> Double {
        let ears = (0..<2).map { ear -> Double in
            let rows = [response.ears[ear], reference.ears[ear]]
            let onsets = rows.map { InterauralTime.onset(of: $0) }
            // Both rows start 5 ms before their onsets, so that the remaining delay is within ±1 ms.
            let lead = Int(0.005 * response.sampleRate)
            let cut = zip(rows, onsets).map { row, onset in
                (0..<(4 * lead)).map { i in
                    let place = onset - lead + i
                    return row.indices.contains(place) ? row[place] : 0
                }
            }
            let (rest, _) = InterauralTime.delay(cut, sampleRate: response.sampleRate)
            return Double(onsets[0] - onsets[1]) + rest * response.sampleRate
        }
        return (ears[0] + ears[1]) / 2 + Double(response.origin - reference.origin)
    }
}
