/// Gives every reading of one tracker's stream a time of the host.
///
/// Where the sender stamps its messages, its clock is tied to ours (`SenderLine`), as far as the stamps agree with the
/// arrivals (`StampAgreement`) and do not scatter about a regular rate (`StampRegularity`). Else a regular rate is made
/// use of (`ArrivalEnvelope`), exactly where the messages are counted or the stamps tell how many periods went by; all
/// else keeps its time of arrival. In all cases a constant delay of the way cannot be seen and stays in. A pure value:
/// time comes in with every call. O(1) per reading but for a fit of ten points every two seconds; below 300 ns.
package struct StreamClock: Sendable {
    private var agreement = StampAgreement()
    private var regularity = StampRegularity()
    private var line = SenderLine()
    private var envelope = ArrivalEnvelope()
    private var counter = MessageCounter()
    private var spacing = SampleSpacing()
    private var hasStamps = false
    /// What the format says of its stamps' unit, seconds.
    private var unit: Double?
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
        let time = advance(reading.stamp, reading.sequence, arrival)
        lastArrival = arrival
        lastTime = time
        measureLateness(arrival - time)
        return time
    }

    /// Lets a measurement that was refused go by, so that those after it keep their times.
    package mutating func skip(stamp: SenderStamp?, sequence: SenderSequence?, arrival: Double) {
        // What a refused message did not tell the next one does.
        guard stamp != nil || !hasStamps, sequence != nil || !counter.isCounting else { return }
        _ = advance(stamp, sequence, arrival)
    }

    private mutating func advance(_ stamp: SenderStamp?, _ sequence: SenderSequence?, _ arrival: Double) -> Double {
        let told = counter.steps(to: sequence)
        if told == nil, sequence != nil { resets += 1 }
        let steps = counter.isTrusted ? told : nil
        guard let stamp, stamp.seconds.isFinite else {
            hasStamps = false
            return envelope.time(arrival: arrival, steps: steps)
        }
        hasStamps = true
        unit = stamp.unit
        let sent = agreement.take(stamp, arrival: arrival)
        if agreement.wasRescaled { (line, regularity, spacing) = (SenderLine(), StampRegularity(), SampleSpacing()) }
        if agreement.isBelieved {
            regularity.take(sent, interval: arrival - lastArrival, count: steps)
        } else {
            regularity = StampRegularity()
        }
        if regularity.wasMiscounted { envelope.restart() }
        let known = steps ?? regularity.steps
        let ofSender = line.time(of: agreement.isBelieved ? regularity.smoothed(sent) : sent, arrival: arrival)
        let ofRate = envelope.time(
            arrival: arrival, steps: known, stamped: steps == nil && known != nil ? regularity.period : nil)
        guard isSenderBelieved || (isScattered && isRateRough(steps)) else { return ofRate }
        if line.wasReset { resets += 1 }
        spacing.take(line.advance, steps: steps)
        return ofSender
    }

    /// Whether the stamps are a clock's that scatter about a regular rate.
    private var isScattered: Bool {
        agreement.isBelieved && (regularity.judgement == .scattered || regularity.judgement == .rounded)
    }

    /// Whether arrivals lie farther off a regular rate than stamps do, and no count tells of it.
    private func isRateRough(_ steps: Int?) -> Bool {
        (steps == nil || envelope.period == nil) && regularity.deviation < regularity.arrivalDeviation
    }

    /// Whether the times are those of the stamps.
    private var isSenderBelieved: Bool {
        guard hasStamps, agreement.isBelieved else { return false }
        switch regularity.judgement {
        case .unknown: return regularity.looksExact
        case .exact: return true
        case .scattered, .rounded: return false
        }
    }

    /// What is wrong with the stamps; empty where nothing is, or where there are none.
    private var faults: [StampFault] {
        guard hasStamps else { return [] }
        var found: [StampFault] = []
        if agreement.factor != 1 { found.append(.unit(factor: agreement.factor, unit: unit)) }
        if let fault = agreement.fault {
            found.append(fault)
        } else if regularity.judgement == .scattered {
            found.append(.jitter(regularity.deviation))
        } else if regularity.judgement == .rounded, regularity.isCoarse {
            found.append(.quantised(regularity.quantum))
        }
        return found
    }

    /// What has been found out about the stream.
    package var timing: StreamTiming {
        var result = StreamTiming()
        result.source = isSenderBelieved ? .sender : envelope.isUsed ? .rate : .arrival
        result.period = isSenderBelieved ? spacing.period : envelope.period
        result.jitter = latenessCount >= 64 ? meanSquareLateness.squareRoot() : nil
        if counter.isTrusted, counter.isCounting {
            (result.lost, result.loss) = (counter.lost, counter.loss)
        }
        result.skewPPM = isSenderBelieved ? line.skew.map { $0 * 1e6 } : nil
        result.resets = resets
        result.faults = faults
        return result
    }

    private mutating func measureLateness(_ late: Double) {
        latenessCount = min(512, latenessCount + 1)
        // A hold-up of a second is a stall, not jitter.
        let bounded = min(late, 1)
        meanSquareLateness += (bounded * bounded - meanSquareLateness) / latenessCount
    }
}
