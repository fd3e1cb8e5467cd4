/// Advance of a stamp from the one before.
struct StampAdvance: Sendable {
    /// Seconds between the stamps.
    let step: Double
    /// Seconds between the arrivals.
    let interval: Double
    /// Number of messages that the sender counted in between; nil without a count.
    let count: Int?
    /// Assumed number of periods in between.
    var periods: Int
    /// Seconds by which the stamp is after the line.
    var residual = 0.0

    init(step: Double, interval: Double, count: Int?) {
        (self.step, self.interval, self.count) = (step, interval, count)
        periods = count ?? 1
    }
}
