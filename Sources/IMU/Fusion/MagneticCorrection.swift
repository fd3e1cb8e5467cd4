import CRealtime
import Geometry

/// The heading from the magnetometer: a turn about the vertical that makes the field point north.
///
/// After Laidig & Seel 2023, sections 3.4 and 3.6: a field counts while its strength (10 %) and its dip (10°) are those
/// of the place, which are learnt; a field that differs but stays the same for 20 s of turning about becomes the
/// place's. A disturbed field is passed over for a minute at most, then counts half, so that nothing locks.
///
/// Other than there the weight follows from what is known: fields indoors turn by some degrees from one metre to the
/// next, while the gyroscope, its bias and scale once learnt, drifts by about a degree a minute. So the mean of all
/// fields counts until the time constant is reached, a minute; it is shorter while the bias is known to less than
/// 0.05°/s.
struct MagneticCorrection: Sendable {
    /// Turn about the vertical that follows the 6-axis heading, radians.
    private(set) var offset = 0.0
    /// Whether the last field was taken for the earth's.
    private(set) var isUndisturbed = false
    private let time: Double
    /// Seconds of field that counted.
    private var age = 0.0
    private var isFirst = true
    private var strength = 0.0
    private var dip = 0.0
    private var placeStrength = 0.0
    private var placeDip = 0.0
    private var candidateStrength = 0.0
    private var candidateDip = 0.0
    private var candidateTime = 0.0
    private var undisturbedTime = 0.0
    private var rejectionTime = Self.longestRejection

    /// Mean square of what fields that counted differed from the heading by, rad²; 5° to begin with.
    private var spread = 5 * degree * 5 * degree
    /// Variance that the heading has gained from the gyroscope since, and the gyroscope's own, rad².
    private var strayed = 0.0
    private var gyroscopeVariance = 0.0

    private static let longestRejection = 60.0
    private static let degree = Double.pi / 180

    init(time: Double) { self.time = time }

    /// How sure the heading is, one standard deviation, radians: by how much the fields that counted scatter about it, and
    /// what the gyroscope has added while none did.
    var deviation: Double { (spread + strayed).squareRoot() }

    /// The variance of the gyroscope's heading is now so much, rad².
    mutating func drift(to variance: Double) {
        strayed += max(0, variance - gyroscopeVariance)
        gyroscopeVariance = variance
    }

    /// Takes a field in the world of 6 axes (any unit). `turnRate`: |rate|, rad/s; `biasDeviation`: of the vertical
    /// rate, rad/s.
    mutating func take(_ field: SIMD3<Double>, turnRate: Double, biasDeviation: Double, step: Double) {
        let length = dot(field, field).squareRoot()
        guard length > 1e-9, length.isFinite else { return }
        let quick = isFirst ? 1 : 1 - prc_exp(-step / 0.05)
        strength += quick * (length - strength)
        dip += quick * (-prc_asin(max(-1, min(1, field.z / length))) - dip)
        judge(turnRate: turnRate, step: step)
        let error = Self.wrapped(prc_atan2(field.x, field.y) - offset)
        let constant = min(time, max(time / 12, time * 0.05 * Self.degree / max(biasDeviation, 1e-9)))
        let weight = 1 - prc_exp(-step / constant)
        if isFirst {
            offset += error
            isFirst = false
        } else if isUndisturbed || placeStrength == 0 {
            // Until the place's field is learnt, every field counts.
            age += step
            rejectionTime = min(rejectionTime + 2 * step, Self.longestRejection)
            let share = max(weight, min(1, step / age))
            offset += share * error
            spread += (1 - prc_exp(-step / time)) * (error * error - spread)
            strayed *= (1 - share) * (1 - share)
        } else if rejectionTime > 0 {
            rejectionTime -= step
        } else {
            offset += weight / 2 * error
        }
        offset = Self.wrapped(offset)
    }

    private mutating func judge(turnRate: Double, step: Double) {
        let fits = Self.matches(strength, dip, placeStrength, placeDip)
        undisturbedTime = placeStrength > 0 && fits ? undisturbedTime + step : 0
        isUndisturbed = undisturbedTime >= 0.5
        if isUndisturbed {
            let slow = 1 - prc_exp(-step / 20)
            placeStrength += slow * (strength - placeStrength)
            placeDip += slow * (dip - placeDip)
        }
        if Self.matches(strength, dip, candidateStrength, candidateDip) {
            // Only a field that stays the same while the body turns is the place's; at the start five seconds do.
            if turnRate > 20 * Self.degree { candidateTime += step }
            let slow = 1 - prc_exp(-step / 20)
            candidateStrength += slow * (strength - candidateStrength)
            candidateDip += slow * (dip - candidateDip)
            if candidateTime >= (placeStrength == 0 ? 5 : 20), !isUndisturbed {
                placeStrength = candidateStrength
                placeDip = candidateDip
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
