import CRealtime
import Geometry

/// Field of a magnet fixed to the sensor, separated from the earth's field as the body turns.
///
/// In the level world of 6-axis fusion the earth's field h is constant, while a magnet's field d (a headphone's, a
/// phone's, a clip's) turns with the body: the magnetometer measures h + R·d. That is linear in h and d, so a Kalman
/// filter of six states, corrected twenty times a second, estimates both. h wanders with the 6-axis heading and from
/// place to place; d hardly changes until the mean misfit of a second is large: then a magnet may have come or gone,
/// and d alone is unknown again.
struct AttachedMagnet: Sendable {
    /// Earth's field in the 6-axis world and the magnet's in body axes, in the magnetometer's unit.
    private(set) var earth = SIMD3<Double>(0, 0, 0)
    private(set) var offset = SIMD3<Double>(0, 0, 0)
    /// Covariance of both by blocks: earth, earth × offset, offset.
    private var earthCovariance = Matrix3.zero
    private var crossCovariance = Matrix3.zero
    private var offsetCovariance = Matrix3.zero
    /// Mean square residual of the last second over the expected one; 1 where they agree.
    private(set) var misfit = 1.0
    /// Mean of the field without a magnet; its mean square deviation from that (`plainSquare`) and from earth and
    /// magnet (`square`), during turns.
    private var plain = SIMD3<Double>(0, 0, 0)
    private var age = 0.0
    private var plainSquare = 0.0
    private var square = 0.0
    private var turningTime = 0.0
    /// Seconds until another magnet may be assumed.
    private var patience = 0.0
    private var isFirst = true
    /// Sums over the samples since the last correction: field in the world, body to world, seconds.
    private var field = SIMD3<Double>(0, 0, 0)
    private var turn = Matrix3.zero
    private var span = 0.0
    private let options: InertialOptions

    /// Least rate of a turn, rad/s.
    private static let turning = 20 * Double.pi / 180
    /// Variance that an attached magnet's field gains in a minute, as a fraction of `scatter`.
    private static let wander = 0.1
    /// Seconds for which a new magnet is estimated before the next may come.
    private static let pause = 2.0

    init(_ options: InertialOptions) { self.options = options }

    /// Takes a field in the world (`toWorld` turns body to world). Returns whether the estimate was corrected.
    mutating func take(
        _ world: SIMD3<Double>, toWorld: Matrix3, turnRate: Double, headingTime: Double, step: Double
    ) -> Bool {
        guard step > 0 else { return false }
        field += world * step
        turn += toWorld * step
        span += step
        guard span >= GyroscopeEstimator.interval - 1e-9 else { return false }
        let measured = field * (1 / span)
        age += span
        let apart = measured - plain
        plain += apart * max(span / age, 1 - prc_exp(-span / headingTime))
        let residual = correct(measured, turn * (1 / span), headingTime: headingTime)
        if turnRate > Self.turning {
            turningTime += span
            let weight = max(span / turningTime, 1 - prc_exp(-span / options.magnetEvidence))
            plainSquare += weight * (dot(apart, apart) - plainSquare)
            square += weight * (dot(residual, residual) - square)
        }
        (field, turn, span) = (.zero, .zero, 0)
        return true
    }

    /// Corrects both fields; returns measured less expected field.
    private mutating func correct(
        _ measured: SIMD3<Double>, _ turn: Matrix3, headingTime: Double
    ) -> SIMD3<Double> {
        if isFirst {
            isFirst = false
            earth = measured
            let strength = dot(measured, measured)
            earthCovariance = Matrix3(diagonal: 100 * strength)
            offsetCovariance = Matrix3(diagonal: options.magnetStrength * options.magnetStrength * strength)
        }
        let strength = max(dot(earth, earth), 1e-12)
        // The field varies by `fieldScatter` from place to place and decorrelates over `fieldTime`.
        let scatter = options.fieldScatter * options.fieldScatter * strength
        let density = scatter * options.fieldTime
        earthCovariance += Matrix3(diagonal: density / (headingTime * headingTime) * span)
        offsetCovariance += Matrix3(diagonal: Self.wander * scatter * span / 60)
        let residual = left(measured, turn)
        // The states' share of the variance.
        let spread =
            earthCovariance.trace
            + 2 * (dot(turn.x, crossCovariance.x) + dot(turn.y, crossCovariance.y) + dot(turn.z, crossCovariance.z))
            + offsetCovariance.trace
        let ratio = dot(residual, residual) / (3 * scatter + max(0, spread))
        misfit += (1 - prc_exp(-span)) * (min(ratio, 100) - misfit)
        patience -= span
        if misfit > options.magnetMisfit, patience <= 0 {
            patience = Self.pause
            misfit = 1
            crossCovariance = .zero
            offsetCovariance = Matrix3(diagonal: max(dot(residual, residual), 9 * scatter))
        }
        // Outliers count less: weights of Student's t with few degrees of freedom.
        let noise = density / span * max(1, misfit) * (1 + ratio / 4)
        fuse(residual, turn.x, 0, noise)
        fuse(left(measured, turn), turn.y, 1, noise)
        fuse(left(measured, turn), turn.z, 2, noise)
        return residual
    }

    /// Returns the measured field less both fields.
    private func left(_ measured: SIMD3<Double>, _ turn: Matrix3) -> SIMD3<Double> {
        measured - earth - turn * offset
    }

    /// Corrects by one world axis, measured as earth[axis] + row · offset.
    private mutating func fuse(_ residual: SIMD3<Double>, _ row: SIMD3<Double>, _ axis: Int, _ noise: Double) {
        let top = earthCovariance[axis] + crossCovariance * row
        let bottom = crossCovariance[axis] + offsetCovariance * row
        let scale = 1 / (top[axis] + dot(row, bottom) + noise)
        earth += top * (residual[axis] * scale)
        offset += bottom * (residual[axis] * scale)
        earthCovariance.subtract(top, top * scale)
        crossCovariance.subtract(top, bottom * scale)
        offsetCovariance.subtract(bottom, bottom * scale)
    }

    /// Mean square of the residual without a magnet over that with one, divided by the required ratio, which is higher
    /// in the first seconds of turns: six unknowns can always fit those.
    var evidence: Double {
        plainSquare / max(square, 1e-12) * min(1, turningTime / options.magnetProof) / options.magnetGain
    }

    /// Strength of the earth's field, in the magnetometer's unit.
    var strength: Double { dot(earth, earth).squareRoot() }

    /// Standard deviation of the heading that the earth's field gives, radians.
    var headingDeviation: Double {
        let level = earth.x * earth.x + earth.y * earth.y
        let across = SIMD3(-earth.y, earth.x, 0)
        return dot(across, earthCovariance * across).squareRoot() / max(level, 1e-12)
    }
}
