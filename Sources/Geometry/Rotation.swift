/// Rotation that maps coordinates in frame `From` to coordinates in frame `To`. In a composition, neighbouring names
/// match: `headToDevice = worldToDevice * headToWorld`.
package struct Rotation<From, To>: Hashable, Sendable, BitwiseCopyable {
    /// The rotation as a quaternion of unit length.
    package let quaternion: Quaternion

    /// Makes a rotation from a quaternion, which is scaled to unit length. It is the identity if the quaternion's
    /// length is zero or not finite.
    @inlinable @inline(__always)
    package init(_ quaternion: Quaternion) { self.quaternion = quaternion.normalized }

    /// Makes a rotation from a quaternion of unit length without scaling it, because scaling would change its last
    /// bits.
    @inlinable @inline(__always)
    package init(unit quaternion: Quaternion) { self.quaternion = quaternion }

    /// Makes a rotation by yaw, pitch and roll in radians. Positive angles turn left, up, and the right ear down.
    @inlinable @inline(__always)
    package init(yaw: Double, pitch: Double = 0, roll: Double = 0) {
        self.init(Quaternion(yaw: yaw, pitch: pitch, roll: roll))
    }

    /// The rotation between frames that coincide.
    @inlinable @inline(__always)
    package static var identity: Rotation { Rotation(Quaternion.identity) }

    /// The inverse rotation.
    @inlinable @inline(__always)
    package var inverse: Rotation<To, From> { Rotation<To, From>(quaternion.conjugate) }

    /// Composes two rotations: first `rhs`, then `lhs`.
    @inlinable @inline(__always)
    package static func * <Origin>(lhs: Rotation, rhs: Rotation<Origin, From>) -> Rotation<Origin, To> {
        Rotation<Origin, To>(lhs.quaternion * rhs.quaternion)
    }

    /// Returns the direction in frame `To`.
    @inlinable @inline(__always)
    package func callAsFunction(_ direction: Direction<From>) -> Direction<To> {
        Direction<To>(unit: quaternion.rotate(direction.unit))
    }

    /// Interpolates spherically along the shorter rotation: `self` at fraction 0, `other` at 1.
    @inlinable @inline(__always)
    package func slerp(to other: Rotation, _ fraction: Double) -> Rotation {
        Rotation(quaternion.slerp(to: other.quaternion, fraction))
    }

    /// Returns the angle between two rotations, radians, 0…π.
    @inlinable @inline(__always)
    package func angle(to other: Rotation) -> Double { quaternion.angle(to: other.quaternion) }
}
