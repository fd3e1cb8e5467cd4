/// Follows the advance of exact stamps from sample to sample: a run of equal advances is the sender's rate, also right
/// after the rate has changed. O(1) per stamp.
struct StampPace: Sendable {
    /// Number of equal advances that show a rate.
    private static let enough = 8
    /// Difference of two advances that are equal: share of the advance, and seconds for stamps in microseconds.
    private static let (share, resolution) = (0.01, 20e-6)
    /// Least change of the rate, as a share.
    private static let change = 0.03

    /// Seconds per sample in the present run.
    private var unit = 0.0
    /// Number of successive advances in the run, and its sums: samples, and seconds of the stamps and of the arrivals.
    private var (run, samples, advance, elapsed) = (0, 0, 0.0, 0.0)

    /// Takes the seconds between two stamps and between their arrivals; `count`: number of samples in between, 1 where
    /// the sender does not count.
    mutating func take(_ step: Double, interval: Double, count: Int) {
        let own = step / Double(count)
        if run == 0 || abs(own - unit) >= max(Self.share * unit, Self.resolution) {
            self = StampPace()
            unit = own
        }
        run += 1
        samples += count
        advance += step
        elapsed += interval
    }

    /// Returns the seconds per sample where the run shows another rate than `period`; `nil` otherwise. The arrivals
    /// have to confirm it: steps of a coarse clock are equal for a while too.
    func changed(from period: Double) -> Double? {
        guard run >= Self.enough, differs(from: period) else { return nil }
        let found = advance / Double(samples)
        let (near, far) = (abs(elapsed - advance), abs(elapsed - Double(samples) * period))
        return near < 0.25 * far ? found : nil
    }

    /// Returns the number of newest advances that are a run at another rate, too short to show it yet; else 0.
    func pending(at period: Double) -> Int { run >= 2 && run < Self.enough && differs(from: period) ? run : 0 }

    private func differs(from period: Double) -> Bool {
        unit > 0 && abs(unit - period) > max(Self.change * period, 2 * Self.resolution)
    }
}
