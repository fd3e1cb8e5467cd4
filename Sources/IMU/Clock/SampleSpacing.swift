/// The interval between the samples of a stream whose times are known, and the gaps in it.
package struct SampleSpacing: Sendable {
    /// Seconds between samples; `nil` before the ninth.
    package private(set) var period: Double?
    /// Samples missing, by the gaps between times; 0 for streams without a regular rate.
    package var lost: Int { isRegular ? missing : 0 }
    /// Their share over about the last thousand, 0…1.
    package var loss: Double { isRegular ? share : 0 }
    private var first: [Double] = []
    private var missing = 0
    private var share = 0.0
    private var irregularity = 0.0

    /// Nothing known yet.
    package init() {}

    /// Intervals are near multiples of one.
    private var isRegular: Bool { irregularity < 0.1 }

    /// One that was taken for missing came after all.
    mutating func takeOvertaken() {
        missing = max(0, missing - 1)
        share = max(0, share - 1.0 / 1024)
    }

    /// Takes the next interval, seconds; `steps`: how many samples it spans, where the sender counts.
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
        // Intervals far from a multiple pull only by their sign, towards the median: bunches after a hold-up say little.
        self.period = period * (1 + (abs(error) < 0.3 ? error / 32 : error < 0 ? -0.01 : 0.01))
        irregularity += (min(1, abs(ratio - count)) - irregularity) / 64
        missing += Int(count) - 1
        share = min(1, share * (1 - 1.0 / 1024) + (count - 1) / 1024)
    }
}
