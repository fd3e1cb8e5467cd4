import CRealtime

/// Whether the steady rate about the vertical of a body at rest is bias, or a vehicle in a slow turn.
///
/// No single gyroscope can tell; time and what was known before can. A bias wanders by hundredths of a degree per
/// second in minutes, while a turn begins and ends: a rate that does not fit what was learnt at rest is a turn until it
/// has lasted four times as long as the evidence for the old one, at most two minutes (so the gate always opens by
/// itself). The wait is shorter where the new rate is the likelier bias of a gyroscope (0 ± 0.5°/s): when a turn that
/// had been taken for bias ends, the old is given up in seconds. Without evidence the first rest counts at once within
/// three deviations, else after 3 s·(1 + (rate in °/s)²), 15 s at most: cheap gyroscopes begin with several degrees per
/// second. A remembered bias counts as no evidence.
struct VerticalGate: Sendable {
    /// The longest wait, seconds.
    static let longestWait = 120.0
    /// Rates this near to the bias always fit, rad/s: slower turns cannot be told from temperature.
    static let floor = 0.06 * Double.pi / 180
    private static let degree = Double.pi / 180

    private var evidence = 0.0
    private var candidate = 0.0
    private var candidateEvidence = 0.0

    /// What to do with a rate.
    enum Verdict: Equatable { case fits, opens, waits }

    /// Judges a steady vertical rate, rad/s, that differs by `difference` from the bias, whose standard deviation is
    /// `deviation`; `span`: seconds of rest since the last call.
    mutating func judge(_ rate: Double, difference: Double, deviation: Double, span: Double) -> Verdict {
        if abs(difference) < max(3 * deviation, Self.floor) {
            evidence = min(evidence + span, Self.longestWait)
            candidateEvidence = max(0, candidateEvidence - span)
            return .fits
        }
        if candidateEvidence <= 0 || abs(rate - candidate) > 0.15 * Self.degree {
            candidate = rate
            candidateEvidence = 0
        }
        candidateEvidence += span
        candidate += (rate - candidate) * min(1, span / min(candidateEvidence, 10))
        let (new, old) = (candidate / (0.5 * Self.degree), (rate - difference) / (0.5 * Self.degree))
        let likelihood = prc_exp(max(-20, min(20, (new * new - old * old) / 2)))
        let degrees = candidate / Self.degree
        let least = min(3 * (1 + degrees * degrees), evidence > 0 ? Self.longestWait : 15)
        let wait = min(max(4 * evidence * likelihood, least), Self.longestWait)
        guard candidateEvidence >= wait else { return .waits }
        evidence = candidateEvidence
        candidateEvidence = 0
        return .opens
    }
}
