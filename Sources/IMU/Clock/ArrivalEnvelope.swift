/// Removes the jitter from arrival times of a stream that is sent at a regular rate.
///
/// A network can only delay. If the samples are sent at a regular rate, the earliest arrivals lie on a line, arrival =
/// offset + period · index, and every sample was sent at its time on this line. The line is fitted to the earliest
/// arrival of each of the last windows of 64 samples. In addition, the line is raised a little with every sample, so
/// that it also follows a longer period. An arrival before the line moves the line down immediately.
///
/// Lost samples shift the indices. If all of the last eight samples are late by more than 0.6 periods, the least of
/// these delays gives the number of lost samples, at least one. Until then a sample that is late by more than 0.75
/// periods is assigned to a later point of the line. If the sender counts its samples, the index is known exactly. A
/// constant delay cannot be measured in one direction. If the jitter is large or the stream is not regular, the
/// arrivals are returned unchanged.
///
/// O(1) per sample apart from the fit. The method is the minimum filter of NTP (Mills, RFC 5905 §10) with a fitted
/// rate. Jitter of half a period shrinks to about 2 % of a period RMS.
struct ArrivalEnvelope: Sendable {
    /// Number of windows over which a rate that was estimated from few samples is measured again, and number of samples
    /// in each of these windows.
    private static let (roughCount, roughLength) = (4, 16)
    /// Number of samples per window. A window lasts 0.6 s at 100 samples a second and 2.6 s at 25; at least one of its
    /// arrivals is normally hardly delayed.
    private static var windowLength: Int { 64 }
    /// Number of windows in the fit of the line.
    private static var windowCount: Int { 8 }
    /// Number of successive samples that must all be late before samples count as lost.
    private static var witnessCount: Int { 8 }
    /// Greatest difference between the arrival and the time of a counted sample, seconds: the longest usual delay of a
    /// network.
    private static var longestDelay: Double { 0.1 }

    /// Seconds between samples; `nil` before the first window is full.
    private(set) var period: Double?
    private var offset = 0.0
    private var index = 0.0
    /// Number of samples since the last restart.
    private var count = 0
    /// Intervals between the arrivals of the first window, seconds.
    private var intervals: [Double] = []
    /// Number of samples in each interval of `intervals`; 0 if the sender does not count them.
    private var spans: [Int] = []
    private var lastArrival = -Double.infinity
    private var lastStamp = -Double.infinity
    /// Earliest arrivals of the last windows, oldest first.
    private var envelope: [(index: Double, time: Double)] = []
    /// Earliest arrival of the present window.
    private var earliest: (index: Double, time: Double, excess: Double)?
    /// Delays of the last uncounted samples relative to the line, seconds.
    private var witnesses: [Double] = []
    /// Delays of the last counted samples relative to the line, and the numbers of periods between the samples.
    private var trend = DelayTrend()
    /// Mean delay of the samples relative to the line, each limited to one period; seconds.
    private var meanExcess = 0.0
    /// Recent share of samples that were lost or far too early. A large share means that the rate has changed.
    private var strangeness = 0.0

    /// Number of samples last assumed lost without certainty, and the value of `count` then.
    private var guessed = (steps: 0.0, at: 0)

    /// Number of windows still to be measured for a rate that was estimated from few samples.
    private var rough = 0

    /// Whether times are at present derived from the rate, rather than from the arrivals.
    var isUsed: Bool { period.map { areCounted || meanExcess < 0.75 * $0 } ?? false }
    /// Whether the caller gave the number of periods from the previous sample to the newest one.
    private var areCounted = false

    /// Returns the time at which a sample was sent (plus the constant delay). It is later than the previous sample's
    /// unless `steps` is 0 or less. Call it in order of arrival. `steps`: number of samples since the newest one, 0 for
    /// a repeated sample, less for an overtaken one, nil if unknown. `stamped`: seconds between samples if `steps` was
    /// derived from the sender's stamps; an arrival that is too early then reduces `steps`.
    mutating func time(arrival: Double, steps: Int? = nil, stamped: Double? = nil) -> Double {
        // After a silence the phase of the rate is unknown, so the estimate begins anew.
        if arrival - lastArrival > 1 || arrival < lastArrival { restart(keepingTimes: false) }
        if let steps, steps <= 0, count > 0 {
            return steps == 0 ? lastStamp : lastStamp + Double(steps) * (period ?? 0)
        }
        areCounted = steps != nil
        if count > 0, period == nil {
            intervals.append(arrival - lastArrival)
            spans.append(stamped == nil ? steps ?? 0 : 0)
        }
        lastArrival = arrival
        count += 1
        var stamp = arrival
        if let period {
            stamp = follow(arrival, period, steps, isCertain: stamped == nil)
        } else if count == Self.windowLength {
            begin(arrival, stamped)
        }
        // Samples that arrive together get successive times.
        stamp = max(stamp, lastStamp + (areCounted ? 1e-6 : 1e-4))
        lastStamp = stamp
        return stamp
    }

