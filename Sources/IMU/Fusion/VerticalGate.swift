import CRealtime

/// Decides whether the steady vertical rate of a body at rest is bias, or a vehicle in a slow turn.
///
/// A single gyroscope cannot separate the two, but time and earlier rests can. A bias drifts by hundredths of a degree
/// per second in minutes, while a turn begins and ends. So a rate that differs from the learnt bias counts as a turn
/// until it has lasted four times as long as the evidence for the learnt bias. From 2.5 s on, this evidence counts as
/// at least 15 s. The wait is multiplied by the ratio of the probabilities that the old and the new rate are the bias
/// of a gyroscope (0 ± 0.5°/s). So if a turn ends that had been taken for bias, the old bias is dropped in seconds. The
/// wait is at least 3 s·(1 + (rate in °/s)²), and at most two minutes, so that a steady rate below 2.9°/s is always
/// accepted as bias in the end.
///
/// Without evidence, the rate of the first rest is accepted as bias at once if it is within three deviations, or
/// 0.06°/s, of the initial bias. Otherwise it is accepted after 1 s·(1 + (rate in °/s)²), at most 15 s, because
/// gyroscopes with such a bias are more common than bodies that begin in a slow steady turn. A stored bias is no
/// evidence.
///
/// From 2.9°/s on, which is near the greatest bias in data sheets of such gyroscopes, a steady rate is a turn, however
/// long it lasts, unless the horizontal bias, which gravity shows, is above a quarter of the rate.
///
/// Below 2.9°/s a steady turn since the first rest cannot be distinguished from a bias. It is taken for bias, and
/// `doubt` is the resulting variance of the heading.
struct VerticalGate: Sendable {
    /// Longest wait, seconds.
    static let longestWait = 120.0
    /// Least tolerance of the bias, rad/s: slower turns look like effects of temperature.
    static let floor = 0.06 * Double.pi / 180
    private static let degree = Double.pi / 180
    /// Time constant, seconds, with which the probability that the first rate is a turn falls during rests, because
    /// steady turns end.
    private static let turnTime = 60.0
    /// Tilt after which this probability also falls by a factor e: 3°. A wrong bias causes this tilt once its axis has
    /// left the vertical.
    private static let proof = 3 * degree

    /// Least steady rate that is not bias, rad/s, unless the horizontal bias is above a quarter of the rate.
    let limit: Double
    private var evidence = 0.0
    private var candidate = 0.0
    private var candidateEvidence = 0.0
    /// Probability that the candidate is the bias.
    private var candidateChance = 0.0
    /// Error of the heading if the candidate is the bias, radians.
    private var candidateError = 0.0
    /// Rate, rad/s, that was taken for bias at the first rest, and the error of the heading if it was a turn, radians.
    private var firstRate = 0.0
    private var firstUp = SIMD3<Double>(0, 0, 0)
    private var firstError = 0.0
    /// Probability that the first rate was a turn, without the decay over `restTime`.
    private var firstChance = 0.0
    /// Total duration of the rests with the first rate, seconds.
    private var restTime = 0.0
    /// Whether the body has been at rest without interruption since the last verdict.
    private var isResting = false

    init(limit: Double) { self.limit = limit }

    /// Verdict on a rate: it fits the learnt bias, it is accepted as the new bias, or it is not accepted (yet).
    enum Verdict: Equatable { case fits, opens, waits }

    /// Variance of the heading because a turn may have been taken for bias, or a bias for a turn; rad².
    var doubt: Double {
        firstChance * prc_exp(-restTime / Self.turnTime) * firstError * firstError
            + candidateChance * candidateError * candidateError
    }

    /// Advances the time by `span` seconds, during rest or motion. `up`: unit vector, body axes.
    mutating func pass(_ span: Double, up: SIMD3<Double>, isStill: Bool) {
        firstError += firstRate * span
        if !isStill { isResting = false }
        // If the first rate was a turn, the bias is wrong. It then tilts the frame once its axis has left the vertical.
        // Gravity would have shown this tilt, so a turn becomes less probable.
        let upright = dot(up, firstUp)
        firstChance *= prc_exp(-span * (1 - upright * upright) * abs(firstRate) / Self.proof)
    }

    /// Judges a steady vertical rate, rad/s, that differs by `difference` from the bias. `deviation`: standard
    /// deviation of the bias; `across`: the known horizontal bias, rad/s; `span`: seconds of rest since the last call.
    mutating func judge(
        _ rate: Double, up: SIMD3<Double>, difference: Double, deviation: Double, across: Double, span: Double
    ) -> Verdict {
        defer { isResting = true }
        if abs(difference) < max(3 * deviation, Self.floor) {
            // The same rate returned after some motion. In a turning vehicle this is improbable, so the first rate was
            // probably bias.
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

    /// Returns the lasting increase of the heading's variance after `.opens`, rad². The previous bias was wrong while
    /// the candidate was measured, and perhaps since the first rest.
    mutating func settle(_ rate: Double, up: SIMD3<Double>) -> Double {
        defer {
            (candidateChance, candidateError, firstChance, firstRate, firstError) = (0, 0, 0, 0, 0)
            begin(rate, up)
        }
        return doubt
    }

    /// Records the first rest, whose rate is taken for bias.
    private mutating func begin(_ rate: Double, _ up: SIMD3<Double>) {
        guard firstRate == 0 else { return }
        (firstRate, firstUp, firstError, firstChance, restTime) = (rate, up, 0, 1, 0)
    }
}
