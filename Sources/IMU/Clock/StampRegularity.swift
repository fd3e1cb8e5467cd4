/// Whether a sender's stamps are those of measurements, or scatter about a regular rate.
///
/// Sensors measure at a regular rate, or at times that are known; stamps taken late by an operating system, or rounded,
/// scatter about it. Every 64 stamps are judged (`StampScatter`); another judgement must show twice, but for rounded
/// stamps, which show seldom where the rate is near a multiple of their step. A line is laid
/// through the stamps (an α-β filter, critically damped) that tells how many periods lie between two of them where they
/// scatter little, and that bridges where they scatter much. O(1) per stamp but for the judging; 3 kB.
struct StampRegularity: Sendable {
    /// Stamps of the first window, and of later ones.
    private static let (firstLength, length) = (32, 64)
    private static let (gain, rateGain) = (1.0 / 32, 1.0 / 4096)
    /// Periods off the line up to which stamps begin to tell how many have gone by, and go on to: where scatter has
    /// bounds, and where some may lie far beyond the others.
    private static let countable = (bounded: (begin: 0.25, end: 0.4), other: (begin: 0.15, end: 0.3))

    private(set) var judgement = StampJudgement.unknown
    /// Seconds RMS off a regular rate, over the last window.
    private(set) var deviation = 0.0
    /// Seconds RMS that arrivals were off one, as far as the intervals between them tell.
    private(set) var arrivalDeviation = 0.0
    /// The step of which rounded stamps are multiples, seconds.
    private(set) var quantum = 0.0
    /// Seconds between stamps that follow each other; `nil` before the first window is full.
    private(set) var period: Double?
    /// Periods that went by since the stamp before; `nil` where stamps scatter too much to tell.
    private(set) var steps: Int?
    /// Whether, before there is a judgement, stamps look like those of measurements at a regular rate.
    private(set) var looksExact = false
    /// The counts told so far have turned out to be wrong with the last stamp.
    private(set) var wasMiscounted = false
    /// Whether rounded stamps are so coarse that it is worth saying.
    var isCoarse: Bool { quantum > 0.15 * (period ?? 0) }

    /// The newest stamp without its scatter, seconds; of measurements, and at first, the stamp itself.
    func smoothed(_ stamp: Double) -> Double { judgement == .scattered || judgement == .rounded ? line : stamp }

    private var line = 0.0
    private var newest: Double?
    private var window: [StampAdvance] = []
    private var contrary = 0
    /// Whether scatter has bounds: no stamp lies far beyond the others.
    private var isBounded = false
    /// Whether the last stamp was late by a period or more.
    private var wasLate = false
    /// Whether gaps have been told of.
    private var hasTold = false
    /// Whether no stamp of the last window was so far off the line that it could belong to another period.
    private var isCountable = false
    private var gaps = GapWitness()
    /// Periods by which the line was last moved on for a gap, and stamps since.
    private var (gap, sinceGap) = (0.0, 0)

    /// Takes the next stamp: seconds, unwrapped; `interval`: seconds between the arrivals; `count`: messages since the
    /// one before, where the sender counts them.
    mutating func take(_ stamp: Double, interval: Double, count: Int?) {
        (steps, wasMiscounted) = (nil, false)
        guard let newest else {
            (self.newest, line) = (stamp, stamp)
            return
        }
        // What was overtaken, or sent twice.
        if let count, count <= 0 { return }
        self.newest = stamp
        var advance = StampAdvance(step: stamp - newest, interval: interval, count: count)
        // A clock that was set, or a long silence: the phase is new.
        guard abs(advance.step) < 1 else {
            line = stamp
            return
        }
        if period != nil { follow(&advance, stamp) }
        window.append(advance)
        if judgement == .unknown { looksExact = window.count > 3 && StampScatter.isMostlyWhole(window) }
        if window.count == (period == nil ? Self.firstLength : Self.length) { judge(stamp) }
    }

    /// Moves the line on by as many periods as went by.
    private mutating func follow(_ advance: inout StampAdvance, _ stamp: Double) {
        guard let period else { return }
        if advance.count == nil, case let found = ((stamp - line) / period).rounded() {
            sinceGap += 1
            if found > 1 {
                gaps.take(advance.interval / period, periods: found)
                // A stamp that came late is followed by one that did not; a gap stays, or arrivals show it.
                let isShown = isBounded || wasLate || advance.interval > (found - 0.5) * period
                if !gaps.areDenied, isShown {
                    advance.periods = Int(found)
                    (gap, sinceGap) = (found - 1, 0)
                }
            } else if found < 1, gap > 0, sinceGap < Self.firstLength {
                // It was a stamp that came late, not a gap.
                line -= gap * period
                gap = 0
            }
            wasLate = found > 1
        }
        let ahead = Double(advance.periods) * period
        advance.residual = stamp - (line + ahead)
        line += ahead + Self.gain * advance.residual
        self.period = max(1e-5, period + Self.rateGain * advance.residual)
        guard isCountable else { return }
        steps = advance.periods
        hasTold = hasTold || advance.periods > 1
    }

    /// Seconds per stamp of the window, lost ones counted as if they had not been.
    private var meanStep: Double { window.reduce(0) { $0 + $1.step } / Double(max(1, window.count)) }

    private mutating func judge(_ stamp: Double) {
        defer { window.removeAll(keepingCapacity: true) }
        if period == nil, !StampScatter.count(&window) { return }
        // Long steps that no arrival confirms are those of a coarse clock, whose period is longer.
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
        // Hold-ups are rare, and do not become better in between.
        arrivalDeviation = max(scatter.arrivalDeviation, 0.95 * arrivalDeviation)
        (deviation, quantum) = (scatter.deviation, scatter.quantum > 0 ? scatter.quantum : quantum)
        guard let found = scatter.judgement(after: judgement) else { return }
        contrary = found == judgement ? 0 : contrary + 1
        if judgement == .unknown || found == .rounded || contrary == 2 { (judgement, contrary) = (found, 0) }
    }
}
