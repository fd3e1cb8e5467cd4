import CRealtime
import Geometry

/// Heading from the magnetometer: a rotation about the vertical that makes the field point north.
///
/// After Laidig & Seel 2023, sections 3.4 and 3.6. The strength and dip of the local field are learnt. A measured field
/// counts once it has been within 10 % and 10° of them for 0.5 s. Another field that stays the same for 20 s of turns
/// becomes the local field. A disturbed field is ignored for at most a minute, and then has a quarter of the weight, so
/// that no error is permanent.
///
/// Differences from the paper:
/// * The weight follows from the errors. Fields indoors turn by some degrees from one metre to the next, while the
///   gyroscope, with known bias and scale, drifts by about a degree a minute. A Kalman filter of one state weights
///   both. At first the heading is the mean of all fields; later it follows them over a minute. It follows faster while
///   the bias is uncertain by more than 0.05°/s, and after a time in which no field counted. It also follows faster as
///   the variance of the gyroscope's heading grows, which it does in fast turns before the scale is known. The growth
///   is weighed against the scatter of the fields in motion (`unitVariance`).
/// * The weight of a field falls as its strength and dip depart from the local field's (`noise`). The local field
///   follows the counted fields over minutes, so that a magnet that the wearer passes does not become part of the local
///   field.
/// * A first rest shows the local field before any turn. Until the local field is learnt, only fields like that of the
///   first rest count.
/// * The field of a magnet attached to the sensor is subtracted first (`AttachedMagnet`). Two estimates begin: one
///   expects no magnet and knows the earth's field after a short rest, the other expects a magnet from the start.
struct MagneticCorrection: Sendable {
    /// Rotation about the vertical that is added to the 6-axis heading (without the magnetometer), radians.
    private(set) var offset = 0.0
    /// Whether the last field counted as the local field's; false until the local field is learnt.
    private(set) var isUndisturbed = false
    private let time: Double
    /// Seconds over which the heading follows the field at present: `time`, or less while the bias is uncertain.
    private var constant = 0.0
    private let options: InertialOptions
    /// Estimate that expects no magnet at the start.
    private var magnet: AttachedMagnet
    /// Estimate that expects any magnet at the start; nil once one of the two estimates has been chosen.
    private var initialMagnet: AttachedMagnet?
    /// Whether a magnet was present from the start, so that it turned the heading until it was found.
    private var wasThere = false
    /// Field of an attached magnet that is subtracted, body axes, and whether such a magnet was found.
    private var attached = SIMD3<Double>(0, 0, 0)
    private var isAttached = false
    /// Whether the magnet had turned the heading away, so that the heading is now turning back.
    private var isAway = false
    /// Variance of the heading, in units of `unitVariance`.
    private var variance = 1e9
    private var isFirst = true
    private var strength = 0.0
    private var dip = 0.0
    private var placeStrength = 0.0
    private var placeDip = 0.0
    /// Mean strength and dip of the field in the first rests, and total duration of these rests, seconds, until the
    /// local field is learnt.
    private var (firstStrength, firstDip, firstTime) = (0.0, 0.0, 0.0)
    private var candidateStrength = 0.0
    private var candidateDip = 0.0
    private var candidateTime = 0.0
    private var undisturbedTime = 0.0
    private var rejectionTime = Self.longestRejection

    /// Mean square difference of counted fields from the heading, rad²; (5°)² at first.
    private var spread = 5 * degree * 5 * degree
    /// The same mean square over the last ten seconds of motion.
    private var scatter = 5 * degree * 5 * degree
    /// `strayed`: growth of the gyroscope's heading variance that the counted fields have not yet corrected, rad².
    /// `gyroscopeVariance`: variance of the gyroscope's heading, rad².
    private var strayed = 0.0
    private var gyroscopeVariance = 0.0

    private var weights = StepDependent(Weights())

    /// Weights of a new value in means over certain times.
    private struct Weights: Sendable {
        /// Weights for 0.05 s, for 20 s, and for the time over which the heading follows.
        var (quick, slow, following) = (0.0, 0.0, 0.0)
        /// Weight for `magnetTurning`.
        var turning = 0.0

        init() {}

        init(_ step: Double, following time: Double, turning: Double) {
            quick = 1 - prc_exp(-step / 0.05)
            slow = 1 - prc_exp(-step / 20)
            following = 1 - prc_exp(-step / time)
            self.turning = 1 - prc_exp(-step / turning)
        }
    }

