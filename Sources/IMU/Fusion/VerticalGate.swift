import CRealtime

/// Whether the steady rate about the vertical of a body at rest is bias, or a vehicle in a slow turn.
///
/// No single gyroscope can tell; time and what was known before can. A bias wanders by hundredths of a degree per
/// second in minutes, while a turn begins and ends: a rate that does not fit what was learnt at rest is a turn until it
/// has lasted four times as long as the evidence for the old one (a quarter of a minute at least once the bias was
/// seen for 2.5 s), at most two minutes (so the gate always opens by itself). The wait is shorter where the new rate is
/// the likelier bias of a gyroscope (0 ± 0.5°/s): when a turn that had been taken for bias ends, the old is given up in
/// seconds. Without evidence the first rest counts at once within three deviations, else after 1 s·(1 + (rate in
/// °/s)²), 15 s at most: gyroscopes with such a bias are commoner than bodies that begin in a slow steady turn. A
/// remembered bias counts as no evidence.
///
/// What no gyroscope of the kind has by its data sheet is never bias: from 2.9°/s on a steady rate is a turn, however
/// long it lasts, unless the bias across the vertical, which gravity shows, is as large (a quarter of the rate).
///
/// Below that a steady turn from the first rest on looks exactly like a bias. It is taken for one, and `doubt` says
/// what heading that would have cost.
struct VerticalGate: Sendable {
    /// The longest wait, seconds.
    static let longestWait = 120.0
    /// Rates this near to the bias always fit, rad/s: slower turns cannot be told from temperature.
    static let floor = 0.06 * Double.pi / 180
    private static let degree = Double.pi / 180
    /// Steady turns end: the chance that a first rate is one falls by e in so many seconds.
    private static let turnTime = 60.0
    /// The same for so much tilt that it would have made since the axis that was upright lies level: 3°.
    private static let proof = 3 * degree

    /// From here on a rate is no bias, rad/s.
    let limit: Double
    private var evidence = 0.0
    private var candidate = 0.0
    private var candidateEvidence = 0.0
    /// The chance that the candidate is the bias.
    private var candidateChance = 0.0
    /// What the heading is off by if the candidate is the bias, radians.
    private var candidateError = 0.0
    /// The rate that the first rest was taken to show, against what was known before, rad/s; and what the heading is
    /// off by if that was a turn, radians.
    private var firstRate = 0.0
    private var firstUp = SIMD3<Double>(0, 0, 0)
    private var firstError = 0.0
    /// The chance of that, but for the time it has lasted.
    private var firstChance = 0.0
    /// How long it has been seen at rest, seconds.
    private var restTime = 0.0
    /// The last verdict was of a rest that goes on.
    private var isResting = false

    init(limit: Double) { self.limit = limit }

    /// What to do with a rate.
    enum Verdict: Equatable { case fits, opens, waits }

    /// Variance of the heading by which it may be wrong because a turn was taken for bias, or the reverse, rad².
    var doubt: Double {
        firstChance * prc_exp(-restTime / Self.turnTime) * firstError * firstError
            + candidateChance * candidateError * candidateError
    }

    /// Lets time pass, at rest or not, seconds; `up`: unit, body axes.
    mutating func pass(_ span: Double, up: SIMD3<Double>, isStill: Bool) {
        firstError += firstRate * span
        if !isStill { isResting = false }
        // A wrong bias about an axis that has come to lie level tilts the frame: gravity would have shown it.
        let upright = dot(up, firstUp)
        firstChance *= prc_exp(-span * (1 - upright * upright) * abs(firstRate) / Self.proof)
    }

    /// Judges a steady vertical rate, rad/s, that differs by `difference` from the bias, whose standard deviation is
    /// `deviation`; `across`: the bias across the vertical as far as it is known, rad/s; `span`: seconds of rest since
    /// the last call.
    mutating func judge(
        _ rate: Double, up: SIMD3<Double>, difference: Double, deviation: Double, across: Double, span: Double
    ) -> Verdict {
        defer { isResting = true }
        if abs(difference) < max(3 * deviation, Self.floor) {
            // The same rate again after some motion: vehicles do not turn like that.
            if evidence > 0, !isResting { firstChance /= 10 }
            begin(rate, up)
            evidence = min(evidence + span, Self.longestWait)
            restTime += span
            candidateEvidence = max(0, candidateEvidence - span)
            candidateChance = 0
            return .fits
        }
        guard abs(rate) < max(limit, 4 * across) else {
            (candidateEvidence, candidateChance) = (0, 0)
            return .waits
        }
        if candidateEvidence <= 0 || abs(rate - candidate) > 0.15 * Self.degree {
            candidate = rate
            candidateEvidence = 0
            candidateError = 0
        }
        candidateEvidence += span
        candidateError += difference * span
        candidate += (rate - candidate) * min(1, span / min(candidateEvidence, 10))
        let (new, old) = (candidate / (0.5 * Self.degree), (rate - difference) / (0.5 * Self.degree))
        let likelihood = prc_exp(max(-20, min(20, (new * new - old * old) / 2)))
        let degrees = candidate / Self.degree
        let unlikeliness = 1 + degrees * degrees
        let least = evidence > 0 ? min(3 * unlikeliness, Self.longestWait) : min(unlikeliness, 15)
        let known = evidence >= 2.5 ? max(evidence, 15) : evidence
        let wait = min(max(4 * known * likelihood, least), Self.longestWait)
        candidateChance = min(1, candidateEvidence / wait) / (1 + likelihood)
        guard candidateEvidence >= wait else { return .waits }
        candidateChance = 1
        evidence = candidateEvidence
        candidateEvidence = 0
        return .opens
    }

    /// After `.opens`: the variance that the heading has gained for good, rad². What was the bias till now was wrong
    /// while the candidate was seen, and perhaps since the first rest.
    mutating func settle(_ rate: Double, up: SIMD3<Double>) -> Double {
        defer {
            (candidateChance, candidateError, firstChance, firstRate, firstError) = (0, 0, 0, 0, 0)
            begin(rate, up)
        }
        return doubt
    }

    /// The first rest: from here on the rate is taken for bias.
    private mutating func begin(_ rate: Double, _ up: SIMD3<Double>) {
        guard firstRate == 0 else { return }
        (firstRate, firstUp, firstError, firstChance, restTime) = (rate, up, 0, 1, 0)
    }
}
