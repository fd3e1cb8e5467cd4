/// Assigns a time of the host to every reading of one tracker's stream.
///
/// If the sender stamps its messages, its clock is related to the host's clock (`SenderLine`). This requires that the
/// stamps agree with the arrivals (`StampAgreement`) and do not scatter about a regular rate (`StampRegularity`).
/// Otherwise a regular rate is used (`ArrivalEnvelope`). The rate is exact if the messages are counted or the stamps
/// give the number of periods. Irregular streams keep their arrival times. A constant delay of the transmission cannot
/// be measured and remains.
///
/// A pure value: time is a parameter of every call. O(1) per reading apart from a fit of ten points every two seconds;
/// below 300 ns.
package struct StreamClock: Sendable {
    private var agreement = StampAgreement()
    private var regularity = StampRegularity()
    private var line = SenderLine()
    private var envelope = ArrivalEnvelope()
    private var counter = MessageCounter()
    private var setting = ClockSetting()
    private var spacing = SampleSpacing()
    private var hasStamps = false
    /// Nominal unit of the format's stamps, seconds.
    private var unit: Double?
    private var lastArrival = -Double.infinity
    private var lastTime: Double?
    /// The latest time so far, and the arrival of its reading.
    private var newest: (time: Double, arrival: Double)?
    private var lastKind: Kind?
    /// The last reading. A reading with the same stamp and values is the same message, received twice.
    private var last: TrackerReading?
    private var meanSquareLateness = 0.0
    private var latenessCount = 0.0
    private var resets = 0

    /// Kinds of readings that can come together in one message.
    private enum Kind { case orientation, inertial }

    /// Starts without readings.
    package init() {}

    /// Returns the host's time of a reading's measurement, seconds, plus the constant delay. It is not after the
    /// arrival, except that readings which arrive at the same moment are 0.1 ms apart (1 µs if counted).
    ///
    /// `arrival`: seconds of the host's monotonic clock, in order. Times never fall, with two exceptions. Overtaken
    /// messages get their own, earlier times. Times of the first second are corrected downwards when a less delayed
    /// message arrives. Events without a measurement get the time of the previous reading, but at most one second
    /// before the arrival.
    package mutating func time(of reading: TrackerReading, arrival: Double) -> Double {
        let kind: Kind
        switch reading.motion {
        case .orientation: kind = .orientation
        case .inertial: kind = .inertial
        case .recentre, .discontinuity:
            // A button is pressed between samples, so neither stamps nor the rate apply.
            return min(arrival, max(lastTime ?? arrival, arrival - 1))
        }
        defer { lastKind = kind }
        // Orientation and raw measurement of one message have the same time.
        if reading.stamp == nil, let lastTime, arrival == lastArrival, let lastKind, lastKind != kind {
            return lastTime
        }
        if isSenderBelieved, reading.sequence == nil, let lastTime, reading == last { return lastTime }
        last = reading
        let time = advance(reading.stamp, reading.sequence, arrival)
        lastArrival = arrival
        lastTime = time
        if time > newest?.time ?? -.infinity { newest = (time, arrival) }
        measureLateness(arrival - time)
        return time
    }

    /// Counts a refused measurement, so that later measurements keep their times.
    package mutating func skip(stamp: SenderStamp?, sequence: SenderSequence?, arrival: Double) {
        // If the stream has stamps or counts but the refused message lacks them, the next message accounts for it.
        guard stamp != nil || !hasStamps, sequence != nil || !counter.isCounting else { return }
        _ = advance(stamp, sequence, arrival)
    }

    private mutating func advance(_ stamp: SenderStamp?, _ sequence: SenderSequence?, _ arrival: Double) -> Double {
        let told = counter.steps(to: sequence)
        if counter.wasRestarted { resets += 1 }
        let steps = counter.isTrusted ? told : nil
        guard let stamp, stamp.seconds.isFinite else {
            hasStamps = false
            return envelope.time(arrival: arrival, steps: steps)
        }
        hasStamps = true
        unit = stamp.unit
        let sent = agreement.take(stamp, arrival: arrival)
        if agreement.wasRescaled {
            (line, regularity, spacing, setting) = (SenderLine(), StampRegularity(), SampleSpacing(), ClockSetting())
        }
        let interval = arrival - lastArrival
        let finding = setting.take(
            sent, interval: interval, count: steps, period: isSenderBelieved ? regularity.period : nil,
            lateness: line.lateness(of: sent, at: arrival))
        if agreement.isBelieved, finding == .set {
            regularity.resume(at: sent)
            line.set(to: sent, at: timeAfterSetting(steps, arrival))
        } else if agreement.isBelieved, finding == .older, steps == nil {
            // The stamp contains no information on the rate. Its message was overtaken, or the next stamp will show
            // that the clock was set.
        } else if agreement.isBelieved {
            regularity.take(sent, interval: interval, count: steps)
        } else {
            regularity = StampRegularity()
        }
        if regularity.wasMiscounted { envelope.restart() }
        let known = steps ?? regularity.steps
        let ofSender = line.time(of: agreement.isBelieved ? regularity.smoothed(sent) : sent, arrival: arrival)
        let ofRate = envelope.time(
            arrival: arrival, steps: known, stamped: steps == nil && known != nil ? regularity.period : nil)
        guard isSenderBelieved || (isScattered && isRateRough(steps)) else { return ofRate }
        // One restart of the sender restarts its count and its clock, but counts once.
        if line.wasReset, !counter.wasRestarted { resets += 1 }
        spacing.take(line.advance, steps: steps)
        return ofSender
    }

    /// Returns the time of a reading whose stamp is the first after the clock was set. It is the latest time plus the
    /// number of periods that were counted, or that fit between the arrivals.
    private func timeAfterSetting(_ steps: Int?, _ arrival: Double) -> Double {
        guard let newest, let period = regularity.period else { return arrival }
        let periods = steps.map(Double.init) ?? max(1, ((arrival - newest.arrival) / period).rounded())
        return min(arrival, newest.time + periods * period)
    }

    /// Whether the stamps are trusted but scatter about a regular rate.
    private var isScattered: Bool {
        agreement.isBelieved && (regularity.judgement == .scattered || regularity.judgement == .rounded)
    }

    /// Whether the arrivals are farther from a regular rate than the stamps are, and no count corrects them.
    private func isRateRough(_ steps: Int?) -> Bool {
        (steps == nil || envelope.period == nil) && regularity.deviation < regularity.arrivalDeviation
    }

    /// Whether the times are derived from the unsmoothed stamps.
    private var isSenderBelieved: Bool {
        guard hasStamps, agreement.isBelieved else { return false }
        switch regularity.judgement {
        case .unknown: return regularity.looksExact
        case .exact: return true
        case .scattered, .rounded: return false
        }
    }

    /// Faults of the stamps; empty without a fault or without stamps.
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

    /// Measured timing of the stream.
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
        // A delay of more than a second is a stall, not jitter.
        let bounded = min(late, 1)
        meanSquareLateness += (bounded * bounded - meanSquareLateness) / latenessCount
    }
}
