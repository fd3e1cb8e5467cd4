import CRealtime
import Geometry

/// Separates the field of a magnet that is fixed to the sensor from the earth's field, while the body turns.
///
/// In the level world of 6-axis fusion (without the magnetometer) the earth's field h is constant. The field d of a
/// magnet (in headphones, a phone, a clip) turns with the body, so the magnetometer measures h + R·d. This is linear in
/// h and d, so a Kalman filter of six states, corrected twenty times a second, estimates both. h drifts with the 6-axis
/// heading and changes from place to place. d is assumed to be nearly constant until the mean misfit of a second is
/// large. Then a magnet may have been added or removed, and only d becomes unknown again: h remains known from the time
/// before the change. If the body does not turn meanwhile, the change of the field is the change of d (`watch`).
///
/// How well h is known after a first rest depends on the expectation of d at the start. Without a magnet, a rest of
/// some seconds already shows h. With a possible magnet, the rest shows only the sum of both fields.
/// `MagneticCorrection` therefore begins with one estimate of each kind, and keeps the one that fits the field better
/// while the body turns.
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
    /// Mean of the field without the assumption of a magnet. `plainSquare`: mean square deviation of the field from
    /// this mean during turns. `square`: mean square deviation of the field from earth and magnet together.
    private var plain = SIMD3<Double>(0, 0, 0)
    private var age = 0.0
    private var plainSquare = 0.0
    private var square = 0.0
    /// Seconds of turns so far.
    private(set) var turningTime = 0.0
    /// Seconds until a change of the magnet may be assumed again.
    private var patience = 0.0
    private var isFirst = true
    /// Whether the last change of the magnet was seen: the field changed while the body did not turn.
    private(set) var hasComeOrGone = false
    /// Seconds of turns since that change.
    private(set) var turningTimeSince = 0.0
    /// Field while the body does not turn: `fresh`, the mean over 0.3 s, and `settled`, the mean until the field began
    /// to change. Then: seconds without turns, seconds since the field began to change, and seconds for which the new
    /// field has been constant.
    private var (fresh, settled) = (SIMD3<Double>(0, 0, 0), SIMD3<Double>(0, 0, 0))
    private var (stillTime, changingTime, calmTime) = (0.0, 0.0, 0.0)
    /// Angle turned in about the last two seconds, radians.
    private var turned = 0.0
    /// Expected field of the magnet at the start: one standard deviation of each axis, as a fraction of the field.
    private let expected: Double
    /// Sums over the samples since the last correction: field in the world, rotation body to world, seconds.
    private var field = SIMD3<Double>(0, 0, 0)
    private var turn = Matrix3.zero
    private var span = 0.0
    private let options: InertialOptions

    /// Least rate that counts as a turn, rad/s.
    private static let turning = 20 * Double.pi / 180
    /// Greatest angle by which a body that does not turn moves, radians.
    private static let unturned = 3 * Double.pi / 180
    /// Variance that the field of an attached magnet gains in a minute, as a fraction of the variance of the earth's
    /// field between places (`fieldScatter`).
    private static let wander = 0.1
    /// Seconds for which a new magnet is estimated before another change is permitted.
    private static let pause = 2.0

    /// Creates an estimate without samples. `expected`: standard deviation of each axis of the magnet's field at the
    /// start, as a fraction of the first field.
    init(_ options: InertialOptions, expected: Double) {
        self.options = options
        self.expected = expected
    }

    /// Adds a field in the world. `toWorld` converts body to world axes; `turnRate` is in rad/s; `headingTime` is the
    /// time constant of the heading and `step` the time since the last field, seconds. Returns whether a correction was
    /// due, twenty times a second.
    mutating func take(
        _ world: SIMD3<Double>, toWorld: Matrix3, turnRate: Double, headingTime: Double, step: Double
    ) -> Bool {
        guard step > 0 else {
            // The body may have turned in a gap, so the time without turns begins anew.
            (stillTime, changingTime, calmTime) = (0, 0, 0)
            return false
        }
        field += world * step
        turn += toWorld * step
        span += step
        guard span >= GyroscopeEstimator.interval - 1e-9 else { return false }
        let measured = field * (1 / span)
        age += span
        turned += turnRate * span - turned * (1 - prc_exp(-span / 2))
        let apart = measured - plain
        plain += apart * max(span / age, 1 - prc_exp(-span / headingTime))
        let turn = turn * (1 / span)
        watch(measured, turn)
        let residual = changingTime > 0 ? .zero : correct(measured, turn, headingTime: headingTime)
        if turnRate > Self.turning {
            turningTime += span
            turningTimeSince += span
            let weight = max(span / turningTime, 1 - prc_exp(-span / options.magnetEvidence))
            plainSquare += weight * (dot(apart, apart) - plainSquare)
            square += weight * (dot(residual, residual) - square)
        }
        (field, self.turn, span) = (.zero, .zero, 0)
        return true
    }

    /// Detects that the field changes although the body does not turn: a magnet was added or removed. The change is
    /// added to the magnet's field.
    private mutating func watch(_ measured: SIMD3<Double>, _ turn: Matrix3) {
        guard turned < Self.unturned else {
            (stillTime, changingTime, calmTime) = (0, 0, 0)
            return
        }
        let isNew = stillTime == 0
        stillTime += span
        fresh += (isNew ? 1 : 1 - prc_exp(-span / 0.3)) * (measured - fresh)
        let apart = fresh - settled
        let limit = options.magnetStep * options.magnetStep * dot(earth, earth)
        guard stillTime > 1, dot(apart, apart) > limit else {
            settled = stillTime > 1 ? settled + min(1, span / min(stillTime, 10)) * apart : fresh
            (changingTime, calmTime) = (0, 0)
            return
        }
        changingTime += span
        let off = measured - fresh
        calmTime = dot(off, off) < limit / 4 ? calmTime + span : 0
        guard changingTime > 1, calmTime > 0.5 else { return }
        offset += turn.x * apart.x + turn.y * apart.y + turn.z * apart.z
        offsetCovariance += Matrix3(diagonal: limit / 9)
        (settled, changingTime, calmTime) = (fresh, 0, 0)
        (misfit, patience) = (1, Self.pause)
        (hasComeOrGone, turningTimeSince) = (true, 0)
    }

    /// Makes the magnet's field unknown again after a change of the field by `change`.
    private mutating func reopen(_ change: SIMD3<Double>) {
        let strength = max(dot(earth, earth), 1e-12)
        crossCovariance = .zero
        offsetCovariance = Matrix3(
            diagonal: max(dot(change, change), 9 * options.fieldScatter * options.fieldScatter * strength))
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
            offsetCovariance = Matrix3(diagonal: expected * expected * strength)
        }
        let strength = max(dot(earth, earth), 1e-12)
        // The field varies by `fieldScatter` from place to place and has the correlation time `fieldTime`.
        let scatter = options.fieldScatter * options.fieldScatter * strength
        let density = scatter * options.fieldTime
        earthCovariance += Matrix3(diagonal: density / (headingTime * headingTime) * span)
        offsetCovariance += Matrix3(diagonal: Self.wander * scatter * span / 60)
        let residual = left(measured, turn)
        // Part of the residual's variance that the uncertainty of the states causes.
        let spread =
            earthCovariance.trace
            + 2 * (dot(turn.x, crossCovariance.x) + dot(turn.y, crossCovariance.y) + dot(turn.z, crossCovariance.z))
            + offsetCovariance.trace
        let ratio = dot(residual, residual) / (3 * scatter + max(0, spread))
        misfit += (1 - prc_exp(-span)) * (min(ratio, 100) - misfit)
        // A magnet that stands in the room fits no longer as soon as the body turns. The change then does not count as
        // that of an attached magnet.
        if misfit > options.seenMisfit { hasComeOrGone = false }
        patience -= span
        if misfit > options.magnetMisfit, patience <= 0 {
            patience = Self.pause
            hasComeOrGone = false
            misfit = 1
            reopen(residual)
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

    /// Mean square of the residual without a magnet divided by the one with a magnet. It is reduced in the first
    /// seconds of turns, because six unknowns always fit a short turn.
    var gain: Double { gain(over: plainSquare) }

    /// Mean square of another estimate's residual divided by that of this estimate, reduced in the same way.
    func gain(over other: AttachedMagnet) -> Double { gain(over: other.square) }

    private func gain(over other: Double) -> Double {
        other / max(square, 1e-12) * min(1, turningTime / options.magnetProof)
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
