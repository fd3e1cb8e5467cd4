import Geometry
import Glibc

/// How a turn goes on: learns from the turns just made by how much the mean rate over the next 25, 55 and 110 ms will
/// depart from the rate now.
///
/// A constant rate is wrong by how the rate changes. How it changes, and how much of that is noise or the delay of a
/// gyroscope's filter, differs from head to head and tracker to tracker: the departures are weighed sums of the rate's
/// differences (`RateCascade`), and the weights are fitted, all the time, to what came of the last turns
/// (`RateRegression`, each axis one observation), beginning with those of minimum-jerk turns (Flash & Hogan, "The
/// coordination of arm movements", J. Neuroscience 5, 1985). Between the three times goes a polynomial. A departure
/// never asks for more acceleration than a head has. O(1) per sample, about 2 µs, without allocation once begun.
struct RatePredictor: Sendable {
    /// Seconds ahead at which the mean rate is learnt. The last is as far as leads of sound usually are.
    static var horizons: SIMD3<Double> { SIMD3(0.025, 0.055, 0.110) }
    /// A head slower than this is at rest, and forgets nothing: 20°/s.
    private static var leastMotion: Double { 20 * .pi / 180 }
    /// No head is faster in changing its rate: 10 000°/s².
    private static var greatestAcceleration: Double { 10_000 * .pi / 180 }
    /// What departs by less than this in all is left to noise: 0.1°.
    private static var leastTurn: Double { 0.1 * .pi / 180 }
    /// Seconds without a sample after which nothing is known of how the rate changes.
    private static var longestGap: Double { 0.1 }

    private var cascade: RateCascade?
    /// Before the newest sample: what one that came in the same moment goes on from.
    private var before: (cascade: RateCascade, time: Double)?
    private var time = -Double.infinity
    /// The usual step, seconds.
    private var usual: Double?
    private var past = TurnHistory()
    private(set) var regression = RateRegression()
    private(set) var weights: RateRegression.Weights
    private let prior: Prior
    private let memory: Double

    /// What is taken to have been seen before anything is.
    struct Prior: Sendable {
        /// Seconds of the cascade's low passes, with which it was learnt.
        var timeConstant: Double
        var weights: RateRegression.Weights
        /// (rad/s)²·s: weighs as much as that many seconds of motion at that rate.
        var strength: RateRegression.Matrix
    }

    /// One that has seen nothing. `memory`: seconds of motion after which what was learnt counts for a third.
    init(prior: Prior, memory: Double = 10) {
        self.prior = prior
        self.memory = memory
        weights = prior.weights
    }

    /// Forgets the motion under way, but not what was learnt: what comes does not continue what came.
    mutating func restart() {
        (cascade, before, time) = (nil, nil, -.infinity)
        past.clear()
    }

    /// Takes pose and rate (rad/s, in axes of the body) at a time, seconds; times that do not advance are ignored.
    mutating func take(_ pose: Quaternion, rate: SIMD3<Double>, at time: Double) {
        guard time > self.time else { return }
        if time - self.time > Self.longestGap { restart() }
        guard var next = cascade else {
            cascade = RateCascade(rate, timeConstant: prior.timeConstant)
            self.time = time
            return
        }
        var step = time - self.time
        let ordinary = usual ?? step
        usual = ordinary + 0.05 * (min(step, 2 * ordinary) - ordinary)
        if step < 0.3 * ordinary, let before {
            // Held up and come in a bunch: only the last of them counts.
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
        while let seen = past.seen(after: Self.horizons) {
            let rate = seen.terms.rate
            let departures = (seen.turns.0 - rate, seen.turns.1 - rate, seen.turns.2 - rate)
            let most = Self.greatestAcceleration * Self.horizons / 2
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

    /// By how much the turn from the newest sample on is expected to depart from a constant rate.
    var departure: PoseForecast.Departure {
        guard let terms = cascade?.terms else { return .none }
        let (most, least) = (Self.greatestAcceleration * Self.horizons / 2, Self.leastTurn / Self.horizons)
        return PoseForecast.Departure(
            terms.weighed(by: weights.0).shrunk(by: least.x).limited(to: most.x),
            terms.weighed(by: weights.1).shrunk(by: least.y).limited(to: most.y),
            terms.weighed(by: weights.2).shrunk(by: least.z).limited(to: most.z), at: Self.horizons, from: terms.rate)
    }
}

extension PoseForecast.Departure {
    /// Through the departures of the mean rate over three horizons, seconds. What turn is left at the last horizon is
    /// not faster than the mean until then.
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

    /// As it is where it is long, less and less where it is not longer than `noise` (a Wiener filter's gain).
    fileprivate func shrunk(by noise: Double) -> SIMD3<Double> {
        let power = (self * self).sum()
        return self * (power / (power + noise * noise))
    }

    /// As it is, or where it is longer than `most`, as long as that.
    fileprivate func limited(to most: Double) -> SIMD3<Double> {
        let length = length
        return length > most ? self * (most / length) : self
    }
}
