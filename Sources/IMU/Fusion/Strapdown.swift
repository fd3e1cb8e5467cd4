import Geometry

/// The gyroscope integrated: orientation against a frame that stands still but for the gyroscope's errors.
///
/// A rate counts for the interval that it ends, as gyroscopes that average between samples give it, with the coning
/// term of two successive intervals (Savage, "Strapdown inertial navigation integration algorithm design", part 1,
/// 1998, eq. 49); across a gap the mean of both ends counts.
struct Strapdown: Sendable {
    /// Body to the frame kept still.
    private(set) var orientation: Quaternion = .identity
    private var last = SIMD3<Double>(0, 0, 0)
    /// The usual step, seconds: follows slowly, shorter ones at once.
    private var usual = Double.infinity

    /// Begins level, by the first specific force.
    mutating func begin(force: SIMD3<Double>, rate: SIMD3<Double>) {
        orientation = Quaternion(leveling: force)
        last = rate
    }

    /// Goes on from a later sample without turning in between.
    mutating func resume(rate: SIMD3<Double>) { last = rate }

    /// Turns at `rate`, rad/s, for `step` seconds.
    mutating func turn(_ rate: SIMD3<Double>, for step: Double) {
        usual = step < usual ? step : usual + 0.01 * (min(step, 2 * usual) - usual)
        let mean = step > 1.7 * usual ? (last + rate) / 2 : rate
        let turn = mean * step + cross(last, rate) * (step * step / 12)
        last = rate
        orientation = orientation * Quaternion(rotationVector: turn)
        // Products of unit quaternions leave unit length by rounding alone: one Newton step restores it.
        let k = 1.5 - 0.5 * orientation.squaredNorm
        orientation = Quaternion(
            w: orientation.w * k, x: orientation.x * k, y: orientation.y * k, z: orientation.z * k)
    }
}
