import Glibc

extension TakePlan {
    /// An aligned recording begins this many seconds before the plan's frame 0, because a loudspeaker may be nearer
    /// than the one that plays the pilots.
    private static let margin = 0.05
    /// Least duration of the recording before the first pilot, seconds. This part shows the noise.
    private static let leastSilence = 0.3
    /// Duration of the recording that is kept after the plan's last frame, seconds.
    private static let rest = 0.5
    /// Largest relative difference between the clocks of the player and the recorder.
    private static let mostDrift = 150e-6

    /// Returns a recording from 50 ms before the plan's frame 0 to 0.5 s after the plan's last frame, or to the
    /// recording's end. The recorder may have begun at any time before the sound. The take is therefore found by its
    /// two pilots, whose distance in time is known. If the recording begins less than 0.65 s before the first pilot,
    /// silence is added before it (from 0.3 s down it is refused). For a plan without pilots, the recording is returned
    /// unchanged. O(n log n); off the audio thread.
    ///
    /// - Parameters:
    ///   - left, right: recordings of the ears at the sweep's rate, equally long.
    /// - Throws: `recording` if the pilots are not found, the recording begins at most 0.3 s before the first pilot,
    ///   the ears' recordings are empty or differ in length, or their samples are not finite or reach +120 dBFS.
    package func aligned(_ left: [Float], _ right: [Float]) throws(SweepError) -> (left: [Float], right: [Float]) {
        guard let pilots else { return (left, right) }
        let rate = sweep.sampleRate
        let frame = max(1, Int(0.001 * rate))
        let heard = try pilotEnergies(left, right, frame: frame)
        let distance = (pilots.last - pilots.first) / frame
        let tolerance = 2 + Int((Double(distance) * TakePlan.mostDrift).rounded(.up))
        var best = (place: 0, energy: 0.0)
        for place in heard.indices.dropLast(distance + tolerance) {
            // The energy of the fainter of two sounds that are as far apart in time as the pilots.
            let second = heard[(place + distance - tolerance)...(place + distance + tolerance)].max() ?? 0
            if min(heard[place], second) > best.energy { best = (place, min(heard[place], second)) }
        }
        let usual = heard.sorted()[heard.count / 2]
        guard best.energy > 10 * usual, best.energy > 0 else {
            throw .recording(
                "the tones before and after the sweeps are not in the recording: it was cut off, \(parts[0].loudspeaker) "
                    + "was not heard, or other sweeps were played")
        }
        guard Double(best.place * frame) > TakePlan.leastSilence * rate else {
            throw .recording(
                "the recording begins only \(tenths(Double(best.place * frame) / rate)) s before the first tone; start the "
                    + "recorder half a second before the sound")
        }
        let start = best.place * frame - pilots.first - Int(TakePlan.margin * rate)
        let end = min(left.count, start + frames + Int((TakePlan.margin + TakePlan.rest) * rate))
        let silence = [Float](repeating: 0, count: max(0, -start))
        return (silence + left[max(0, start)..<end], silence + right[max(0, start)..<end])
    }

    /// Returns the energy of both ears' responses to the pilot, a sum for each `frame` frames.
    private func pilotEnergies(_ left: [Float], _ right: [Float], frame: Int) throws(SweepError) -> [Double] {
        guard left.count == right.count, left.allSatisfy({ abs($0) < 1e6 }), right.allSatisfy({ abs($0) < 1e6 }) else {
            throw .recording(
                "the recording contains samples that are not finite or above +120 dBFS, or its channels differ in "
                    + "length")
        }
        let pilot = Pilot(sampleRate: sweep.sampleRate)
        let length = 4 * pilot.samples.count
        let inverse = SweepInverse(pilot, sampleRate: sweep.sampleRate, frames: length)
        let hop = (length - pilot.samples.count) / frame * frame
        var energies: [Double] = []
        for start in stride(from: 0, to: left.count - frame, by: hop) {
            let range = start..<min(left.count, start + length)
            let row = inverse.deconvolved(Array(left[range]), Array(right[range]))
            for place in 0..<(min(hop, range.count) / frame) {
                energies.append(
                    (place * frame..<(place + 1) * frame).reduce(0) {
                        $0 + row.left[$1] * row.left[$1] + row.right[$1] * row.right[$1]
                    })
            }
        }
        guard !energies.isEmpty else { throw .recording("the recording is empty") }
        return energies
    }
}
