import CRealtime
import Geometry

/// Separates the field of a magnet that is fixed to the sensor from the earth's field, while the body turns.
///
/// In the level world of 6-axis fusion the earth's field h is constant. The field d of a magnet (in headphones, a
/// phone, a clip) turns with the body, so the magnetometer measures h + R·d. This is linear in h and d, so a Kalman
/// filter of six states, corrected twenty times a second, estimates both. h drifts with the 6-axis heading and changes
/// from place to place. d hardly changes until the mean misfit of a second is large. Then a magnet may have been added
/// or removed, and only d becomes unknown again.
struct AttachedMagnet: Sendable {
    /// Earth's field in the 6-axis world and the magnet's field in body axes, in the magnetometer's unit.
    private(set) var earth = SIMD3<Double>(0, 0, 0)
    private(set) var offset = SIMD3<Double>(0, 0, 0)
    /// Covariance of both fields in blocks: earth, earth × offset, offset.
    private var earthCovariance = Matrix3.zero
    private var crossCovariance = Matrix3.zero
    private var offsetCovariance = Matrix3.zero
    /// Mean square residual of the last second divided by the expected one; 1 if they agree.
    private(set) var misfit = 1.0
    /// Mean of the field without the assumption of a magnet. `plainSquare` is its mean square deviation during turns;
    /// `square` is the mean square deviation from earth and magnet together.
    private var plain = SIMD3<Double>(0, 0, 0)
    private var age = 0.0
    private var plainSquare = 0.0
    private var square = 0.0
    private var turningTime = 0.0
    /// Seconds until a change of the magnet may be assumed again.
    private var patience = 0.0
    private var isFirst = true
    /// Sums over the samples since the last correction: field in the world, rotation body to world, seconds.
    private var field = SIMD3<Double>(0, 0, 0)
    private var turn = Matrix3.zero
    private var span = 0.0
    private let options: InertialOptions

    /// Least rate that counts as a turn, rad/s.
    private static let turning = 20 * Double.pi / 180
    /// Variance that the field of an attached magnet gains in a minute, as a fraction of `scatter`.
    private static let wander = 0.1
    /// Seconds for which a new magnet is estimated before another change is permitted.
    private static let pause = 2.0

    init(_ options: InertialOptions) { self.options = options }

    /// Adds a field in the world. `toWorld` converts body to world axes; `turnRate` is in rad/s; `headingTime` is the
    /// time constant of the heading and `step` the time since the last field, seconds. Returns whether the estimate was
    /// corrected.
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

    /// Corrects both fields; returns the measured field minus the expected field.
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
        // The field varies by `fieldScatter` from place to place and has the correlation time `fieldTime`.
        let scatter = options.fieldScatter * options.fieldScatter * strength
        let density = scatter * options.fieldTime
        earthCovariance += Matrix3(diagonal: density / (headingTime * headingTime) * span)
        offsetCovariance += Matrix3(diagonal: Self.wander * scatter * span / 60)
        let residual = left(measured, turn)
        // Part of the variance that the states cause.
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
        // Outliers have less weight: the weights of Student's t with a small number of degrees of freedom.
        let noise = density / span * max(1, misfit) * (1 + ratio / 4)
        fuse(residual, turn.x, 0, noise)
        fuse(left(measured, turn), turn.y, 1, noise)
        fuse(left(measured, turn), turn.z, 2, noise)
        return residual
    }

    /// Returns the measured field minus both estimated fields.
    private func left(_ measured: SIMD3<Double>, _ turn: Matrix3) -> SIMD3<Double> {
        measured - earth - turn * offset
    }

    /// Corrects both fields by one world axis, which is measured as earth[axis] + row · offset.
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

    /// Mean square of the residual without a magnet divided by the one with a magnet, and by the required ratio. The
    /// required ratio is higher in the first seconds of turns, because six unknowns always fit a short turn.
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
