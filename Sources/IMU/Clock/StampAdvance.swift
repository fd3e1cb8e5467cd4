/// Advance of a stamp relative to the previous one.
struct StampAdvance: Sendable {
    /// Seconds between the stamps.
    let step: Double
    /// Seconds between the arrivals.
    let interval: Double
    /// Number of messages that the sender counted from one stamp to the other; nil without a count.
    let count: Int?
    /// Assumed number of periods between the stamps.
    var periods: Int
    /// Seconds by which the stamp is after the time that the regular rate predicts (the line of `StampRegularity`).
    var residual = 0.0

    init(step: Double, interval: Double, count: Int?) {
        (self.step, self.interval, self.count) = (step, interval, count)
        periods = count ?? 1
    }
}
