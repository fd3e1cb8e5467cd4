import Foundation

/// How long periods took, against how long they last: shares of the period, 1 for all of it.
package struct PeriodTimes: Codable, Sendable, Hashable {
    /// Periods measured.
    package let count: Int
    /// Half of the periods took at most this share of their time.
    package let median: Double
    /// 99 of 100 took at most this.
    package let p99: Double
    /// 999 of 1000 took at most this; the same as `max` where fewer than 1000 were measured.
    package let p999: Double
    /// Greatest share of the period.
    package let max: Double

    /// The times of at least one period of `lasting` seconds, in nanoseconds, in any order.
    init(nanoseconds: [Int32], lasting: Double) {
        precondition(!nanoseconds.isEmpty)
        let sorted = nanoseconds.sorted()
        func share(_ rank: Double) -> Double { Double(sorted.quantile(rank)) * 1e-9 / lasting }
        count = sorted.count
        median = share(0.5)
        p99 = share(0.99)
        p999 = share(0.999)
        max = share(1)
    }

    /// Creates times from given shares; for tests.
    init(count: Int, median: Double, p99: Double, p999: Double, max: Double) {
        self.count = count
        self.median = median
        self.p99 = p99
        self.p999 = p999
        self.max = max
    }
}

extension Array {
    /// The smallest element of a sorted, non-empty array that at least `share` (0…1) of all elements do not exceed: the
    /// nearest rank, never a value that was not measured.
    func quantile(_ share: Double) -> Element {
        self[Swift.min(count - 1, Swift.max(0, Int((share * Double(count)).rounded(.up)) - 1))]
    }
}
