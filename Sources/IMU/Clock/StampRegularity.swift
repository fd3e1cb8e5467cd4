/// Decides whether a sender's stamps are the times of measurements, or scatter about a regular rate.
///
/// Sensors measure at a regular rate, or at irregular times that the sender knows. Stamps that an operating system
/// takes late, or that are rounded, scatter about this rate. The stamps are judged in windows, the first of 32 stamps,
/// the others of 64 (`StampScatter`). A change of judgement needs two windows. The first judgement needs only one, and
/// so does "rounded", because rounded stamps look exact while the rate is near a multiple of their step.
///
/// A line through the stamps (an α-β filter, critically damped) serves two purposes. If the stamps scatter little, the
/// line gives the number of periods between two stamps. If they scatter much, the line replaces the stamps. O(1) per
/// stamp apart from the judgement; 3 kB.
struct StampRegularity: Sendable {
    /// Number of stamps in the first window, and in later ones.
    private static let (firstLength, length) = (32, 64)
    /// Gains for the phase and the rate of the line: `quick` at first, `slow` after `slowAfter` windows of scattered
    /// stamps.
    private static let quick = (phase: 1.0 / 32, rate: 1.0 / 4096)
    private static let (slow, slowAfter) = ((phase: 1.0 / 128, rate: 1.0 / 65_536), 6)
    /// Greatest deviation of stamps from the line, in periods, at which the stamps give the number of periods. `begin`
    /// applies until the stamps are used in this way, `end` from then on; `bounded` applies to bounded scatter, `other`
    /// to scatter with outliers.
    private static let countable = (bounded: (begin: 0.25, end: 0.4), other: (begin: 0.15, end: 0.3))

    private(set) var judgement = StampJudgement.unknown
    /// RMS deviation of the stamps from a regular rate over the last window, seconds.
    private(set) var deviation = 0.0
    /// RMS deviation of the arrivals from a regular rate, seconds, computed from the errors of their intervals.
    private(set) var arrivalDeviation = 0.0
    /// Step of which rounded stamps were last found to be multiples, seconds; 0 if there was none.
    private(set) var quantum = 0.0
    /// Seconds between successive stamps; `nil` before the first window is full.
    private(set) var period: Double?
    /// Number of periods since the previous stamp; `nil` if it is unknown: in the first window, after a pause, or if
    /// the scatter is too large.
    private(set) var steps: Int?
    /// Whether stamps before the first judgement look like the times of measurements at a regular rate.
    private(set) var looksExact = false
    /// Whether the last stamp has proved that earlier values of `steps` were wrong.
    private(set) var wasMiscounted = false
    /// Whether rounded stamps are coarse enough to be reported.
    var isCoarse: Bool { quantum > 0.15 * (period ?? 0) }

    /// Returns the newest stamp with its scatter removed, seconds. Exact stamps, and stamps before the first judgement,
    /// are returned unchanged.
    func smoothed(_ stamp: Double) -> Double { judgement == .scattered || judgement == .rounded ? line : stamp }

    private var line = 0.0
    private var newest: Double?
    private var window: [StampAdvance] = []
    private var contrary = 0
    /// Number of windows in succession that were judged as scattered.
    private var steadyWindows = 0
    /// Whether the scatter is bounded: no stamp lies far outside the others.
    private var isBounded = false
    /// Whether the last stamp was late by half a period or more.
    private var wasLate = false
    /// Whether `steps` has indicated gaps.
    private var hasTold = false
    /// Whether no stamp of the last window was so far from the line that it could belong to another period.
    private var isCountable = false
    private var gaps = GapWitness()
    private var pace = StampPace()
    /// Number of periods by which the last gap moved the line on, and number of stamps since that gap.
    private var (gap, sinceGap) = (0.0, 0)

    /// Adds the next stamp, in seconds, unwrapped. `interval`: seconds between the arrivals. `count`: messages since
    /// the previous one, nil if the sender does not count.
    mutating func take(_ stamp: Double, interval: Double, count: Int?) {
        (steps, wasMiscounted) = (nil, false)
        guard let newest else {
            (self.newest, line) = (stamp, stamp)
            return
        }
        // An overtaken or repeated message gives no advance.
        if let count, count <= 0 { return }
        self.newest = stamp
        var advance = StampAdvance(step: stamp - newest, interval: interval, count: count)
        // After a long silence, or a pause of a sender that counts, the phase of the line is unknown, so the line
        // restarts.
        guard abs(advance.step) < 1, !isPause(advance) else {
            (line, pace) = (stamp, StampPace())
            return
        }
        pace.take(advance.step, interval: interval, count: count ?? 1)
        if judgement == .exact, let period, let found = pace.changed(from: period) { changeRate(to: found, stamp) }
        if period != nil { follow(&advance, stamp) }
        window.append(advance)
        if judgement == .unknown { looksExact = window.count > 3 && StampScatter.isMostlyWhole(window) }
        if window.count == (period == nil ? Self.firstLength : Self.length) { judge(stamp) }
    }

