import Glibc

/// Sweeps that were found in a recording which began at any time before the sound: the plan of the take, and the part
/// of the recording that belongs to it.
package struct FoundSweeps: Sendable {
    /// Plan whose frame 0 is the first of `left` and `right`.
    package let plan: TakePlan
    /// Recordings of the ears.
    package let left: [Float], right: [Float]
    /// Frames of the recording before them.
    package let cut: Int

    /// Time between the start of a sweep in the plan and the first sound, seconds: about the latency that
    /// `DeconvolvedTake` finds.
    private static let latency = 0.1
    /// Duration of the part of the responses by which the sweeps are found, seconds; and the least duration of the
    /// recording before the first sweep, by which the noise is judged.
    private static let window = 0.03, leastSilence = 0.3
    /// Longest part of the recording before the first named sweep that is kept if an earlier sweep is left out,
    /// seconds. That sweep's sound must not count as noise.
    private static let leastGap = 0.2
    /// The responses are found if their loudest part is this much above the median, a power ratio: 10 dB.
    private static let leastMargin = 10.0

    /// Finds the sweeps by their responses: where the responses of all sweeps together have the most energy. O(n log
    /// n); off the audio thread.
    ///
    /// - Parameters:
    ///   - loudspeakers: names in the order of the sweeps; nil for a sweep that is left out. At least one name.
    ///   - spacing: frames from the start of a sweep to the start of the next.
    ///   - response: time that a response may last, seconds; up to as much of the recording before the sound is kept.
    ///   - left, right: recordings of the ears at the sweep's rate.
    /// - Throws: `recording` if no sweep is found, the recording begins less than 0.3 s before the sound, its ears
    ///   differ in length, or its samples are not finite or reach +120 dBFS.
    package init(
        _ sweep: ExponentialSweep, loudspeakers: [String?], spacing: Int, response: Double, in left: [Float],
        _ right: [Float]
    ) throws(SweepError) {
        let rate = sweep.sampleRate
        guard left.count == right.count, left.allSatisfy({ abs($0) < 1e6 }), right.allSatisfy({ abs($0) < 1e6 }) else {
            throw .recording(
                "the recording contains samples that are not finite or above +120 dBFS, or its channels differ in length"
            )
        }
        let arrival = try Self.arrival(sweep, loudspeakers, spacing: spacing, left, right)
        guard Double(arrival) > FoundSweeps.leastSilence * rate else {
            throw .recording(
                "the recording begins only \(tenths(Double(arrival) / rate)) s before the sound of the sweep; start the "
                    + "recorder half a second before the sound")
        }
        let latency = Int(FoundSweeps.latency * rate)
        let start = arrival - latency
        let last = start + (loudspeakers.count - 1) * spacing + sweep.samples.count
        let tail = Double(left.count - last - latency) / rate
        guard tail >= 0.1 else {
            throw .recording(
                "the recording lasts \(tenths(Double(left.count) / rate)) s, its last sweep ends at "
                    + "\(tenths(Double(last + latency) / rate)) s: it was cut off; let it run until the room is silent")
        }
        let response = min(response, tail)
        let named = loudspeakers.firstIndex { $0 != nil } ?? 0
        let lead =
            named == 0
            ? min(start, Int(response * rate))
            : min(Int(FoundSweeps.leastGap * rate), max(0, spacing - sweep.samples.count) / 2)
        cut = start + named * spacing - lead
        let end = min(left.count, last + latency + Int(response * rate))
        self.left = Array(left[cut..<end])
        self.right = Array(right[cut..<end])
        let parts = loudspeakers.enumerated().compactMap { place, name in
            name.map { TakePlan.Part(loudspeaker: $0, start: lead + (place - named) * spacing) }
        }
        plan = TakePlan(sweep: sweep, parts: parts, response: response, frames: self.left.count)
    }

    /// Returns the frame at which the loudest part of the first sweep's response begins: where most of the named sweeps
    /// are heard, and of such frames where all sweeps together are loudest.
    private static func arrival(
        _ sweep: ExponentialSweep, _ loudspeakers: [String?], spacing: Int, _ left: [Float], _ right: [Float]
    ) throws(SweepError) -> Int {
        let count = loudspeakers.count
        let width = Int(window * sweep.sampleRate)
        let responses = SweepInverse(sweep, frames: left.count).deconvolved(left, right)
        // Running sums of the energy: the energy of a range is the difference of two sums.
        var sums = [Double](repeating: 0, count: left.count + 1)
        for i in left.indices {
            let (a, b) = (responses.left[i], responses.right[i])
            sums[i + 1] = sums[i] + a * a + b * b
        }
        let reach = left.count - (count - 1) * spacing - width
        guard reach > 0 else { throw .recording("the recording is shorter than its sweeps: it was cut off") }
        // A step of 1 ms suffices, because the direct sound is found later.
        let starts = Array(stride(from: 0, to: reach, by: max(1, Int(0.001 * sweep.sampleRate))))
        func energy(_ start: Int, _ place: Int) -> Double {
            let from = start + place * spacing
            return sums[from + width] - sums[from]
        }
        let energies = starts.map { start in (0..<count).reduce(0.0) { $0 + energy(start, $1) } }
        let usual = energies.sorted()[energies.count / 2]
        let heard = starts.map { start in
            loudspeakers.indices.count { place in
                loudspeakers[place] != nil && energy(start, place) > leastMargin * usual / Double(count)
            }
        }
        let best = energies.indices.max { (heard[$0], energies[$0]) < (heard[$1], energies[$1]) } ?? 0
        guard energies[best] > leastMargin * usual, energies[best] > 0 else {
            throw .recording(
                "the sweep is not in the recording: it was cut off, was not heard, or another sweep was played")
        }
        return starts[best]
    }
}
