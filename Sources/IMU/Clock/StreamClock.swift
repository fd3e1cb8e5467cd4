/// Gives every reading of one tracker's stream a time of the host.
///
/// Where the sender stamps its messages, its clock is tied to ours (`SenderLine`); where it does not, a regular rate is
/// made use of (`ArrivalEnvelope`), exactly where it counts its messages; all else keeps its time of arrival. In all
/// cases a constant delay of the way cannot be seen and stays in. A pure value: time comes in with every call. O(1) per
/// reading but for a fit of ten points every two seconds; below 200 ns.
package struct StreamClock: Sendable {
    private var line = SenderLine()
    private var envelope = ArrivalEnvelope()
    private var counter = MessageCounter()
    private var spacing = SampleSpacing()
    private var hasStamps = false
    private var lastArrival = -Double.infinity
    private var lastTime: Double?
    private var lastKind: Kind?
    private var meanSquareLateness = 0.0
    private var latenessCount = 0.0
    private var resets = 0

    /// What kinds of readings one message may hold side by side.
    private enum Kind { case orientation, inertial }

    /// A clock that has seen nothing.
    package init() {}

    /// The time of the host, seconds, at which a reading was measured (plus the constant delay), not after its arrival
    /// (several that come in one moment are set a tenth of a millisecond apart).
    ///
    /// `arrival`: seconds of the host's monotonic clock, in order. Times rise, except that messages that were overtaken
    /// come back with their own, earlier times, and that the first second's are corrected downwards when a less delayed
    /// one comes. Events without a measurement get the time of the one before.
    package mutating func time(of reading: TrackerReading, arrival: Double) -> Double {
        let kind: Kind
        switch reading.motion {
        case .orientation: kind = .orientation
        case .inertial: kind = .inertial
        case .recentre, .discontinuity:
            // Buttons are pressed between samples: neither stamps nor the rate can be relied on.
            return min(arrival, max(lastTime ?? arrival, arrival - 1))
        }
        defer { lastKind = kind }
        // Orientation and raw measurement out of one message belong to one moment.
        if reading.stamp == nil, let lastTime, arrival == lastArrival, let lastKind, lastKind != kind {
            return lastTime
        }
        let steps = counter.steps(to: reading.sequence)
        if steps == nil, reading.sequence != nil { resets += 1 }
        let time: Double
        if let stamp = reading.stamp, stamp.seconds.isFinite {
            hasStamps = true
            time = line.time(of: stamp, arrival: arrival)
            if line.wasReset { resets += 1 }
            spacing.take(line.advance, steps: counter.isTrusted ? steps : nil)
        } else {
            hasStamps = false
            time = envelope.time(arrival: arrival, steps: counter.isTrusted ? steps : nil)
        }
        lastArrival = arrival
        lastTime = time
        measureLateness(arrival - time)
        return time
    }

    /// What has been found out about the stream.
    package var timing: StreamTiming {
        var result = StreamTiming()
        result.source = hasStamps ? .sender : envelope.isUsed ? .rate : .arrival
        result.period = hasStamps ? spacing.period : envelope.period
        result.jitter = latenessCount >= 64 ? meanSquareLateness.squareRoot() : nil
        if counter.isTrusted, counter.isCounting {
            (result.lost, result.loss) = (counter.lost, counter.loss)
        }
        result.skewPPM = hasStamps ? line.skew.map { $0 * 1e6 } : nil
        result.resets = resets
        return result
    }

    private mutating func measureLateness(_ late: Double) {
        latenessCount = min(512, latenessCount + 1)
        // A hold-up of a second is a stall, not jitter.
        let bounded = min(late, 1)
        meanSquareLateness += (bounded * bounded - meanSquareLateness) / latenessCount
    }
}