    private static let longestRejection = 60.0
    /// Seconds of rest after which the field of the first rests is known.
    private static let shortestRest = 0.5
    /// Seconds of motion over which the scatter of the fields is measured.
    private static let scatterTime = 10.0
    /// Seconds of turns after which it is decided at the latest whether a magnet was present from the start.
    private static let longestDoubt = 30.0
    private static let degree = Double.pi / 180

    init(_ options: InertialOptions) {
        self.options = options
        time = options.headingTime
        magnet = AttachedMagnet(options, expected: options.calibrationOffset)
        initialMagnet = AttachedMagnet(options, expected: options.magnetStrength)
        expect(rateDeviation: 0.01)
    }

    /// Standard deviation of the heading, radians. It contains the scatter of the counted fields about the heading, the
    /// gyroscope's drift that these fields have not yet corrected, and the uncertainty from an attached magnet.
    var deviation: Double {
        let ofMagnet = isAttached ? magnet.headingDeviation : 0
        return (spread + strayed + ofMagnet * ofMagnet).squareRoot()
    }

    /// Sets the present deviation of the gyroscope's rate about the vertical, rad/s.
    mutating func expect(rateDeviation: Double) {
        constant = min(time, max(time / 12, time * 0.05 * Self.degree / max(rateDeviation, 1e-9)))
    }

    /// Sets the present variance of the gyroscope's heading, rad².
    mutating func drift(to variance: Double) {
        let gained = max(0, variance - gyroscopeVariance)
        strayed += gained
        gyroscopeVariance = variance
        self.variance += gained / unitVariance
    }

    /// Variance of the heading that a second of the local field gives, rad². Errors of fields persist over
    /// `fieldCorrelation` seconds.
    private var unitVariance: Double { max(1e-6, scatter) * options.fieldCorrelation }

    /// Filters a field in the 6-axis world (any unit). `toWorld` converts body to world axes; `turnRate`: |rate|,
    /// rad/s.
    mutating func take(
        _ found: SIMD3<Double>, toWorld: Matrix3, turnRate: Double, isAtRest: Bool, step: Double
    ) {
        guard dot(found, found) > 1e-18, dot(found, found).isFinite else { return }
        _ = initialMagnet?.take(
            found, toWorld: toWorld, turnRate: turnRate, headingTime: constant, step: step)
        if magnet.take(found, toWorld: toWorld, turnRate: turnRate, headingTime: constant, step: step) {
            decide()
            detach()
        }
        let field = found - toWorld * attached
        let length = max(dot(field, field).squareRoot(), 1e-9)
        let weights = weights.at(step) {
            Weights($0, following: time, turning: options.magnetTurning)
        }
        let quick = isFirst ? 1 : weights.quick
        strength += quick * (length - strength)
        dip += quick * (-prc_asin(max(-1, min(1, field.z / length))) - dip)
        if isAttached { approach(weight: weights.turning) }
        if placeStrength == 0, isAtRest || isFirst {
            firstTime += step
            let share = isFirst ? 1 : step / max(firstTime, Self.shortestRest)
            firstStrength += share * (strength - firstStrength)
            firstDip += share * (dip - firstDip)
        }
        judge(turnRate: turnRate, step: step, slow: weights.slow)
        let error = Self.wrapped(prc_atan2(field.x, field.y) - offset)
        variance += step / (constant * constant)
        if isFirst {
            offset += error
            isFirst = false
        } else if isUndisturbed || isLikeFirst {
            rejectionTime = min(rejectionTime + 2 * step, Self.longestRejection)
            let share = follow(error, noise: noise, step: step)
            spread += weights.following * (error * error - spread)
            if !isAtRest { scatter += min(1, step / Self.scatterTime) * (error * error - scatter) }
            strayed *= (1 - share) * (1 - share)
        } else if rejectionTime > 0 {
            rejectionTime -= step
        } else {
            _ = follow(error, noise: 4, step: step)
        }
        offset = Self.wrapped(offset)
    }

    /// Whether the local field is not learnt yet, and the field is like the one of the first rests, if there were any.
    private var isLikeFirst: Bool {
        guard placeStrength == 0 else { return false }
        return firstTime < Self.shortestRest || Self.matches(strength, dip, firstStrength, firstDip)
    }

    /// Moves the heading towards the field's heading by the Kalman gain, and returns the gain.
    private mutating func follow(_ error: Double, noise: Double, step: Double) -> Double {
        let gain = variance * step
        let share = gain / (gain + noise)
        variance *= 1 - share
        offset += share * error
        return share
    }

    /// Variance of the field's heading, relative to that of a field with the strength and dip of the local field.
    private var noise: Double {
        guard placeStrength > 0 else { return 1 }
        let stronger = (strength / placeStrength - 1) / options.placeStrength
        let steeper = (dip - placeDip) / options.placeDip
        return 1 + stronger * stronger + steeper * steeper
    }

