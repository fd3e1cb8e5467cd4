/// Gives the samples of a recording their times from its stamps alone, without arrivals.
///
/// Exact stamps are the times, whatever their spacing; stamps that scatter about a regular rate, or are rounded, are
/// replaced by it, as `StreamClock` does (`StampRegularity`). Causal: the first 32 times are the stamps. O(1) per
/// sample.
package struct RecordedClock: Sendable {
    /// Seconds by which stamps may fall while they may prove to scatter.
    private static let greatestFall = 0.02

    /// Greatest difference of two stamps' scatter, in standard deviations: 3.5 for evenly spread scatter.
    private static let reach = 4.0

    /// Greatest scatter to either side in standard deviations, for evenly spread scatter, and the share of a period
    /// from which on it hides single losses.
    private static let (extent, ambiguity) = (1.75, 0.45)

    /// Fault of the stamps; `nil` without one.
    package var fault: StampFault? {
        switch regularity.judgement {
        case .unknown, .exact: nil
        case .scattered: .jitter(regularity.deviation)
        case .rounded: regularity.isCoarse ? .quantised(regularity.quantum) : nil
        }
    }
    /// Whether stamps may fall a little: they scatter, or it is not known yet.
    package var allowsFalls: Bool { regularity.judgement != .exact && regularity.judgement != .rounded }

    private var regularity = StampRegularity()
    private var newest: Double?
    private var last = -Double.infinity

    /// Starts without samples.
    package init() {}

    /// Returns a sample's time, seconds, later than the one before; `nil` where its stamp does not rise, and that is no
    /// scatter.
    package mutating func time(of stamp: Double) -> Double? {
        let step = newest.map { stamp - $0 } ?? 1
        guard step > 0 || allowsFalls && step > -Self.greatestFall else { return nil }
        newest = stamp
        regularity.take(stamp, interval: step, count: isNext(after: step) ? 1 : nil)
        last = max(regularity.smoothed(stamp), last + 1e-6)
        return last
    }

    /// Whether no sample is missing before one that comes `step` seconds after the last: its stamp may scatter so far.
    /// Where stamps scatter by less than half a period, their places on the line show it.
    private func isNext(after step: Double) -> Bool {
        guard let period = regularity.period, regularity.judgement == .scattered,
            Self.extent * regularity.deviation > Self.ambiguity * period
        else { return false }
        return step < period + Self.reach * regularity.deviation
    }
}
