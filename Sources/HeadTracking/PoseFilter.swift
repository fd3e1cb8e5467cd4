import Geometry
import Glibc
import IMU

/// Smooths one tracker's noisy orientations and estimates the angular rate. The result is steady while the body is
/// still, and follows quickly while the body moves.
///
/// Three constant-velocity Kalman filters on SO(3) run side by side as an interacting multiple model estimator (Blom &
/// Bar-Shalom 1988; Bar-Shalom, Li & Kirubarajan, "Estimation with Applications to Tracking and Navigation", §11.6.6).
/// They differ only in the spectral density of the angular acceleration that they assume. The filter with the lowest
/// density averages over about 0.2 s, that with the highest follows within two samples. The likelihood of each sample
/// weights the filters. The error state is a rotation vector in body axes with equal variance on all axes, so each
/// covariance is 2×2: angle and rate. The tracker's noise is measured from the third differences of the angle, which
/// motion hardly affects. Their variance is 20 times that of the noise. O(1) per sample, below 1 µs.
package struct PoseFilter: Sendable {
    /// State of one model of motion.
    private struct Model {
        var pose: Quaternion
        /// rad/s, body axes.
        var rate: SIMD3<Double>
        /// Variances of angle (rad²), angle × rate and rate (rad²/s²), per axis.
        var pp: Double
        var pv: Double
        var vv: Double
    }

    /// Spectral density of each model's angular acceleration, (°)²/s³: at rest or in an even turn; at the beginning of
    /// a slow turn; in an abrupt turn (about 600°/s² over 0.05 s).
    private static var restlessness: (Double, Double, Double) { (0.15, 100, 5000) }
    /// Probability, from one sample to the next, of a change from one model to a particular other one.
    private static var changes: Double { 0.001 }
    /// Noise of a tracker, radians RMS per axis: the initial value, the least (fine quantisation) and the greatest.
    private static var noiseAtStart: Double { 0.1 * .pi / 180 }
    private static var leastNoise: Double { 0.01 * .pi / 180 }
    private static var greatestNoise: Double { 1 * .pi / 180 }
    /// Rate of a head at its first sample: 200°/s (one standard deviation).
    private static var rateAtStart: Double { 200 * .pi / 180 }

    /// Time of the last sample, seconds.
    package private(set) var time: Double
    /// Body to world at `time`.
    package private(set) var pose: Quaternion
    /// Angular rate at `time`, rad/s in body axes.
    package private(set) var rate: SIMD3<Double>
    /// Variance of the tracker's noise per axis, rad².
    private var noise: Double
    private var models: (Model, Model, Model)
    private var weights: SIMD3<Double>
    private var lastMeasured: Quaternion
    private var differences: (SIMD3<Double>?, SIMD3<Double>?) = (nil, nil)

    /// Starts with one sample. `noise`: noise measured by an earlier filter of the same tracker, radians RMS; nil if
    /// there is none.
    package init(_ sample: OrientationSample, noise: Double? = nil) {
        let q = sample.bodyToWorld.quaternion
        time = sample.time
        pose = q
        rate = sample.rate ?? SIMD3(0, 0, 0)
        let sigma = noise ?? Self.noiseAtStart
        self.noise = sigma * sigma
        let vv = sample.rate == nil ? Self.rateAtStart * Self.rateAtStart : 1e-4
        let model = Model(pose: q, rate: rate, pp: sigma * sigma, pv: 0, vv: vv)
        models = (model, model, model)
        weights = SIMD3(0.1, 0.3, 0.6)
        lastMeasured = q
    }

    /// Measured noise of the tracker per axis, radians RMS.
    package var noiseRadians: Double { noise.squareRoot() }

    /// Filters the next sample. A sample that is not later than the last is ignored.
    package mutating func take(_ sample: OrientationSample) {
        let dt = sample.time - time
        guard dt > 0 else { return }
        time = sample.time
        let measured = sample.bodyToWorld.quaternion
        measureNoise(measured)
        mix()
        let q = Self.restlessness
        let unit = (Double.pi / 180) * (Double.pi / 180)
        let likelihoods = SIMD3(
            advance(&models.0, dt, q.0 * unit, measured), advance(&models.1, dt, q.1 * unit, measured),
            advance(&models.2, dt, q.2 * unit, measured))
        // The logarithms are relative to the greatest one, so that an outlier cannot make every likelihood zero.
        let top = max(likelihoods.x, max(likelihoods.y, likelihoods.z))
        let raw = weights * SIMD3(exp(likelihoods.x - top), exp(likelihoods.y - top), exp(likelihoods.z - top))
        let sum = raw.sum()
        weights = sum > 0 ? raw / sum : SIMD3(0, 0, 1)
        combine()
        if let measuredRate = sample.rate {
            // A gyroscope is more accurate than any difference between orientations, so its rate replaces the estimate.
            rate = measuredRate
            models.0.rate = measuredRate
            models.1.rate = measuredRate
            models.2.rate = measuredRate
        }
    }

    /// Moves the pose to a sample and keeps the rate and the weights of the models: the tracker's own reference has
    /// jumped, but the body has not moved.
    package mutating func jump(to sample: OrientationSample) {
        let dt = sample.time - time
        guard dt > 0 else { return }
        time = sample.time
        let measured = sample.bodyToWorld.quaternion
        let turn = measured * (pose * Quaternion(rotationVector: rate * dt)).conjugate
        shift(&models.0, by: turn, dt)
        shift(&models.1, by: turn, dt)
        shift(&models.2, by: turn, dt)
        pose = measured
        lastMeasured = measured
        differences = (nil, nil)
    }

    private func shift(_ m: inout Model, by turn: Quaternion, _ dt: Double) {
        m.pose = (turn * m.pose * Quaternion(rotationVector: m.rate * dt)).normalized
        // The pose after the jump depends on this sample alone.
        m.pp = noise
        m.pv = 0
    }

    /// Performs the time update by `dt`, then the measurement update. Returns the logarithm of the likelihood.
    private func advance(_ m: inout Model, _ dt: Double, _ density: Double, _ measured: Quaternion) -> Double {
        m.pose = (m.pose * Quaternion(rotationVector: m.rate * dt)).normalized
        m.pp += dt * (2 * m.pv + dt * m.vv) + density * dt * dt * dt / 3
        m.pv += dt * m.vv + density * dt * dt / 2
        m.vv += density * dt
        let error = (m.pose.conjugate * measured).rotationVector
        let s = m.pp + noise
        let (gainAngle, gainRate) = (m.pp / s, m.pv / s)
        m.pose = (m.pose * Quaternion(rotationVector: error * gainAngle)).normalized
        m.rate += error * gainRate
        let (pp, pv) = (m.pp, m.pv)
        m.pp = (1 - gainAngle) * pp
        m.pv = (1 - gainAngle) * pv
        m.vv -= gainRate * pv
        return -1.5 * log(s) - (error * error).sum() / (2 * s)
    }

    /// Mixes the models: each continues from the mean of all models, weighted by the probability that the motion has
    /// changed from that model to this one.
    private mutating func mix() {
        let (stay, change) = (1 - 2 * Self.changes, Self.changes)
        let w = weights
        let to = SIMD3(
            stay * w.x + change * (w.y + w.z), stay * w.y + change * (w.x + w.z), stay * w.z + change * (w.x + w.y))
        let old = models
        models.0 = Self.mean(of: old, SIMD3(stay * w.x, change * w.y, change * w.z) / to.x, about: old.0.pose)
        models.1 = Self.mean(of: old, SIMD3(change * w.x, stay * w.y, change * w.z) / to.y, about: old.1.pose)
        models.2 = Self.mean(of: old, SIMD3(change * w.x, change * w.y, stay * w.z) / to.z, about: old.2.pose)
        weights = to
    }

    /// Returns the mean of the models and its covariance, which includes the spread of the models.
    private static func mean(
        of m: (Model, Model, Model), _ w: SIMD3<Double>, about origin: Quaternion
    ) -> Model {
        let back = origin.conjugate
        let (d0, d1, d2) = (
            (back * m.0.pose).rotationVector, (back * m.1.pose).rotationVector, (back * m.2.pose).rotationVector
        )
        let angle = d0 * w.x + d1 * w.y + d2 * w.z
        let rate = m.0.rate * w.x + m.1.rate * w.y + m.2.rate * w.z
        var result = Model(
            pose: (origin * Quaternion(rotationVector: angle)).normalized, rate: rate, pp: 0, pv: 0, vv: 0)
        func add(_ model: Model, _ d: SIMD3<Double>, _ weight: Double) {
            let (a, r) = (d - angle, model.rate - rate)
            result.pp += weight * (model.pp + (a * a).sum() / 3)
            result.pv += weight * (model.pv + (a * r).sum() / 3)
            result.vv += weight * (model.vv + (r * r).sum() / 3)
        }
        add(m.0, d0, w.x)
        add(m.1, d1, w.y)
        add(m.2, d2, w.z)
        return result
    }

    private mutating func combine() {
        let all = Self.mean(of: models, weights, about: models.2.pose)
        pose = all.pose
        rate = all.rate
    }

    /// Measures the noise from third differences of the angle: 20 σ² per axis for white noise of variance σ².
    private mutating func measureNoise(_ measured: Quaternion) {
        let difference = (lastMeasured.conjugate * measured).rotationVector
        lastMeasured = measured
        if let one = differences.0, let two = differences.1 {
            let third = difference - 2 * two + one
            // The variance is limited, because a lost sample during a turn is not noise.
            let variance = min((third * third).sum() / 60, 4 * noise)
            let next = noise + 0.02 * (variance - noise)
            noise = max(Self.leastNoise * Self.leastNoise, min(Self.greatestNoise * Self.greatestNoise, next))
        }
        differences = (differences.1, difference)
    }
}