    /// Decides whether a magnet was present from the start. If so, the estimate that expects a magnet fits the field
    /// better while the body turns. A magnet whose addition was detected was not present from the start.
    private mutating func decide() {
        guard let initialMagnet else { return }
        let isKnown = initialMagnet.headingDeviation < options.magnetCertainty
        if isKnown, initialMagnet.gain(over: magnet) > options.initialGain {
            (magnet, wasThere) = (initialMagnet, true)
            self.initialMagnet = nil
        } else if initialMagnet.turningTime > Self.longestDoubt || magnet.hasComeOrGone {
            self.initialMagnet = nil
        }
    }

    /// Decides whether a magnet is attached, and sets the field that is subtracted. A magnet whose addition was
    /// detected is subtracted at once, and needs less evidence from turns.
    private mutating func detach() {
        guard magnet.headingDeviation < options.magnetCertainty else {
            isAttached = false
            return
        }
        let size = dot(magnet.offset, magnet.offset).squareRoot()
        let share = isAttached ? 0.8 : 1
        if magnet.hasComeOrGone {
            isAttached =
                size > share * options.magnetStep * magnet.strength
                && (magnet.turningTimeSince < options.magnetProof || magnet.gain > share * options.seenGain)
        } else {
            isAttached =
                size > share * options.magnetThreshold * magnet.strength && magnet.gain > share * options.magnetGain
        }
        attached = isAttached ? magnet.offset : .zero
        if !isAttached { isAway = false }
    }

    /// Turns the heading back to the heading of the earth's field if a magnet had turned it away. In this case, or if
    /// the local field differs from the earth's field without the magnet, the latter becomes the local field.
    private mutating func approach(weight: Double) {
        let dip = -prc_asin(max(-1, min(1, magnet.earth.z / magnet.strength)))
        let way = Self.wrapped(prc_atan2(magnet.earth.x, magnet.earth.y) - offset)
        // A difference within the uncertainty of both headings is no effect of the magnet.
        let own = wasThere ? 0 : min(variance, 1) * unitVariance
        let doubt = (magnet.headingDeviation * magnet.headingDeviation + own).squareRoot()
        if abs(way) > max(options.magnetAgreement, 2 * doubt) { isAway = true }
        if isAway { offset += weight * way }
        if isAway || !Self.matches(magnet.strength, dip, placeStrength, placeDip) {
            (placeStrength, placeDip, candidateTime) = (magnet.strength, dip, 0)
        }
        if magnet.headingDeviation < options.magnetAgreement / 3, abs(way) < options.magnetAgreement / 3 {
            isAway = false
        }
    }

    /// Judges the field by strength and dip; `slow`: weight of a new value in means over 20 s.
    private mutating func judge(turnRate: Double, step: Double, slow: Double) {
        let fits = Self.matches(strength, dip, placeStrength, placeDip)
        undisturbedTime = placeStrength > 0 && fits ? undisturbedTime + step : 0
        isUndisturbed = undisturbedTime >= 0.5
        if isUndisturbed {
            let share = step / options.placeTime
            placeStrength += share * (strength - placeStrength)
            placeDip += share * (dip - placeDip)
        }
        if Self.matches(strength, dip, candidateStrength, candidateDip) {
            // Only a field that stays constant while the body turns is the local field. The first local field needs
            // five seconds of turns.
            if turnRate > 20 * Self.degree { candidateTime += step }
            candidateStrength += slow * (strength - candidateStrength)
            candidateDip += slow * (dip - candidateDip)
            if candidateTime >= (placeStrength == 0 ? 5 : 20), !isUndisturbed {
                // A candidate like the field of the first rests confirms that field.
                let confirmsFirst =
                    placeStrength == 0 && firstTime >= Self.shortestRest
                    && Self.matches(candidateStrength, candidateDip, firstStrength, firstDip)
                placeStrength = confirmsFirst ? firstStrength : candidateStrength
                placeDip = confirmsFirst ? firstDip : candidateDip
                undisturbedTime = 0.5
                isUndisturbed = true
            }
        } else {
            candidateStrength = strength
            candidateDip = dip
            candidateTime = 0
        }
    }

    private static func matches(_ strength: Double, _ dip: Double, _ other: Double, _ otherDip: Double) -> Bool {
        abs(strength - other) < 0.1 * other && abs(dip - otherDip) < 10 * degree
    }

    private static func wrapped(_ angle: Double) -> Double {
        angle > .pi ? angle - 2 * .pi : angle < -.pi ? angle + 2 * .pi : angle
    }
}
