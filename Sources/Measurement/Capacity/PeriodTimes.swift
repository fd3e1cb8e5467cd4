import Foundation

/// Statistics of the rendering times of periods, as shares of the period; 1 is the whole period.
package struct PeriodTimes: Codable, Sendable, Hashable {
    /// Number of periods measured.
    package let count: Int
    /// Median.
    package let median: Double
    /// 99th percentile.
    package let p99: Double
    /// 99.9th percentile; equal to `max` with fewer than 1000 periods.
    package let p999: Double
    /// Greatest share of the period.
    package let max: Double

    /// Computes the statistics of at least one rendering time, in ns and any order; a period lasts `lasting` seconds.
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
    /// Returns the quantile of a sorted, non-empty array at `share` (0…1) by the nearest rank: always an element of the
    /// array, without interpolation.
    func quantile(_ share: Double) -> Element {
        self[Swift.min(count - 1, Swift.max(0, Int((share * Double(count)).rounded(.up)) - 1))]
    }
}
