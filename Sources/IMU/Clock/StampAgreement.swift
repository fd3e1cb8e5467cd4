import Glibc

/// Unwraps a sender's stamps and compares their advance with the advance of the arrivals. This finds the unit of the
/// stamps, and whether they come from a clock at all.
///
/// A window lasts at least half a second until the first finding, then at least two seconds. The first finding counts
/// immediately, except a wrong unit and another rate. These two, and a finding that contradicts the previous one, must
/// appear in two successive windows. Before the first finding the stamps are trusted while they are plausible
/// (`StampWindow.isPlausible`) and no fault is suspected. O(1) per stamp.
struct StampAgreement: Sendable {
    /// Length of a window in seconds of the arrivals, before and after the first finding.
    private static let (firstLength, length) = (0.5, 2.0)

    /// Fault of the stamps other than a wrong unit; `nil` if there is none, and before the first finding.
    private(set) var fault: StampFault?
    /// Factor applied to the stamps: a power of ten.
    private(set) var factor = 1.0
    /// Whether the factor changed with the last stamp, so that results from earlier stamps are void.
    private(set) var wasRescaled = false

    private var found: StampWindow.Finding?
    private var suspected: StampWindow.Finding?
    private var window = StampWindow()
    private var last: (stamp: Double, arrival: Double)?
    private var usualInterval = 0.0
    private var count = 0.0

    /// Whether the stamps are trusted at present.
    var isBelieved: Bool {
        if let found { return found == .agrees }
        return suspected == nil && window.isPlausible
    }

    /// Adds a stamp. Returns it unwrapped, in seconds of the sender after correction of the unit.
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
        // Intervals after a silence are not compared.
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
