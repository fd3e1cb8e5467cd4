import Glibc

/// Unwraps a sender's stamps and compares how they advance with how messages arrive: in which unit they count, and
/// whether they are a clock's at all.
///
/// Windows of half a second until the first says something, then of two seconds. What the first shows is believed;
/// another unit, and whatever contradicts what was found before, must show in two windows in succession. Before the
/// first is over stamps are believed while they advance by between a third and three times as much as arrivals. O(1)
/// per stamp.
struct StampAgreement: Sendable {
    /// Seconds of arrivals per window, before and after the first finding.
    private static let (firstLength, length) = (0.5, 2.0)

    /// What is wrong with them beside their unit; `nil` where nothing is, and while it is not known.
    private(set) var fault: StampFault?
    /// What stamps are multiplied by: a power of ten.
    private(set) var factor = 1.0
    /// The factor changed with the last stamp: what was made of earlier ones is void.
    private(set) var wasRescaled = false

    private var found: StampWindow.Finding?
    private var suspected: StampWindow.Finding?
    private var window = StampWindow()
    private var last: (stamp: Double, arrival: Double)?
    private var usualInterval = 0.0
    private var count = 0.0

    /// Whether they are a clock's, as far as is known.
    var isBelieved: Bool {
        if let found { return found == .agrees }
        return suspected == nil && window.isPlausible
    }

    /// The stamp unwrapped, in seconds of the sender.
    mutating func take(_ stamp: SenderStamp, arrival: Double) -> Double {
        wasRescaled = false
        var sent = stamp.seconds * factor
        guard let last else {
            last = (sent, arrival)
            return sent
        }
        let interval = arrival - last.arrival
        if let wrap = stamp.wrap, wrap.isFinite, wrap > 0 {
            sent += wrap * factor * ((last.stamp + interval - sent) / (wrap * factor)).rounded()
        }
        self.last = (sent, arrival)
        // After a silence nothing can be compared.
        guard (0...1).contains(interval) else {
            window = StampWindow()
            return sent
        }
        count = min(64, count + 1)
        usualInterval += (interval - usualInterval) / count
        window.add(sent - last.stamp, interval: interval, usual: usualInterval)
        guard let finding = window.finding(after: found == nil ? Self.firstLength : Self.length) else { return sent }
        consider(finding)
        window = StampWindow()
        guard wasRescaled else { return sent }
        sent = stamp.seconds * factor
        self.last = (sent, arrival)
        return sent
    }

    private mutating func consider(_ finding: StampWindow.Finding) {
        if finding == found {
            suspected = nil
            return
        }
        let isFirst: Bool
        switch finding {
        case .unit, .otherRate: isFirst = false
        default: isFirst = found == nil
        }
        guard isFirst || finding == suspected else {
            suspected = finding
            return
        }
        (found, suspected, fault) = (finding, nil, nil)
        switch finding {
        case .agrees: break
        case .unit(let exponent):
            factor *= pow(10, Double(exponent))
            (found, wasRescaled) = (nil, true)
        case .constant: fault = .constant
        case .backwards: fault = .backwards
        case .interleaved: fault = .interleaved
        case .coarse: fault = .quantised(window.meanChange)
        case .otherRate: fault = .rate(window.ratio)
        }
    }
}
