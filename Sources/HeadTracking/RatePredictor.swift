import Geometry
import Glibc

/// Predicts the course of a turn. It learns from past turns how much the mean rate over the next 25, 55 and 110 ms
/// differs from the present rate.
///
/// A forecast with a constant rate errs by the change of the rate. This change, and the parts of it that come from
/// noise and from the delay of the gyroscope's filter, differ between heads and trackers. So each difference of the
/// mean rate from the present rate, a departure, is predicted as a weighted sum of the rate and its differences
/// (`RateCascade`). The weights are fitted continuously to the last turns (`RateRegression`, each axis is one
/// observation). The initial weights are those of minimum-jerk turns (Flash & Hogan, "The coordination of arm
/// movements", J. Neuroscience 5, 1985). A polynomial interpolates between the three horizons. Each departure is
/// limited to what the greatest angular acceleration of a head can cause. O(1) per sample, about 2 µs, without
/// allocation after the first samples.
struct RatePredictor: Sendable {
    /// Seconds ahead for which the mean rate is learnt, at a scale of 1. The last is about the longest usual latency of
    /// the sound.
    static var usualHorizons: SIMD3<Double> { SIMD3(0.025, 0.055, 0.110) }
    /// Rate below which the regression forgets less, in proportion to the squared rate: 20°/s.
    private static var leastMotion: Double { 20 * .pi / 180 }
    /// Greatest angular acceleration of a head: 10 000°/s².
    private static var greatestAcceleration: Double { 10_000 * .pi / 180 }
    /// Turn at which a departure is attenuated to half, as possible noise: 0.1°.
    private static var leastTurn: Double { 0.1 * .pi / 180 }
    /// Seconds without a sample after which the cascade restarts, at a scale of 1.
    private static var longestGap: Double { 0.1 }

    private var cascade: RateCascade?
    /// State of the cascade before the newest sample, and the time of that state. A later sample of the same bunch
    /// starts from this state.
    private var before: (cascade: RateCascade, time: Double)?
    private var time = -Double.infinity
    /// Mean step between samples, seconds; nil before the second sample.
    private var usual: Double?
    private var past: TurnHistory
    private(set) var regression = RateRegression()
    private(set) var weights: RateRegression.Weights
    private let prior: Prior
    private let memory: Double
    /// Seconds ahead for which the mean rate is learnt.
    let horizons: SIMD3<Double>
    /// Time constant of the cascade's low passes, seconds.
    private let timeConstant: Double
    private let longestGap: Double

    /// Weights before the first observation, and their strength in the regression.
    struct Prior: Sendable {
        /// Time constant of the cascade's low passes for which the weights are valid, seconds.
        var timeConstant: Double
        var weights: RateRegression.Weights
        /// Weight of the prior, (rad/s)²·s: squared rate times seconds of motion.
        var strength: RateRegression.Matrix
    }

    /// Starts from the prior. `memory`: seconds of motion after which an observation's weight has fallen to 1/e.
    /// `scale`: factor on the horizons, at least 1, for samples that are used long after their measurement. `pace`:
    /// factor on the cascade's time constant, at least 1, for slow streams. The prior is valid for factors of 1; for
    /// others it is a first estimate until turns have been learnt.
    init(prior: Prior, memory: Double = 10, scale: Double = 1, pace: Double = 1) {
        self.prior = prior
        self.memory = memory
        horizons = Self.usualHorizons * scale
        past = TurnHistory(horizon: horizons.z)
        timeConstant = prior.timeConstant * pace
        longestGap = Self.longestGap * scale
        weights = prior.weights
    }

    /// Clears the motion in progress, but not the weights. The following samples begin a new motion.
    mutating func restart() {
        (cascade, before, time) = (nil, nil, -.infinity)
        past.clear()
    }

    /// Adds pose and rate (rad/s, body axes) at a time in seconds. A time that does not advance is ignored.
    mutating func take(_ pose: Quaternion, rate: SIMD3<Double>, at time: Double) {
        guard time > self.time else { return }
        if time - self.time > longestGap { restart() }
        guard var next = cascade else {
            cascade = RateCascade(rate, timeConstant: timeConstant)
            self.time = time
            return
        }
        var step = time - self.time
        let ordinary = usual ?? step
        usual = ordinary + 0.05 * (min(step, 2 * ordinary) - ordinary)
        if step < 0.3 * ordinary, let before {
            // Of a bunch of delayed samples, only the last is used.
            next = before.cascade
            step = time - before.time
        } else {
            before = (next, self.time)
        }
        next.take(rate, after: step)
        cascade = next
        self.time = time
        if past.append(TurnHistory.Entry(time: time, pose: pose, terms: next.terms)) { learn() }
    }

    private mutating func learn() {
        var isNew = false
        while let seen = past.seen(after: horizons) {
            let rate = seen.terms.rate
            let departures = (seen.turns.0 - rate, seen.turns.1 - rate, seen.turns.2 - rate)
            let most = Self.greatestAcceleration * horizons / 2
            guard departures.0.length < most.x, departures.1.length < most.y, departures.2.length < most.z else {
                continue
            }
            let motion = min(1, (rate * rate).sum() / (Self.leastMotion * Self.leastMotion))
            regression.forget(to: exp(-seen.step * motion / memory))
            for axis in 0..<3 {
                regression.take(
                    seen.terms.axis(axis), results: SIMD3(departures.0[axis], departures.1[axis], departures.2[axis]),
                    weight: seen.step)
            }
            isNew = true
        }
        if isNew { weights = regression.weights(prior: prior.weights, strength: prior.strength) ?? weights }
    }

    /// Expected departure of the turn from a constant rate, from the newest sample on.
    var departure: PoseForecast.Departure {
        guard let terms = cascade?.terms else { return .none }
        let (most, least) = (Self.greatestAcceleration * horizons / 2, Self.leastTurn / horizons)
        return PoseForecast.Departure(
            terms.weighed(by: weights.0).shrunk(by: least.x).limited(to: most.x),
            terms.weighed(by: weights.1).shrunk(by: least.y).limited(to: most.y),
            terms.weighed(by: weights.2).shrunk(by: least.z).limited(to: most.z), at: horizons, from: terms.rate)
    }
}

extension PoseForecast.Departure {
    /// Interpolates the departures `a`, `b` and `c` of the mean rate over the three horizons `h`, seconds. The rate at
    /// the last horizon is limited to the magnitude of the mean rate until then.
    fileprivate init(
        _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, at h: SIMD3<Double>, from rate: SIMD3<Double>
    ) {
        // Newton's divided differences.
        let ab = (b - a) / (h.y - h.x)
        let bc = (c - b) / (h.z - h.y)
        let second = (bc - ab) / (h.z - h.x)
        let linear = ab - (h.x + h.y) * second
        let constant = a - h.x * ab + h.x * h.y * second
        let end = rate + constant + (2 * h.z) * linear + (3 * h.z * h.z) * second
        self.init(
            rate: constant, slope: linear, curvature: second,
            last: end.limited(to: (rate + c).length) - rate)
    }
}

extension SIMD3<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }

    /// Returns the vector v times |v|²/(|v|² + `noise`²), the gain of a Wiener filter. A vector much longer than
    /// `noise` is hardly changed.
    fileprivate func shrunk(by noise: Double) -> SIMD3<Double> {
        let power = (self * self).sum()
        return self * (power / (power + noise * noise))
    }

    /// Returns the vector, shortened to the length `most` if it is longer.
    fileprivate func limited(to most: Double) -> SIMD3<Double> {
        let length = length
        return length > most ? self * (most / length) : self
    }
}
