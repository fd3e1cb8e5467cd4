/// Determines from the delays of counted samples, relative to a regular rate, whether the rate has fallen or the sender
/// has paused.
///
/// The delays of a network rise and fall. At a lower rate they rise with every sample, and after a pause all are later
/// by the same time. O(1) per sample, and once in eight samples O(16).
struct DelayTrend: Sendable {
    /// Finding on the newest sample.
    enum Finding: Equatable {
        /// The rate holds.
        case none
        /// The rate has fallen: seconds between samples.
        case slower(Double)
        /// Samples are late by this time, seconds, since a pause that was not counted.
        case paused(Double)
    }

    /// Number of samples whose least delay is compared with that of the same number before.
    private static let half = 8
    /// Number of successive rises of one size, each well above the usual delay, that show a lower rate at once.
    private static let rises = 3

    /// Finding on the newest sample.
    private(set) var finding = Finding.none
    /// Delays of the last samples, seconds, and their distance from the sample before, periods; oldest first.
    private var delays: [(delay: Double, steps: Double)] = []

    /// Takes the next sample's delay, seconds; `steps`: periods since the one before; `period`: seconds; `usual`: mean
    /// delay, seconds.
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

    /// Returns the rise per period if the last delays rose equally, by far more than usual delays; nil otherwise.
    private func steepRise(usual: Double) -> Double? {
        guard delays.count > Self.rises else { return nil }
        let newest = delays.suffix(Self.rises + 1)
        let rises = zip(newest, newest.dropFirst()).map { ($1.delay - $0.delay) / $1.steps }
        guard let least = rises.min(), let most = rises.max(), least > 6 * usual, most < 1.5 * least else { return nil }
        return rises.reduce(0, +) / Double(Self.rises)
    }

    /// Compares the least delays of the last samples and of those before.
    private func slowFinding(period: Double, usual: Double) -> Finding {
        guard let before = delays.prefix(Self.half).map(\.delay).min(),
            let after = delays.suffix(Self.half).map(\.delay).min(),
            min(before, after) > max(0.6 * period, 2 * usual)
        else { return .none }
        let periods = delays.suffix(Self.half).reduce(0) { $0 + $1.steps }
        let rise = (after - before) / periods
        if rise > max(0.02 * period, usual / periods) { return .slower(period + rise) }
        // A falling delay is a hold-up of the network, whose messages then arrive one after the other.
        return after > 0.9 * before ? .paused(min(before, after)) : .none
    }
}
