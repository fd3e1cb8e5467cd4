/// Follows the advance of exact stamps from sample to sample. A run of equal advances shows the sender's rate, even
/// directly after a change of rate. O(1) per stamp.
struct StampPace: Sendable {
    /// Number of equal advances that show a rate.
    private static let enough = 8
    /// Tolerance within which two advances count as equal: the larger of a share of the advance and a time in seconds.
    /// The latter is for stamps in whole microseconds.
    private static let (share, resolution) = (0.01, 20e-6)
    /// Least change of the rate that is found, as a share.
    private static let change = 0.03

    /// Seconds per sample in the present run.
    private var unit = 0.0
    /// The run: number of advances and of samples, and sums of the seconds of the stamps and of the arrivals.
    private var (run, samples, advance, elapsed) = (0, 0, 0.0, 0.0)

    /// Adds the seconds between two stamps and the seconds between their arrivals. `count`: number of samples between
    /// the stamps, 1 if the sender does not count.
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

    /// Returns the seconds per sample if the run shows another rate than `period`, and the arrivals confirm it; `nil`
    /// otherwise. The arrivals must confirm it, because a coarse clock also has runs of equal steps.
    func changed(from period: Double) -> Double? {
        guard run >= Self.enough, differs(from: period) else { return nil }
        let found = advance / Double(samples)
        let (near, far) = (abs(elapsed - advance), abs(elapsed - Double(samples) * period))
        return near < 0.25 * far ? found : nil
    }

    /// Returns the number of newest advances that form a run at another rate but are too few to prove it; 0 otherwise.
    func pending(at period: Double) -> Int { run >= 2 && run < Self.enough && differs(from: period) ? run : 0 }

    private func differs(from period: Double) -> Bool {
        unit > 0 && abs(unit - period) > max(Self.change * period, 2 * Self.resolution)
    }
}
