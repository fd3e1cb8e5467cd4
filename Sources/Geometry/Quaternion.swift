import CRealtime

/// Unit quaternion w + xi + yj + zk (Hamilton), for the arithmetic of `Rotation`. All members are safe on the audio
/// thread.
///
/// Angles are in radians. They follow the project's convention R = Rz(yaw)·Ry(−pitch)·Rx(roll): positive yaw turns
/// left, positive pitch turns up, positive roll lowers the right ear.
package struct Quaternion: Codable, Hashable, Sendable, BitwiseCopyable {
    /// Real part, cos(angle/2).
    package var w: Double
    /// x of the axis times sin(angle/2).
    package var x: Double
    /// y of the axis times sin(angle/2).
    package var y: Double
    /// z of the axis times sin(angle/2).
    package var z: Double

    /// Makes a quaternion from its components, without scaling; see `normalized`.
    @_noLocks
    package init(w: Double, x: Double, y: Double, z: Double) {
        self.w = w
        self.x = x
        self.y = y
        self.z = z
    }

    /// The rotation by 0.
    package static var identity: Quaternion { @_noLocks get { Quaternion(w: 1, x: 0, y: 0, z: 0) } }

    /// Makes a rotation by yaw (about z), then pitch (nose up), then roll (right ear down). Each is a rotation about an
    /// axis of the frame that is already turned.
    @_noLocks
    package init(yaw: Double, pitch: Double, roll: Double) {
        let (cy, sy) = (prc_cos(yaw / 2), prc_sin(yaw / 2))
        let (cp, sp) = (prc_cos(-pitch / 2), prc_sin(-pitch / 2))
        let (cr, sr) = (prc_cos(roll / 2), prc_sin(roll / 2))
        self.init(
            w: cy * cp * cr + sy * sp * sr, x: cy * cp * sr - sy * sp * cr,
            y: cy * sp * cr + sy * cp * sr, z: sy * cp * cr - cy * sp * sr)
    }

    /// Makes a rotation by the angle |v| (radians) about the axis v/|v| (the exponential map).
    @_noLocks
    package init(rotationVector v: SIMD3<Double>) {
        let angle = prc_sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
        // sin(a/2)/a → 1/2 − a²/48 for small a: exact to double precision below 1e-4.
        let k = angle < 1e-4 ? 0.5 - angle * angle / 48 : prc_sin(angle / 2) / angle
        self.init(w: prc_cos(angle / 2), x: v.x * k, y: v.y * k, z: v.z * k)
    }

    /// Axis times angle, radians, for the shorter rotation: |result| ≤ π. Inverse of `init(rotationVector:)`.
    package var rotationVector: SIMD3<Double> {
        @_noLocks get {
            let sign: Double = w < 0 ? -1 : 1
            let sine = prc_sqrt(x * x + y * y + z * z)
            let k = sine < 1e-9 ? 2 : 2 * prc_atan2(sine, sign * w) / sine
            return SIMD3(x * sign * k, y * sign * k, z * sign * k)
        }
    }

    /// Yaw, −π…π.
    package var yaw: Double { @_noLocks get { prc_atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) } }

    /// Pitch, −π/2…π/2.
    package var pitch: Double { @_noLocks get { -prc_asin(max(-1, min(1, 2 * (w * y - x * z)))) } }

    /// Roll, −π…π.
    package var roll: Double { @_noLocks get { prc_atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) } }

    /// Inverse of a unit quaternion.
    package var conjugate: Quaternion { @_noLocks get { Quaternion(w: w, x: -x, y: -y, z: -z) } }

    /// Sum of the squares of the components; 1 for a rotation.
    package var squaredNorm: Double { @_noLocks get { w * w + x * x + y * y + z * z } }

    /// The quaternion scaled to unit length. It is the identity if the length is zero or not finite.
    package var normalized: Quaternion {
        @_noLocks get {
            let n = squaredNorm
            guard n > 0, n.isFinite else { return .identity }
            let k = 1 / prc_sqrt(n)
            return Quaternion(w: w * k, x: x * k, y: y * k, z: z * k)
        }
    }

    /// Composes two rotations: first `b`, then `a`.
    @_noLocks
    package static func * (a: Quaternion, b: Quaternion) -> Quaternion {
        Quaternion(
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
    }

    /// Returns the vector rotated by this rotation.
    @_noLocks
    package func rotate(_ v: SIMD3<Double>) -> SIMD3<Double> {
        let tx = 2 * (y * v.z - z * v.y)
        let ty = 2 * (z * v.x - x * v.z)
        let tz = 2 * (x * v.y - y * v.x)
        return SIMD3(
            v.x + w * tx + y * tz - z * ty, v.y + w * ty + z * tx - x * tz, v.z + w * tz + x * ty - y * tx)
    }

    /// Interpolates spherically along the shorter rotation: `self` at fraction 0, `other` at 1.
    @_noLocks
    package func slerp(to other: Quaternion, _ fraction: Double) -> Quaternion {
        let v = (conjugate * other).rotationVector
        return (self * Quaternion(rotationVector: v * fraction)).normalized
    }

    /// Returns `other` if it is at most `angle` (radians, 0…π) away from `self`. Otherwise returns the rotation that is
    /// `angle` away from `self` on the shorter way to `other`.
    @_noLocks
    package func turned(towards other: Quaternion, by angle: Double) -> Quaternion {
        let v = (conjugate * other).rotationVector
        let whole = prc_sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
        guard whole > angle else { return other }
        return (self * Quaternion(rotationVector: v * (angle / whole))).normalized
    }

    /// Returns the angle between two rotations, radians, 0…π.
    @_noLocks
    package func angle(to other: Quaternion) -> Double {
        let v = (conjugate * other).rotationVector
        return prc_sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
    }
}
