import Signal

/// Finds in recorded sound when it followed a motion that was sent as a packet, and where the time went. A pure
/// function.
///
/// The programme repeats itself exactly every `repetition` frames, so that with a still head the output does too: what
/// differs from the repetitions before a step is what the step did. How far the change has come at a frame is the
/// projection of the difference onto the difference in the end, over 64 frames (the least squares share): 0 before, 1
/// after, and nearly linear in the angle between for the small steps used. The repetition divides the period: where the
/// server skips periods the programme's phase stays.
package struct LatencyRecording: Sendable {
    /// One step of the head.
    package struct Step: Hashable, Sendable {
        /// Host seconds at which its packet was handed to the socket.
        package var sent: Double
        /// Host seconds at which the decoder had it.
        package var arrived: Double
        /// Whether the sender's packets before it left in time.
        package var isSteady: Bool

        /// A step.
        package init(sent: Double, arrived: Double, isSteady: Bool = true) {
            self.sent = sent
            self.arrived = arrived
            self.isSteady = isSteady
        }
    }

    /// When a frame of the stream is heard.
    package struct Mark: Hashable, Sendable {
        /// Frames since the recording's first.
        package var frame: Int
        /// Host seconds.
        package var heardAt: Double

        /// A mark.
        package init(frame: Int, heardAt: Double) {
            self.frame = frame
            self.heardAt = heardAt
        }
    }

    /// Frames that are averaged, in whole repetitions, for the sound before and after.
    private static let averaged = 4096
    /// Frames over which the share of the change is measured.
    private static let window = 64
    /// The share of the final change at which the sound counts as changed at all.
    private static let least: Float = 0.02

    /// Both ears, samples in order.
    package var ears: [[Float]]
    /// Frames per second.
    package var sampleRate: Double
    /// When frames are heard, in order.
    package var marks: [Mark]
    /// Seconds of that which JACK reports as playback latency.
    package var playback: Double
    /// Seconds of one period.
    package var period: Double
    /// In order; the sound must have half a second after each.
    package var steps: [Step]
    /// Frames after which the programme repeats.
    package var repetition: Int

    /// The programme's repetition for a period: its largest divisor up to 128 frames, or 128 where there is none worth
    /// it.
    package static func repetition(forPeriod frames: Int) -> Int {
        (16...128).last { frames % $0 == 0 } ?? 128
    }

    /// A recording.
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

    /// The delay of each step that can be seen in the sound, in order. O(frames).
    ///
    /// - Throws: `noTimes` where steps were taken and nothing says when a frame was heard.
    package func delays() throws(LatencyError) -> [MotionDelay] {
        guard !steps.isEmpty else { return [] }
        guard !marks.isEmpty else { throw .noTimes }
        // A cycle may run later than the server says it began, and then knows of packets sent meanwhile.
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
        // The first frame that differs by more than the threshold, and by more than anything just before the step did.
        let unrest = ((begin - 1024)..<begin).reduce(Float(0)) {
            max($0, abs(difference(0, $1)), abs(difference(1, $1)))
        }
        let threshold = max(least, 2 * unrest)
        guard
            // As far as a share of the change can be measured around a frame.
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

    /// The least squares share of the final change in the difference around a frame.
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

    /// The mean repetition of the last ones that end at a frame, indexed by frame modulo the repetition.
    private func mean(of ear: [Float], endingAt end: Int) -> [Float] {
        var sum = [Float](repeating: 0, count: repetition)
        let count = Self.averaged / repetition
        for frame in (end - count * repetition)..<end { sum[frame % repetition] += ear[frame] }
        return sum.map { $0 / Float(count) }
    }

    /// Whether the server left out a period between two frames: what follows is heard later than it should be.
    private func isInterrupted(from begin: Int, to end: Int) -> Bool {
        let first = max(1, upperBound { $0.frame < begin })
        let last = upperBound { $0.frame <= end }
        return first < last
            && (first..<last).contains { index in
                let (one, two) = (marks[index - 1], marks[index])
                return two.heardAt - one.heardAt - Double(two.frame - one.frame) / sampleRate > 0.5 * period
            }
    }

    /// When a frame is heard; after the last mark at or before it.
    private func heard(_ frame: Double) -> Double {
        let mark = marks[max(0, upperBound { Double($0.frame) <= frame } - 1)]
        return mark.heardAt + (frame - Double(mark.frame)) / sampleRate
    }

    /// The frame whose place in its period is computed at a moment: `heard` solved for the frame, less the playback.
    private func frame(computedAt moment: Double) -> Int {
        let mark = marks[max(0, upperBound { $0.heardAt - playback <= moment } - 1)]
        return mark.frame + Int(((moment - (mark.heardAt - playback)) * sampleRate).rounded(.down))
    }

    /// How many marks at the beginning fulfil a condition that all before the last of them do.
    private func upperBound(_ isBefore: (Mark) -> Bool) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Why a recording tells nothing of delays.
package enum LatencyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No frame of it has a time at which it was heard.
    case noTimes

    /// Why, and what to do.
    package var description: String {
        switch self {
        case .noTimes:
            "nothing says when the sound was heard: the server is in freewheel; end that, and measure in real time"
        }
    }
}

/// Where the time went between a motion and the sound of it, seconds; the parts sum to `total`.
package struct MotionDelay: Hashable, Sendable, Codable {
    /// Whether the JACK server skipped periods from 50 ms before the step until its sound, or the sender was held up.
    package var isDisturbed = false
    /// From the sender's call to the decoder's hands: socket, scheduling.
    package var transport: Double
    /// From there to the first frame that sounds otherwise: until the next period is computed and its slice begins.
    package var waiting: Double
    /// From there until half of the change is heard: filter, easing, fade.
    package var tracking: Double
    /// From computing a frame to hearing it, as JACK's ports report it.
    package var playback: Double

    /// What software does: all but the playback latency.
    package var software: Double { transport + waiting + tracking }
    /// From the packet to half of the change in the ears.
    package var total: Double { software + playback }
    /// From the packet to the first frame that differs, as computed.
    package var onset: Double { transport + waiting }
}
