import Geometry

/// Integral of the gyroscope's rate: orientation in a frame that would be fixed if the gyroscope had no errors.
///
/// A rate is valid for the interval that ends at its sample, as in gyroscopes that average between samples. The coning
/// term of two successive intervals is added (Savage, "Strapdown inertial navigation integration algorithm design",
/// part 1, 1998, eq. 49). In a gap (more than 1.7 usual steps), the mean of the rates at both ends is used until one
/// usual step before the sample that ends the gap.
struct Strapdown: Sendable {
    /// Rotation from the body to the fixed frame.
    private(set) var orientation: Quaternion = .identity
    private var last = SIMD3<Double>(0, 0, 0)
    /// Usual step, seconds. It follows longer steps slowly, shorter steps at once, and the third of three equal steps
    /// at once.
    private var usual = Double.infinity
    /// The previous step, seconds, and the number of steps before it that were about equal.
    private var (lastStep, alike) = (0.0, 0)

    /// Starts with the inclination of the first specific force.
    mutating func begin(force: SIMD3<Double>, rate: SIMD3<Double>) {
        orientation = Quaternion(leveling: force)
        last = rate
    }

    /// Continues at a later sample without a rotation since the last one.
    mutating func resume(rate: SIMD3<Double>) { last = rate }

    /// Adds a rotation vector, radians, body axes, that has no duration.
    mutating func add(_ turn: SIMD3<Double>) {
        orientation = (orientation * Quaternion(rotationVector: turn)).normalized
    }

    /// Rotates at `rate`, rad/s, for `step` seconds.
    mutating func turn(_ rate: SIMD3<Double>, for step: Double) {
        alike = abs(step - lastStep) < 0.2 * step ? alike + 1 : 0
        lastStep = step
        usual = alike >= 2 || step < usual ? step : usual + 0.01 * (min(step, 2 * usual) - usual)
        let unknown = step > 1.7 * usual ? step - usual : 0
        let turn = rate * (step - unknown) + (last + rate) * (unknown / 2) + cross(last, rate) * (step * step / 12)
        last = rate
        orientation = orientation * Quaternion(smallTurn: turn)
        // Rounding changes the length of products of unit quaternions. One Newton step restores it.
        let k = 1.5 - 0.5 * orientation.squaredNorm
        orientation = Quaternion(
            w: orientation.w * k, x: orientation.x * k, y: orientation.y * k, z: orientation.z * k)
    }
}
