import Glibc

/// A recording of headphones that were put on once (one fit): each driver's response at its own ear, and the faults.
///
/// The left driver plays the first sweep. The right driver plays the second one, after the response of the first has
/// ended.
package struct HeadphoneTake: Sendable {
    /// Responses of the drivers at their ears, `[ear][sample]`, left first, both of one length and one origin of time;
    /// recorded amplitude per played amplitude.
    package let ears: [[Double]]
    /// Sample rate, hertz.
    package let sampleRate: Double
    /// Largest sample of the recording.
    package let peak: Double
    /// Margin of the sweep over the noise at the worse ear: median of the octaves from 250 Hz to 8 kHz, dB.
    package let margin: Double
    /// Faults for which the take is refused; empty if it is good.
    package let faults: [TakeFault]

    /// Least accepted level of a driver at its own ear, relative to its level at the other ear, dB. Open headphones
    /// reach 20 dB and more.
    static let leastSeparation = 6.0
    /// Names of the drivers in messages.
    private static let drivers = ["the left driver", "the right driver"]

    /// Deconvolves and judges a recording whose frame 0 is the first of the plan. O(n log n); off the audio thread.
    ///
    /// - Parameters:
    ///   - plan: a sweep of the left driver, then one of the right driver, which do not overlap; no pilots.
    ///   - left, right: recordings of the ears at the sweep's rate, equally long.
    ///   - microphones: calibrations of the left and right microphone; nil without.
    ///   - lostFrames: frames that the audio server reported as lost.
    /// - Throws: `recording` for a recording that does not fit the plan.
    package init(
        _ plan: TakePlan, left: [Float], right: [Float], microphones: [MicrophoneCalibration?] = [nil, nil],
        lostFrames: Int = 0
    ) throws(SweepError) {
        precondition(plan.parts.count == 2 && plan.pilots == nil)
        let rate = plan.sweep.sampleRate
        let take = try DeconvolvedTake(plan, left: left, right: right)
        let found = plan.parts.map { LoudspeakerResponse(take, part: $0, microphones: microphones) }
        let count = min(found[0].ears[0].count, found[1].ears[1].count)
        // Both responses have one origin of time, that of the take.
        ears = (0..<2).map { Array(found[$0].ears[$0].prefix(count)) }
        sampleRate = rate
        peak = Double(max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) }))
        let quiet = min(left.count, plan.parts[0].start)
        let amplitude = Double(plan.sweep.samples.reduce(0) { max($0, abs($1)) })
        let levels = (0..<2).map { ear in
            let silence = Array((ear == 0 ? left : right)[..<quiet])
            return OctaveLevel.levels(
                responses: [found[ear].ears[ear], found[ear].ears[ear]], silence: [silence, silence],
                amplitude: amplitude, sampleRate: rate)
        }
        margin = levels.map(\.margin).min() ?? 0
        faults = Self.judged(take, found, left, right, levels, margin: margin, lostFrames)
    }

    private static func judged(
        _ take: DeconvolvedTake, _ found: [LoudspeakerResponse], _ left: [Float], _ right: [Float],
        _ levels: [[OctaveLevel]], margin: Double, _ lostFrames: Int
    ) -> [TakeFault] {
        var faults: [TakeFault] = []
        let clipped = RecordedFaults.clippedSamples(left) + RecordedFaults.clippedSamples(right)
        if clipped > 0 { faults.append(.clipped(samples: clipped)) }
        if lostFrames > 0 {
            faults.append(.dropout(reason: "the audio server lost \(lostFrames) frames"))
        } else if let seconds = RecordedFaults.silence(left, right, sampleRate: take.plan.sweep.sampleRate) {
            faults.append(.dropout(reason: "silence in the middle of the sound at \(tenths(seconds)) s"))
        }
        // Level of each driver at its own ear, relative to its level at the other ear, dB.
        let separations = found.indices.map { ear in
            let energies = found[ear].ears.map { $0.reduce(1e-30) { $0 + $1 * $1 } }
            return 10 * log10(energies[ear] / energies[1 - ear])
        }
        if separations.allSatisfy({ $0 < -leastSeparation }) {
            return faults + [.exchangedDrivers]
        }
        if margin < MeasuredTake.leastMargin {
            for ear in 0..<2 where !found[ear].isHeard[ear] && found[1 - ear].isHeard[1 - ear] {
                return faults + [
                    .wrongChannel(
                        loudspeaker: drivers[ear],
                        reason: "was not heard at its ear; are the driver and the microphone of this ear connected?")
                ]
            }
            return faults + [.tooQuiet(margin: margin)]
        }
        for ear in 0..<2 where separations[ear] < leastSeparation {
            faults.append(
                .wrongChannel(
                    loudspeaker: drivers[ear],
                    reason:
                        "is heard at the other ear almost as loud as at its own, or louder; do the headphones fit, and "
                        + "are both microphones connected?"
                ))
        }
        let sweep = levels.joined().map(\.sweep).max() ?? 0
        if faults.isEmpty, let noise = MeasuredTake.disturbance(take, sweep: sweep, judgesEnds: false) {
            return [noise]
        }
        return faults
    }
}
