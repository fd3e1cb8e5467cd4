import Geometry

/// Integral of the gyroscope: orientation against a frame that stands still apart from the gyroscope's errors.
///
/// A rate holds for the interval that it ends, as from gyroscopes that average between samples, with the coning term of
/// two successive intervals (Savage, "Strapdown inertial navigation integration algorithm design", part 1, 1998, eq.
/// 49); before the interval of the sample that ends a gap, the mean of both ends holds.
struct Strapdown: Sendable {
    /// Rotation from the body to the frame kept still.
    private(set) var orientation: Quaternion = .identity
    private var last = SIMD3<Double>(0, 0, 0)
    /// Usual step, seconds: follows longer ones slowly, shorter ones at once, and the third of three that are alike.
    private var usual = Double.infinity
    /// The step before, and how many before it were alike, seconds.
    private var (lastStep, alike) = (0.0, 0)

    /// Begins with the inclination of the first specific force.
    mutating func begin(force: SIMD3<Double>, rate: SIMD3<Double>) {
        orientation = Quaternion(leveling: force)
        last = rate
    }

    /// Continues from a later sample without a turn in between.
    mutating func resume(rate: SIMD3<Double>) { last = rate }

    /// Turns by a rotation vector, radians, body axes, without time.
    mutating func add(_ turn: SIMD3<Double>) {
        orientation = (orientation * Quaternion(rotationVector: turn)).normalized
    }

    /// Turns at `rate`, rad/s, for `step` seconds.
    mutating func turn(_ rate: SIMD3<Double>, for step: Double) {
        alike = abs(step - lastStep) < 0.2 * step ? alike + 1 : 0
        lastStep = step
        usual = alike >= 2 || step < usual ? step : usual + 0.01 * (min(step, 2 * usual) - usual)
        let unknown = step > 1.7 * usual ? step - usual : 0
        let turn = rate * (step - unknown) + (last + rate) * (unknown / 2) + cross(last, rate) * (step * step / 12)
        last = rate
        orientation = orientation * Quaternion(smallTurn: turn)
        // Rounding moves products of unit quaternions off unit length: one Newton step restores it.
        let k = 1.5 - 0.5 * orientation.squaredNorm
        orientation = Quaternion(
            w: orientation.w * k, x: orientation.x * k, y: orientation.y * k, z: orientation.z * k)
    }
}
