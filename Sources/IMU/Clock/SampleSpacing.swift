/// Estimates the interval between the samples of a stream from their times.
package struct SampleSpacing: Sendable {
    /// Seconds between samples; `nil` before the eighth interval.
    package private(set) var period: Double?
    private var first: [Double] = []

    /// Starts without samples.
    package init() {}

    /// Adds the next interval, seconds. `steps`: number of samples in it, nil if the sender does not count.
    package mutating func take(_ interval: Double?, steps: Int?) {
        guard let interval, interval > 1e-6, interval < 1, (steps ?? 1) > 0 else { return }
        guard let period else {
            first.append(interval / Double(steps ?? 1))
            guard first.count == 8 else { return }
            first.sort()
            self.period = first[3]
            first = []
            return
        }
        let ratio = interval / period
        let count = max(1, steps.map(Double.init) ?? ratio.rounded())
        let error = ratio / count - 1
        // An interval far from a multiple of the period is unreliable: the samples were delayed and then came together.
        // Only the sign of its error is used: each such interval moves the period by 1 %, so that the period approaches
        // the median.
        self.period = period * (1 + (abs(error) < 0.3 ? error / 32 : error < 0 ? -0.01 : 0.01))
    }
}