    /// Continues from a stamp after the sender's clock was set; the advance to this stamp is not evaluated.
    mutating func resume(at stamp: Double) {
        (newest, line, steps, wasMiscounted, pace) = (stamp, stamp, nil, false, StampPace())
    }

    /// Whether an exact, counted stamp follows a pause: it is more than 8 periods after the previous stamp, and more
    /// than one period before or after the time that follows from the count.
    private func isPause(_ advance: StampAdvance) -> Bool {
        guard judgement == .exact, let period, let count = advance.count else { return false }
        return advance.step > 8 * period && abs(advance.step - Double(count) * period) > period
    }

    /// Continues at another rate, which the stamps have shown.
    private mutating func changeRate(to found: Double, _ stamp: Double) {
        (period, line, wasMiscounted, contrary, gaps) = (found, stamp - found, true, 0, GapWitness())
        window.removeAll(keepingCapacity: true)
    }

    /// Moves the line on by the number of periods since the previous stamp.
    private mutating func follow(_ advance: inout StampAdvance, _ stamp: Double) {
        guard let period else { return }
        if advance.count == nil, case let found = ((stamp - line) / period).rounded() {
            sinceGap += 1
            if found > 1 {
                gaps.take(advance.interval / period, periods: found)
                // A late stamp looks like a gap, but the next stamp is then not late. After a real gap the next stamp
                // is late too, or the arrivals confirm the gap.
                let isShown = isBounded || wasLate || advance.interval > (found - 0.5) * period
                if !gaps.areDenied, isShown {
                    advance.periods = Int(found)
                    (gap, sinceGap) = (found - 1, 0)
                }
            } else if found < 1, gap > 0, sinceGap < Self.firstLength {
                // The gap was a late stamp: the line moves back.
                line -= gap * period
                gap = 0
            }
            wasLate = found > 1
        }
        let ahead = Double(advance.periods) * period
        advance.residual = stamp - (line + ahead)
        let gain = steadyWindows < Self.slowAfter ? Self.quick : Self.slow
        line += ahead + gain.phase * advance.residual
        self.period = max(1e-5, period + gain.rate * advance.residual)
        guard isCountable else { return }
        steps = advance.periods
        hasTold = hasTold || advance.periods > 1
    }

    /// Seconds per stamp of the window; lost stamps are not counted.
    private var meanStep: Double { window.reduce(0) { $0 + $1.step } / Double(max(1, window.count)) }

    private mutating func judge(_ stamp: Double) {
        // Samples at a possible new rate are judged together with the samples that follow.
        let pending = period.map { pace.pending(at: $0) } ?? 0
        let kept = Array(window.suffix(pending))
        window.removeLast(pending)
        defer {
            window.removeAll(keepingCapacity: true)
            window += kept
        }
        guard !window.isEmpty else { return }
        if period == nil, !StampScatter.count(&window) { return }
        // Long steps without late arrivals come from a coarse clock. Its period is longer than assumed, and is found
        // again.
        if gaps.areDenied, let known = period, meanStep > 1.02 * known {
            (period, wasMiscounted, hasTold) = (nil, hasTold, false)
        }
        let scatter = StampScatter(window, period: period)
        guard scatter.period > 0 else { return }
        if period == nil { (period, line) = (scatter.period, stamp - scatter.lastResidual) }
        let farthest = window.reduce(scatter.farthest) { max($0, abs($1.residual)) }
        isBounded = farthest < max(2.2 * scatter.deviation, 0.2 * scatter.period) || scatter.quantum > 0
        let limits = isBounded ? Self.countable.bounded : Self.countable.other
        isCountable = farthest < (isCountable ? limits.end : limits.begin) * scatter.period
        // Long delays are rare, so the greatest value decays slowly.
        arrivalDeviation = max(scatter.arrivalDeviation, 0.95 * arrivalDeviation)
        (deviation, quantum) = (scatter.deviation, scatter.quantum > 0 ? scatter.quantum : quantum)
        guard let found = scatter.judgement(after: judgement) else { return }
        contrary = found == judgement ? 0 : contrary + 1
        steadyWindows = found == .scattered ? steadyWindows + 1 : 0
        if judgement == .unknown || found == .rounded || contrary == 2 { (judgement, contrary) = (found, 0) }
    }
}
