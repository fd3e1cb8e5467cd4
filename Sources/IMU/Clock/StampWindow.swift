import Gate
import Glibc

/// Advance of a sender's stamps compared with the advance of the arrivals, over a window of messages.
struct StampWindow: Sendable {
    /// Finding of a window.
    enum Finding: Equatable {
        /// The stamps advance as the arrivals do.
        case agrees
        /// The stamps advance as the arrivals do if they are multiplied by this power of ten.
        case unit(exponent: Int)
        /// The stamps never change.
        case constant
        /// The stamps fall.
        case backwards
        /// The stamps jump back and forth.
        case interleaved
        /// The stamps advance as the arrivals do, but in steps of many messages.
        case coarse
        /// The stamps advance at another rate, which no unit explains.
        case otherRate
    }

    /// A finding needs more changes of the stamp than the first number, and at least the second number of messages.
    private static let (leastChanges, leastStamps) = (4, 16)
    /// Seconds without any advance after which stamps count as constant.
    private static let patience = 2.0
    /// Greatest time by which an overtaken message is usually older than the previous one, seconds.
    private static let overtaking = 0.02
    /// Permitted ratio of the stamps' advance to the arrivals' advance. Delays at the two ends of the window change it.
    private static let agreement = 0.75...1.33
    /// Greatest number of messages per change of the stamp; above it the stamps are coarse.
    private static let coarseness = 8

    private var (stamps, changes, falls, jumpsBack) = (0, 0, 0, 0)
    private var (elapsed, advance) = (0.0, 0.0)
    private var (greatest, least) = (-Double.infinity, Double.infinity)
    /// `elapsed` and `advance` at the first change of the stamp, and at the newest.
    private var first: (elapsed: Double, advance: Double)?
    private var newest = (elapsed: 0.0, advance: 0.0)

    /// Adds the advance of a stamp and the seconds between the arrivals; `usual`: mean seconds between messages.
    mutating func add(_ step: Double, interval: Double, usual: Double) {
        stamps += 1
        elapsed += interval
        advance += step
        guard step != 0 else { return }
        changes += 1
        if step < 0 { falls += 1 }
        if step < -max(Self.overtaking, 3 * usual) { jumpsBack += 1 }
        (greatest, least) = (max(greatest, step), min(least, step))
        newest = (elapsed, advance)
        first = first ?? newest
    }

    /// Whether the stamps so far may come from a clock: they change at least once in eight messages, and advance
    /// between a third and three times as fast as the arrivals.
    var isPlausible: Bool {
        changes > 1 && elapsed > 0 && stamps <= Self.coarseness * changes
            && (1.0 / 3...3).contains(advance / elapsed)
    }

    /// Advance of the stamps per second of the arrivals, from the first change to the last; 0 without two changes.
    var ratio: Double {
        guard let first, newest.elapsed > first.elapsed else { return 0 }
        guard changes >= Self.leastStamps else {
            return (newest.advance - first.advance) / (newest.elapsed - first.elapsed)
        }
        // The greatest and the least advance are left out: the clock may have been set, or restarted, within the
        // window.
        let rest = (advance - greatest - least) / Double(changes - 2)
        return rest * Double(changes) / elapsed
    }

    /// Mean advance per change of the stamp, seconds.
    var meanChange: Double { changes > 0 ? advance / Double(changes) : 0 }

    /// Returns the finding once the window has lasted `length` seconds and contains enough messages; nil before that.
    func finding(after length: Double) -> Finding? {
        if changes == 0 { return elapsed >= Self.patience && stamps >= Self.leastStamps / 2 ? .constant : nil }
        guard elapsed >= length, changes > Self.leastChanges, stamps >= Self.leastStamps else { return nil }
        if 10 * falls > 9 * changes { return .backwards }
        if 10 * jumpsBack > stamps { return .interleaved }
        let ratio = self.ratio
        guard ratio > 0, ratio.isFinite else { return .otherRate }
        let exponent = Int(clamping: log10(ratio), to: -20...20)
        guard Self.agreement.contains(ratio / pow(10, Double(exponent))) else { return .otherRate }
        guard exponent == 0 else { return .unit(exponent: -exponent) }
        return stamps > Self.coarseness * changes ? .coarse : .agrees
    }
}
