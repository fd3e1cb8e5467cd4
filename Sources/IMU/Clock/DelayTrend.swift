/// Detects that the rate of a sender has fallen or that the sender has paused. It uses the delays of counted samples
/// relative to a regular rate.
///
/// Delays of a network rise and fall. At a lower rate the delay rises with every sample, and after a pause all samples
/// are late by the same time. O(1) per sample; O(16) for a sample that is late by more than half a period.
struct DelayTrend: Sendable {
    /// Finding on the newest sample.
    enum Finding: Equatable {
        /// The rate is unchanged.
        case none
        /// The rate has fallen: seconds between samples.
        case slower(Double)
        /// All samples are late by this time, seconds, because of a pause that the sender did not count.
        case paused(Double)
    }

    /// Number of samples whose least delay is compared with the least delay of as many samples before.
    private static let half = 8
    /// Number of successive, nearly equal rises, each well above the usual delay, that immediately prove a lower rate.
    private static let rises = 3

    /// Finding on the newest sample.
    private(set) var finding = Finding.none
    /// Delays of the last samples, seconds, each with the number of periods since the previous sample; oldest first.
    private var delays: [(delay: Double, steps: Double)] = []

    /// Adds the delay of the next sample, seconds. `steps`: periods since the previous sample. `period`: seconds.
    /// `usual`: mean delay, seconds.
    mutating func take(_ delay: Double, steps: Int, period: Double, usual: Double) {
        finding = .none
        delays.append((delay, Double(steps)))
        if delays.count > 2 * Self.half { delays.removeFirst() }
        guard delay > 0.5 * period else { return }
        if let rise = steepRise(usual: usual) {
            finding = .slower(period + rise)
        } else if delays.count == 2 * Self.half {
            finding = slowFinding(period: period, usual: usual)
        }
    }

    /// Returns the rise per period, seconds, if the last delays rose nearly equally, and by far more than the usual
    /// delay; nil otherwise.
    private func steepRise(usual: Double) -> Double? {
        guard delays.count > Self.rises else { return nil }
        let newest = delays.suffix(Self.rises + 1)
        let rises = zip(newest, newest.dropFirst()).map { ($1.delay - $0.delay) / $1.steps }
        guard let least = rises.min(), let most = rises.max(), least > 6 * usual, most < 1.5 * least else { return nil }
        return rises.reduce(0, +) / Double(Self.rises)
    }

    /// Compares the least delay of the last samples with the least delay of the samples before them.
    private func slowFinding(period: Double, usual: Double) -> Finding {
        guard let before = delays.prefix(Self.half).map(\.delay).min(),
            let after = delays.suffix(Self.half).map(\.delay).min(),
            min(before, after) > max(0.6 * period, 2 * usual)
        else { return .none }
        let periods = delays.suffix(Self.half).reduce(0) { $0 + $1.steps }
        let rise = (after - before) / periods
        if rise > max(0.02 * period, usual / periods) { return .slower(period + rise) }
        // A falling delay shows no pause: the network held messages back and now delivers them one after the other.
        return after > 0.9 * before ? .paused(min(before, after)) : .none
    }
}