    private mutating func begin(_ arrival: Double, _ stamped: Double?) {
        defer { (intervals, spans) = ([], []) }
        (index, offset) = (0, arrival)
        let sorted = intervals.sorted()
        let usual = sorted[sorted.count / 2]
        guard usual > 1e-4 || stamped != nil else { return restart() }
        // If the intervals are alike, an interval near a multiple of the usual one contains lost samples. If they
        // scatter, no loss is assumed: a period slightly too long is less harmful than a period too short.
        let areAlike = sorted[sorted.count * 9 / 10] < 1.4 * usual
        let steps = zip(intervals, spans).reduce(0.0) { sum, next in
            sum + (next.1 > 0 ? Double(next.1) : areAlike ? max(1, (next.0 / usual).rounded()) : 1)
        }
        period = intervals.reduce(0, +) / steps
        // Stamps give the rate more accurately than delayed arrivals.
        if let stamped, let own = period, !areAlike || abs(own / stamped - 1) > 0.01 { period = stamped }
    }

    private mutating func follow(
        _ arrival: Double, _ period: Double, _ steps: Int?, isCertain: Bool
    ) -> Double {
        index += Double(steps ?? 1)
        // The line rises a little with every sample, so that it also follows a stream whose period is longer than
        // `period`.
        offset += period * (envelope.count < Self.windowCount ? 0.005 : 0.0005)
        var excess = arrival - (offset + period * index)
        if let steps, steps > 1, !isCertain { guessed = (Double(steps - 1), count) }
        if excess < -0.5 * period, guessed.steps > 0, count - guessed.at < Self.windowLength {
            let surplus = min(guessed.steps, (-excess / period).rounded())
            guessed.steps -= surplus
            index -= surplus
            excess += surplus * period
        }
        var oddity = excess < -0.5 * period ? 1.0 : 0
        if excess < 0 {
            offset += excess
            excess = 0
        }
        if let steps {
            witnesses = []
            trend.take(excess, steps: steps, period: period, usual: meanExcess)
            switch trend.finding {
            case .none: break
            case .slower(let found):
                slow(to: found, arrival)
                return arrival
            case .paused(let late):
                offset += late
                excess -= late
                trend = DelayTrend()
            }
        } else {
            trend = DelayTrend()
            witnesses.append(excess)
        }
        if witnesses.count > Self.witnessCount { witnesses.removeFirst() }
        if witnesses.count == Self.witnessCount, let least = witnesses.min(), least > 0.6 * period {
            let lost = max(1, (least / period).rounded())
            index += lost
            excess = max(0, excess - lost * period)
            witnesses = []
            oddity = min(4, lost)
        }
        strangeness += (oddity - strangeness) / 64
        if strangeness > 0.25 {
            restart()
            return arrival
        }
        meanExcess += (min(excess, period) - meanExcess) / 64
        if earliest.map({ excess < $0.excess }) ?? true { earliest = (index, arrival, excess) }
        if count % (rough > 0 ? Self.roughLength : Self.windowLength) == 0 { fit(period) }
        // A sample that is later than `longestDelay` may belong to another rate, so its time follows its arrival.
        if steps != nil { return arrival - min(excess, Self.longestDelay) }
        // If the sample is late by more than 0.75 periods, an earlier sample was probably lost. The sample then belongs
        // to a later point of the line.
        let late = excess - period * max(0, (excess / period + 0.25).rounded(.down))
        return meanExcess < 0.75 * period ? arrival - max(0, late) : arrival
    }

    /// Restarts the envelope. `keepingTimes`: whether the last arrival and the last returned time are kept; nothing
    /// else is kept.
    mutating func restart(keepingTimes: Bool = true) {
        let old = self
        self = ArrivalEnvelope()
        if keepingTimes { (lastArrival, lastStamp) = (old.lastArrival, old.lastStamp) }
    }

    /// Continues at a slower rate from an arrival.
    private mutating func slow(to found: Double, _ arrival: Double) {
        restart()
        (period, count, offset, rough) = (found, Self.windowLength, arrival, Self.roughCount)
    }

    /// Fits a line by least squares through the earliest arrivals of the last windows.
    private mutating func fit(_ old: Double) {
        guard let lowest = earliest else { return }
        earliest = nil
        envelope.append((lowest.index, lowest.time))
        if envelope.count > Self.windowCount { envelope.removeFirst() }
        guard envelope.count > 1 else {
            offset += lowest.excess
            return
        }
        let n = Double(envelope.count)
        let meanIndex = envelope.reduce(0) { $0 + $1.index } / n
        let meanTime = envelope.reduce(0) { $0 + $1.time } / n
        var (xx, xy) = (0.0, 0.0)
        for point in envelope {
            let x = point.index - meanIndex
            xx += x * x
            xy += x * (point.time - meanTime)
        }
        // The previous rate has the weight of two windows, because the earliest arrivals of windows may lie close
        // together.
        let prior = rough > 0 ? 0 : 0.5 * Double(Self.windowLength * Self.windowLength)
        rough = max(0, rough - 1)
        let slope = (xy + prior * old) / (xx + prior)
        period = slope
        // Even if the slope is wrong, neither of the two newest of these arrivals may lie before the line.
        offset = envelope.suffix(2).reduce(.infinity) { min($0, $1.time - slope * $1.index) }
    }
}
