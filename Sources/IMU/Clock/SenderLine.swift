/// Relates a sender's clock to the host's clock by the arrivals of messages in one direction.
///
/// A network can only delay: arrival = stamp + offset + skew · stamp + delay with delay ≥ 0, so the earliest arrivals
/// lie on a line. The earliest arrival of each window of two seconds is kept, and a line is fitted to the last ten of
/// them. The skew is limited to ±500 ppm, ten times the skew of quartz. An arrival before the line moves the line down
/// immediately; only the fit can raise the line. A jump of the sender's time (a restart, a clock that is set, a sleep)
/// restarts the line.
///
/// This is the minimum filter of NTP (Mills, RFC 5905 §10) with the skew of Moon, Skelly & Towsley, "Estimation and
/// Removal of Clock Skew from Network Delay Measurements" (INFOCOM 1999), over a sliding window. O(1) per stamp apart
/// from the fit.
struct SenderLine: Sendable {
    /// Length of a window, seconds. A window contains some hundred samples, of which at least one has hardly any delay.
    private static var windowLength: Double { 2 }
    /// Number of windows in the fit: enough to measure the skew, and few enough to follow its change with temperature.
    private static var windowCount: Int { 10 }
    /// Greatest permitted skew.
    private static var greatestSkew: Double { 500e-6 }
    /// Weight of the previous skew in the fit, s². It equals the weight of two windows that are 2.8 s apart.
    private static var prior: Double { 4 }
    /// The sender's time has jumped if an arrival is before the line, or a stamp older than the newest one, by more
    /// than this time; seconds.
    private static var jump: Double { 1 }
    /// Delay that counts as a stall of the sender's clock if it lasts for half a second and nine samples; seconds.
    private static var stall: Double { 0.25 }
    /// If the earliest arrivals of two successive windows are later than the line by more than this time, seconds, the
    /// older windows are dropped. Skew causes less.
    private static var rise: Double { 0.005 }

    /// Host seconds per sender second, minus one; `nil` until two windows are complete.
    private(set) var skew: Double?
    /// Sender seconds since the newest earlier stamp; `nil` for the first stamp, after a reset, and for a stamp that is
    /// not newer.
    private(set) var advance: Double?
    /// Whether the last stamp was older than an earlier one.
    private(set) var wasOvertaken = false
    /// Whether the last stamp restarted the line.
    private(set) var wasReset = false
    /// Origin of stamps and arrivals, so that the numbers stay small.
    private var origin = (stamp: 0.0, arrival: 0.0)
    /// The newest stamp, relative to the origin.
    private var newest: Double?
    /// Host time minus stamp at the stamp `reference`; both are relative to the origin.
    private var offset = 0.0
    private var reference = 0.0
    private var windowStart = 0.0
    /// Earliest arrival of the present window: its stamp, and host time minus stamp.
    private var earliest: (stamp: Double, offset: Double)?
    private var windows: [(stamp: Double, offset: Double)] = []
    private var lateSince: (arrival: Double, count: Int)?
    private var backward = 0

    /// Returns the host's time of a stamp (sender's seconds, unwrapped). It is never after the arrival.
    mutating func time(of stamp: Double, arrival: Double) -> Double {
        (wasReset, wasOvertaken) = (false, false)
        guard let newest else { return begin(stamp, arrival) }
        let now = arrival - origin.arrival
        let sent = stamp - origin.stamp
        let excess = now - sent - line(at: sent)
        if excess < -Self.jump || sent < newest - Self.jump || isStuck(excess, arrival) {
            wasReset = true
            return begin(stamp, arrival)
        }
        // The message was overtaken, or the reading is the second one of a message. A sender that restarts soon after
        // its start sends a series of such stamps.
        guard sent > newest else {
            wasOvertaken = sent < newest
            backward = wasOvertaken ? backward + 1 : 0
            if backward > 8 {
                wasReset = true
                return begin(stamp, arrival)
            }
            advance = nil
            return min(arrival, hostTime(sent))
        }
        backward = 0
        advance = sent - newest
        self.newest = sent
        if excess < 0 {
            offset += excess
            // If an arrival is earlier than the line by more than `rise`, the line was fitted to delayed arrivals, or
            // the sender's clock was set. The old windows are then useless.
            if excess < -Self.rise { windows = [] }
        }
        let own = now - sent
        if earliest.map({ own - line(at: sent) < $0.offset - line(at: $0.stamp) }) ?? true { earliest = (sent, own) }
        if arrival >= windowStart + Self.windowLength { close(arrival, sent) }
        return min(arrival, hostTime(sent))
    }

    /// Returns the seconds from the earliest possible arrival of a stamp to its actual arrival; 0 before the first
    /// stamp. A value below 0 means that the line is still too late, or that the sender's clock was set.
    func lateness(of stamp: Double, at arrival: Double) -> Double {
        let sent = stamp - origin.stamp
        return newest == nil ? 0 : arrival - origin.arrival - sent - line(at: sent)
    }

    /// Continues from a stamp whose host time is known, after the sender's clock was set. This does not count as a
    /// reset.
    mutating func set(to stamp: Double, at time: Double) {
        _ = begin(stamp, time)
    }

    private func line(at stamp: Double) -> Double { offset + (skew ?? 0) * (stamp - reference) }
    private func hostTime(_ sent: Double) -> Double { origin.arrival + sent + line(at: sent) }

    private mutating func begin(_ stamp: Double, _ arrival: Double) -> Double {
        // The skew is kept, because a restart does not change the sender's crystal.
        let (skew, wasReset) = (skew, wasReset)
        self = SenderLine()
        (self.skew, self.wasReset) = (skew, wasReset)
        origin = (stamp, arrival)
        newest = 0
        windowStart = arrival
        earliest = (0, 0)
        return arrival
    }

    /// Returns whether samples have been late for so long that the sender's clock must have stopped for a while.
    private mutating func isStuck(_ excess: Double, _ arrival: Double) -> Bool {
        guard excess > Self.stall else {
            lateSince = nil
            return false
        }
        let since = lateSince ?? (arrival, 0)
        lateSince = (since.arrival, since.count + 1)
        return since.count >= 8 && arrival - since.arrival > 0.5
    }

    /// Ends a window: adds its earliest arrival to the windows of the fit, and fits the line.
    private mutating func close(_ arrival: Double, _ newest: Double) {
        windowStart = arrival
        guard let lowest = earliest else { return }
        earliest = nil
        windows.append(lowest)
        if windows.count > Self.windowCount { windows.removeFirst() }
        if windows.count > 2, windows.suffix(2).allSatisfy({ $0.offset - line(at: $0.stamp) > Self.rise }) {
            windows = windows.suffix(2)
        }
        let n = Double(windows.count)
        let meanStamp = windows.reduce(0) { $0 + $1.stamp } / n
        let meanOffset = windows.reduce(0) { $0 + $1.offset } / n
        if windows.count > 1 {
            var (xx, xy) = (0.0, 0.0)
            for window in windows {
                let x = window.stamp - meanStamp
                xx += x * x
                xy += x * (window.offset - meanOffset)
            }
            let slope = (xy + Self.prior * (skew ?? 0)) / (xx + Self.prior)
            skew = max(-Self.greatestSkew, min(Self.greatestSkew, slope))
        }
        reference = newest
        offset = meanOffset + (skew ?? 0) * (newest - meanStamp)
        // No recent arrival may lie before the line.
        let violation = windows.suffix(2).reduce(0.0) { min($0, $1.offset - line(at: $1.stamp)) }
        offset += violation
    }
}
