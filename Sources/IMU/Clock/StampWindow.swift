import Gate
import Glibc

/// Advance of a sender's stamps beside that of the arrivals, over a window of messages.
struct StampWindow: Sendable {
    /// Finding of a window.
    enum Finding: Equatable {
        /// The stamps advance like time.
        case agrees
        /// They advance like time if multiplied by this power of ten.
        case unit(exponent: Int)
        /// They never change.
        case constant
        /// They fall.
        case backwards
        /// They jump back and forth.
        case interleaved
        /// They advance like time, in steps of many messages.
        case coarse
        /// They advance at another rate.
        case otherRate
    }

    /// Least number of advances, and of messages.
    private static let (leastChanges, leastStamps) = (4, 16)
    /// Seconds without any advance after which stamps are constant.
    private static let patience = 2.0
    /// Seconds by which an overtaken message is usually older than the one before.
    private static let overtaking = 0.02
    /// Permitted ratio of advance to time: delays at either end of the window change it.
    private static let agreement = 0.75...1.33
    /// Greatest number of messages per change of the stamp; above it the stamps are coarse.
    private static let coarseness = 8

    private var (stamps, changes, falls, jumpsBack) = (0, 0, 0, 0)
    private var (elapsed, advance) = (0.0, 0.0)
    private var (greatest, least) = (-Double.infinity, Double.infinity)
    /// Sums at the first change of the stamp, and at the newest.
    private var first: (elapsed: Double, advance: Double)?
    private var newest = (elapsed: 0.0, advance: 0.0)

    /// Takes the advance of a stamp and the seconds between the arrivals; `usual`: mean seconds between messages.
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

    /// Whether the stamps so far may be from a clock.
    var isPlausible: Bool {
        changes > 1 && elapsed > 0 && stamps <= Self.coarseness * changes
            && (1.0 / 3...3).contains(advance / elapsed)
    }

    /// Advance per second from change to change; 0 without one.
    var ratio: Double {
        guard let first, newest.elapsed > first.elapsed else { return 0 }
        guard changes >= Self.leastStamps else {
            return (newest.advance - first.advance) / (newest.elapsed - first.elapsed)
        }
        // The extremes are left out: the clock may have been set, or restarted, within the window.
        let rest = (advance - greatest - least) / Double(changes - 2)
        return rest * Double(changes) / elapsed
    }

    /// Mean advance of a stamp that changes, seconds.
    var meanChange: Double { changes > 0 ? advance / Double(changes) : 0 }

    /// Returns the finding, once the window has lasted `length` seconds with enough messages; nil before.
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
