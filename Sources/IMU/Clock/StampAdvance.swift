/// How far a stamp lies after the one before.
struct StampAdvance: Sendable {
    /// Seconds between the stamps.
    let step: Double
    /// Seconds between the arrivals.
    let interval: Double
    /// Messages that the sender counted meanwhile.
    let count: Int?
    /// Periods that are taken to have gone by.
    var periods: Int
    /// Seconds after the line.
    var residual = 0.0

    init(step: Double, interval: Double, count: Int?) {
        (self.step, self.interval, self.count) = (step, interval, count)
        periods = count ?? 1
    }
}
