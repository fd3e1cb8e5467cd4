/// Takes the jitter out of arrival times of a stream that is sent at a regular rate.
///
/// A network only ever delays: the earliest arrivals lie on a line, arrival = offset + period · index, and every sample
/// was sent on that line. Indices come from the arrivals (a late one by more than a period is a lost sample before it);
/// the line is fitted through the earliest arrival of each of the last windows of 64 samples, and moves down at once
/// when a sample comes earlier than it allows. A constant delay cannot be seen one way. Where a stream is not regular,
/// arrivals are returned as they are. O(1) per sample; the minimum filter of NTP (Mills, RFC 5905 §10), with a fitted rate.
package struct StreamClock: Sendable {
    /// Samples per window: a second or less of any tracker, enough for one undelayed arrival.
    private static var windowLength: Int { 64 }
    /// Windows that the line is fitted through.
    private static var windowCount: Int { 8 }

    /// Seconds between samples; `nil` until a window has been seen, or where the stream is not regular.
    package private(set) var period: Double?
    private var offset = 0.0
    private var index = 0.0
    /// Samples since the clock began.
    private var count = 0
    /// Between the arrivals of the first window.
    private var intervals: [Double] = []
    private var lastArrival = -Double.infinity
    private var lastStamp = -Double.infinity
    /// Earliest arrivals: index and time, oldest first.
    private var envelope: [(index: Double, time: Double)] = []
    private var earliest: (index: Double, time: Double, excess: Double)?
    private var meanExcess = 0.0
    /// Arrivals in a row that came far too early, and lost samples of late: signs that the rate has changed.
    private var early = 0
    private var lossRate = 0.0

    package init() {}

    /// The time at which a sample was sent (plus the constant delay), always later than the one before. Arrivals in
    /// order.
    package mutating func stamp(arrival: Double) -> Double {
        // After a silence the phase is new.
        if arrival - lastArrival > 1 || arrival < lastArrival { self = StreamClock() }
        let interval = arrival - lastArrival
        lastArrival = arrival
        if count > 0, period == nil { intervals.append(interval) }
        count += 1
        var stamp = arrival
        if let period {
            stamp = follow(arrival, interval, period)
        } else if count == Self.windowLength {
            begin(arrival)
        }
        // Two samples that arrive together are still one after the other.
        stamp = max(stamp, lastStamp + 1e-4)
        lastStamp = stamp
        return stamp
    }

    private mutating func begin(_ arrival: Double) {
        // Intervals near a multiple of the usual one hold lost samples.
        let usual = intervals.sorted()[intervals.count / 2]
        guard usual > 1e-4 else { return self = StreamClock() }
        let steps = intervals.reduce(0) { $0 + max(1, ($1 / usual).rounded()) }
        period = intervals.reduce(0, +) / steps
        intervals = []
        index = 0
        offset = arrival
    }

    private mutating func follow(_ arrival: Double, _ interval: Double, _ period: Double) -> Double {
        // The line rises a little with every sample, and falls at once: an error of the period does not make it trail.
        offset += period * (envelope.count < Self.windowCount ? 0.005 : 0.0005)
        // After a long interval a sample was probably lost; otherwise only a whole period's lateness says so, lest a line
        // that is too steep lose samples that were there.
        let slack = interval > 1.4 * period ? 0.25 : 0.05
        let next = max(index + 1, ((arrival - offset) / period + slack).rounded(.down))
        lossRate += (min(4, next - index - 1) - lossRate) / 32
        index = next
        var excess = arrival - (offset + period * index)
        early = excess < -0.5 * period ? early + 1 : 0
        if early > 4 || lossRate > 0.4 {
            let stamp = arrival
            self = StreamClock()
            lastArrival = arrival
            lastStamp = stamp
            return stamp
        }
        if excess < 0 {
            offset += excess
            excess = 0
        }
        meanExcess += (excess - meanExcess) / 64
        if earliest.map({ excess < $0.excess }) ?? true { earliest = (index, arrival, excess) }
        if count % Self.windowLength == 0 { fit() }
        return meanExcess < 0.75 * period ? arrival - excess : arrival
    }

    /// Least squares through the earliest arrivals of the last windows.
    private mutating func fit() {
        guard let lowest = earliest else { return }
        earliest = nil
        envelope.append((lowest.index, lowest.time))
        if envelope.count > Self.windowCount { envelope.removeFirst() }
        guard envelope.count > 1, let old = period else {
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
        // The old rate weighs as much as two windows: the earliest arrivals of two may lie close together.
        let prior = 2 * Double(Self.windowLength * Self.windowLength)
        let slope = (xy + prior * old) / (xx + prior)
        period = slope
        // The line is laid through what was seen last, whatever the slope's error: it must not trail behind.
        offset = envelope.suffix(2).reduce(.infinity) { min($0, $1.time - slope * $1.index) }
    }
}
