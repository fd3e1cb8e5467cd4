/// Estimates the interval between the samples of a stream from their times.
package struct SampleSpacing: Sendable {
    /// Seconds between samples; `nil` before the ninth.
    package private(set) var period: Double?
    private var first: [Double] = []

    /// Starts without samples.
    package init() {}

    /// Takes the next interval, seconds; `steps`: number of samples it spans, where the sender counts.
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
        // Intervals far from a multiple change the period only by their sign, towards the median: bunches after a delay
        // are unreliable.
        self.period = period * (1 + (abs(error) < 0.3 ? error / 32 : error < 0 ? -0.01 : 0.01))
    }
}
