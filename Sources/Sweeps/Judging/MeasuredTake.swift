import Geometry
import Glibc

/// A take (one recording of the sweeps at both ears) that has been deconvolved and judged.
package struct MeasuredTake: Sendable {
    /// Responses of its loudspeakers, in the order of their sweeps.
    package var responses: [LoudspeakerResponse]
    /// Levels of the first loudspeaker's sweep and of the noise in octaves.
    package let levels: [OctaveLevel]
    /// Largest sample of the recording.
    package let peak: Double
    /// Frequency of the recording clock relative to the playing clock, less one, in millionths; nil without the pilots,
    /// which are short sweeps at the start and the end of a take.
    package let drift: Double?
    /// Turn of the head between the pilots, degrees, from the change of the time between the ears. Nil without pilots,
    /// without the first loudspeaker's direction, or if that loudspeaker stands too far to the side.
    package let turn: Double?
    /// Faults for which the take is refused; empty if it is good. Exchanged ears and channels are judged over all takes
    /// by `EarPlacement`, the level between the ears by `EarLevels`.
    package private(set) var faults: [TakeFault] = []

    /// Margin of the first loudspeaker's sweep over the noise: median of the octaves from 250 Hz to 8 kHz, dB.
    package var margin: Double { levels.margin }

    /// Least accepted margin of the sweep over the noise, median of the octaves from 250 Hz to 8 kHz, dB.
    static let leastMargin = 30.0
    /// Largest accepted difference of two devices' clocks, millionths: crystals differ by up to 100.
    static let mostDrift = 150.0
    /// A disturbance is more than `aboveNoise` above the noise, and less than `belowSweep` below the sweep, dB.
    static let leastDisturbance = (aboveNoise: 15.0, belowSweep: 45.0)
    /// Noise at the end of a response counts as a disturbance if it is more than `abovePrediction` above the predicted
    /// noise and above `level` relative to the 10 ms after the response's peak, dB.
    static let lateNoise = (abovePrediction: 10.0, level: -60.0)

    /// Deconvolves and judges a recording whose frame 0 is the first of the plan. O(n log n): about half a second for
    /// ten seconds at 48 kHz.
    ///
    /// - Parameters:
    ///   - left, right: recordings of the ears at the sweep's rate, equally long.
    ///   - microphones: calibrations of the left and right microphone; nil without.
    ///   - first: direction of the first loudspeaker, which plays the pilots, from the head; nil if unknown.
    ///   - looks: the tracker's orientations; nil without a tracker.
    ///   - lostFrames: frames that the audio server reported as lost.
    ///   - cut: frames of the file before `left` and `right`, for the times in faults.
    /// - Throws: `recording` for a recording that does not fit the plan.
    package init(
        _ plan: TakePlan, left: [Float], right: [Float], microphones: [MicrophoneCalibration?] = [nil, nil],
        first: Direction<Head>? = nil, looks: HeadLooks? = nil, lostFrames: Int = 0, cut: Int = 0
    ) throws(SweepError) {
        let rate = plan.sweep.sampleRate
        let take = try DeconvolvedTake(plan, left: left, right: right)
        responses = plan.parts.map { LoudspeakerResponse(take, part: $0, microphones: microphones) }
        peak = Double(max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) }))
        drift = take.drift?.partsPerMillion
        let quiet = min(left.count, plan.pilots?.first ?? plan.parts[0].start)
        let amplitude = Double(plan.sweep.samples.reduce(0) { max($0, abs($1)) })
        levels = OctaveLevel.levels(
            responses: responses[0].ears, silence: [Array(left[..<quiet]), Array(right[..<quiet])],
            amplitude: amplitude, sampleRate: rate)
        turn = MeasuredTake.turn(take.drift, seen: first)
        faults = judged(take, left, right, looks, lostFrames, from: Double(cut) / rate)
    }

    /// Returns the turn of the head that explains the change of the time between the ears, degrees.
    private static func turn(_ drift: ClockDrift?, seen direction: Direction<Head>?) -> Double? {
        guard let drift, let direction else { return nil }
        // A turn to the left moves the source to the right by the same angle. The slope is the derivative of
        // `EarPlacement.expected`, seconds per radian, at high frequencies, where the time is 2/3 of that at low ones.
        let slope =
            2.0 / 3 * EarPlacement.expected(Direction(azimuthDegrees: 90, elevationDegrees: 0)) * direction.unit.x
        guard abs(slope) * .pi / 180 > 3e-6 else { return nil }
        return abs(drift.interauralChange / slope) * 180 / .pi
    }

    private func judged(
        _ take: DeconvolvedTake, _ left: [Float], _ right: [Float], _ looks: HeadLooks?, _ lostFrames: Int,
        from beginning: Double
    ) -> [TakeFault] {
        let plan = take.plan
        let rate = plan.sweep.sampleRate
        var faults: [TakeFault] = []
        let clipped = RecordedFaults.clippedSamples(left) + RecordedFaults.clippedSamples(right)
        if clipped > 0 { faults.append(.clipped(samples: clipped)) }
        if lostFrames > 0 {
            faults.append(.dropout(reason: "the audio server lost \(lostFrames) frames"))
        } else if let seconds = RecordedFaults.silence(left, right, sampleRate: rate) {
            faults.append(.dropout(reason: "silence in the middle of the sound at \(tenths(beginning + seconds)) s"))
        } else if let drift, abs(drift) > MeasuredTake.mostDrift {
            faults.append(.dropout(reason: "the clocks seem to differ by \(Int(drift.rounded())) millionths"))
        }
        if margin < MeasuredTake.leastMargin || responses.allSatisfy({ !$0.isHeard.contains(true) }) {
            faults.append(.tooQuiet(margin: margin))
            return faults
        }
        let movement = max(looks?.movement ?? 0, looks == nil ? turn ?? 0 : 0)
        if movement > HeadLooks.permitted { faults.append(.headMoved(degrees: movement)) }
        // A noise may hide a loudspeaker's sound or the pilots. Then the noise is the only fault that is reported.
        if faults.isEmpty, let noise = Self.disturbance(take, sweep: levels.map(\.sweep).max() ?? 0) {
            guard case .noise(let seconds, let decibels) = noise else { return [noise] }
            return [.noise(seconds: seconds.map { beginning + $0 }, decibels: decibels)]
        }
        for response in responses {
            if !response.isHeard.contains(true) {
                faults.append(
                    .wrongChannel(loudspeaker: response.loudspeaker, reason: "was not heard; is it connected?"))
            } else if let ear = response.isHeard.firstIndex(of: false) {
                faults.append(
                    .wrongChannel(
                        loudspeaker: response.loudspeaker,
                        reason: "was not heard at the \(ear == 0 ? "left" : "right") ear; is that microphone connected?"
                    ))
            }
        }
        if plan.pilots != nil, drift == nil, faults.isEmpty {
            faults.append(.dropout(reason: "the tones before and after the sweep do not match"))
        }
        return faults
    }

    /// Returns a disturbance, which is a sound other than the sweeps, as a fault; nil if there is none.
    ///
    /// The sound of the responses is subtracted from the recording. The disturbance is the 10 ms of the rest that
    /// exceed the noise most. With overlapping sweeps, hardly anything remains at some times. A sound at such a time
    /// only raises the noise at the ends of the responses, so that noise is judged too.
    ///
    /// - Parameters:
    ///   - sweep: level of the sweep in its loudest octave, dB.
    ///   - judgesEnds: whether noise at the ends of the responses is judged. It is not judged for headphones, because
    ///     their responses ring at the sweep's lowest frequency and contain little noise.
    static func disturbance(_ take: DeconvolvedTake, sweep: Double, judgesEnds: Bool = true) -> TakeFault? {
        let plan = take.plan
        let rate = plan.sweep.sampleRate
        let frame = Int(0.01 * rate)
        let first = plan.parts[0].start / frame
        let last = ((plan.parts.last?.start ?? 0) + plan.sweep.samples.count + take.latency) / frame
        var worst: TakeFault?
        var most = 0.0
        // With overlapping sweeps, most of the noise is subtracted with the responses, so that the rest is too low an
        // estimate of the noise. The noise counts as at least `quiet`.
        for (row, quiet) in zip(take.unexplained(frame: frame), take.quietPower()) {
            let sounding = row[min(first, row.count)..<min(row.count, last)]
            let sorted = sounding.sorted()
            guard !sorted.isEmpty else { continue }
            let noise = 10 * log10(max(1e-20, sorted[sorted.count / 2], quiet))
            for (index, power) in zip(sounding.indices, sounding) {
                let level = 10 * log10(max(1e-20, power))
                guard level - noise > MeasuredTake.leastDisturbance.aboveNoise,
                    sweep - level < MeasuredTake.leastDisturbance.belowSweep, level - noise > most
                else { continue }
                most = level - noise
                worst = .noise(seconds: Double(index * frame) / rate, decibels: most)
            }
        }
        if worst != nil || !judgesEnds { return worst }
        let predicted = take.predictedNoise()
        let late = plan.parts.map { take.lateNoise(of: $0, predicted: predicted) }
        let raised = late.filter {
            $0.level > MeasuredTake.lateNoise.level && $0.excess > MeasuredTake.lateNoise.abovePrediction
        }
        return raised.map(\.excess).max().map { .noise(seconds: nil, decibels: $0) }
    }
}
