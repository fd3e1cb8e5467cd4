import Signal

/// Finds the delay from each packet of a tracker to the change of the sound, and the parts of this delay. The recording
/// contains both ears' signals while a simulated head turned in steps (`StepSender`).
///
/// The programme is periodic in `repetition` frames. With a still head the output is periodic too, so any difference
/// from the repetitions before a step is the effect of the step. The share of the change at a frame is the projection
/// of this difference onto the final difference, over 64 frames (least squares). It is 0 before the change, 1 after it,
/// and in between nearly linear in the angle, because the steps are small. `repetition` divides usual JACK periods, so
/// that the programme keeps its phase if the server skips periods.
package struct LatencyRecording: Sendable {
    /// One step of the head.
    package struct Step: Hashable, Sendable {
        /// Host seconds at which the step's packet was handed to the socket.
        package var sent: Double
        /// Host seconds at which the decoder received the packet.
        package var arrived: Double
        /// Whether the sender sent the packets before this one in time.
        package var isSteady: Bool

        /// Makes a step.
        package init(sent: Double, arrived: Double, isSteady: Bool = true) {
            self.sent = sent
            self.arrived = arrived
            self.isSteady = isSteady
        }
    }

    /// Time at which a frame of the stream is heard.
    package struct Mark: Hashable, Sendable {
        /// Frame index in the recording.
        package var frame: Int
        /// Host seconds at which the frame is heard.
        package var heardAt: Double

        /// Makes a mark.
        package init(frame: Int, heardAt: Double) {
            self.frame = frame
            self.heardAt = heardAt
        }
    }

    /// Frames averaged before a step and before the next one; rounded down to whole repetitions.
    private static let averaged = 4096
    /// Frames over which the share of the change is measured.
    private static let window = 64
    /// Least difference that counts as a change, relative to the RMS of the final change.
    private static let least: Float = 0.02

    /// Samples of both ears, `[ear][frame]`.
    package var ears: [[Float]]
    /// Sample rate, Hz.
    package var sampleRate: Double
    /// Times at which frames are heard, in order.
    package var marks: [Mark]
    /// Playback latency that JACK reports, s; the marks include it.
    package var playback: Double
    /// Duration of a period, s.
    package var period: Double
    /// Steps in order. Of the sound after the last step, at most half a second is used.
    package var steps: [Step]
    /// Number of frames after which the programme repeats.
    package var repetition: Int

    /// Returns the programme's repetition for a period, frames: the period's largest divisor from 16 to 128; 128 if
    /// there is none.
    package static func repetition(forPeriod frames: Int) -> Int {
        (16...128).last { frames % $0 == 0 } ?? 128
    }

    /// Makes a recording.
    package init(
        ears: [[Float]], sampleRate: Double, marks: [Mark], playback: Double, period: Double, steps: [Step],
        repetition: Int
    ) {
        self.repetition = repetition
        self.ears = ears
        self.sampleRate = sampleRate
        self.marks = marks
        self.playback = playback
        self.period = period
        self.steps = steps
    }

    /// Returns the delay of each step that is found in the sound, in order. O(frames).
    ///
    /// - Throws: `noTimes` if there are steps but no marks.
    package func delays() throws(LatencyError) -> [MotionDelay] {
        guard !steps.isEmpty else { return [] }
        guard !marks.isEmpty else { throw .noTimes }
        // A process cycle may start later than the server states. It then also applies packets that were sent in
        // between.
        let begins = steps.map { frame(computedAt: $0.sent - 0.02) }
        let last = Int(0.5 * sampleRate)
        return steps.indices.compactMap { number in
            let end = number + 1 < steps.count ? begins[number + 1] : min(ears[0].count, begins[number] + last)
            return delay(of: steps[number], from: begins[number], to: end)
        }
    }

    // MARK: -

    private func delay(of step: Step, from begin: Int, to end: Int) -> MotionDelay? {
        let span = Self.averaged / repetition * repetition
        guard begin >= span, end <= ears[0].count, end - begin > 2 * span else { return nil }
        let before = ears.map { mean(of: $0, endingAt: begin) }
        let change = zip(ears, before).map { ear, before in
            zip(mean(of: ear, endingAt: end), before).map { $0 - $1 }
        }
        let power = change.reduce(0) { $0 + $1.reduce(0) { $0 + $1 * $1 } } / Float(repetition)
        guard power > 0 else { return nil }
        let least = Self.least * power.squareRoot()
        func difference(_ ear: Int, _ frame: Int) -> Float { ears[ear][frame] - before[ear][frame % repetition] }
        // The first frame whose difference exceeds both `least` and twice the greatest difference just before the step.
        let unrest = ((begin - 1024)..<begin).reduce(Float(0)) {
            max($0, abs(difference(0, $1)), abs(difference(1, $1)))
        }
        let threshold = max(least, 2 * unrest)
        guard
            // The share of the change needs half a window of frames on either side.
            let onset = (begin..<(end - Self.window / 2)).first(where: {
                abs(difference(0, $0)) > threshold || abs(difference(1, $0)) > threshold
            })
        else { return nil }
        var (last, lastShare) = (onset, Float(0))
        for frame in onset..<(end - Self.window / 2) {
            let share = share(around: frame, change, difference)
            if share >= 0.5 {
                let fraction = frame == onset ? 0 : Double((0.5 - lastShare) / (share - lastShare))
                let half = Double(last) + fraction * Double(frame - last)
                return MotionDelay(
                    isDisturbed: !step.isSteady || isInterrupted(from: begin - Int(0.05 * sampleRate), to: frame),
                    transport: step.arrived - step.sent,
                    waiting: heard(Double(onset)) - playback - step.arrived,
                    tracking: (half - Double(onset)) / sampleRate, playback: playback)
            }
            (last, lastShare) = (frame, share)
        }
        return nil
    }

    /// Returns the share of the final change in the difference around a frame, by least squares.
    private func share(around frame: Int, _ change: [[Float]], _ difference: (Int, Int) -> Float) -> Float {
        var (along, whole) = (Float(0), Float(0))
        for ear in 0..<ears.count {
            for place in (frame - Self.window / 2)..<(frame + Self.window / 2) {
                let final = change[ear][place % repetition]
                along += difference(ear, place) * final
                whole += final * final
            }
        }
        return whole > 0 ? along / whole : 0
    }

    /// Returns the mean of the last repetitions before frame `end`, indexed by frame modulo the repetition.
    private func mean(of ear: [Float], endingAt end: Int) -> [Float] {
        var sum = [Float](repeating: 0, count: repetition)
        let count = Self.averaged / repetition
        for frame in (end - count * repetition)..<end { sum[frame % repetition] += ear[frame] }
        return sum.map { $0 / Float(count) }
    }

    /// Returns whether the server skipped a period between two frames. This delays the sound that follows.
    private func isInterrupted(from begin: Int, to end: Int) -> Bool {
        let first = max(1, upperBound { $0.frame < begin })
        let last = upperBound { $0.frame <= end }
        return first < last
            && (first..<last).contains { index in
                let (one, two) = (marks[index - 1], marks[index])
                return two.heardAt - one.heardAt - Double(two.frame - one.frame) / sampleRate > 0.5 * period
            }
    }

    /// Returns the host seconds at which a frame is heard, from the last mark at or before it, or else from the first
    /// mark.
    private func heard(_ frame: Double) -> Double {
        let mark = marks[max(0, upperBound { Double($0.frame) <= frame } - 1)]
        return mark.heardAt + (frame - Double(mark.frame)) / sampleRate
    }

    /// Returns the frame computed at `moment`: inverts `heard` after the playback latency is subtracted.
    private func frame(computedAt moment: Double) -> Int {
        let mark = marks[max(0, upperBound { $0.heardAt - playback <= moment } - 1)]
        return mark.frame + Int(((moment - (mark.heardAt - playback)) * sampleRate).rounded(.down))
    }

    /// Returns the number of marks that fulfil `isBefore`; these must be the first ones.
    private func upperBound(_ isBefore: (Mark) -> Bool) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Failure to measure delays in a recording.
package enum LatencyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No frame has a time at which it was heard.
    case noTimes
    /// The temporary folder cannot be made.
    case noFolder(reason: String)

    /// Message with the cause and the remedy.
    package var description: String {
        switch self {
        case .noTimes:
            "the time at which the sound was heard is unknown: the server is in freewheel; end freewheel, and measure in real time"
        case .noFolder(let reason): reason
        }
    }
}

/// Delay from a motion to its sound, and the parts of that delay, s; the parts sum to `total`.
package struct MotionDelay: Hashable, Sendable, Codable {
    /// Whether the JACK server skipped periods from about 70 ms before the step until its sound, or the sender was held
    /// up.
    package var isDisturbed = false
    /// From the sender's call to the arrival at the decoder: socket and scheduling.
    package var transport: Double
    /// From the arrival to the first changed frame: until the next period is computed and its slice begins.
    package var waiting: Double
    /// From the first changed frame until half of the change is heard: tracking filter, smoothing, crossfade.
    package var tracking: Double
    /// From the computation of a frame to its playback, as JACK's ports report it.
    package var playback: Double

    /// Delay caused by software: all parts except the playback latency.
    package var software: Double { transport + waiting + tracking }
    /// From the packet to half of the change at the ears.
    package var total: Double { software + playback }
    /// From the packet to the computation of the first changed frame.
    package var onset: Double { transport + waiting }
}
