/// A rotation that maps coordinates in frame `From` to coordinates in frame `To`; composition reads by matching
/// neighbours: `headToDevice = worldToDevice * headToWorld`.
package struct Rotation<From, To>: Hashable, Sendable, BitwiseCopyable {
    /// The arithmetic beneath, of unit length.
    package let quaternion: Quaternion

    /// A rotation by a quaternion, scaled to unit length (identity if its length is zero or not finite).
    @inlinable @inline(__always)
    package init(_ quaternion: Quaternion) { self.quaternion = quaternion.normalized }

    /// A rotation by a quaternion that is of unit length already, kept to the last bit: scaling once more would change
    /// it.
    @inlinable @inline(__always)
    package init(unit quaternion: Quaternion) { self.quaternion = quaternion }

    /// Yaw, pitch and roll in radians (positive: left, up, right ear down).
    @inlinable @inline(__always)
    package init(yaw: Double, pitch: Double = 0, roll: Double = 0) {
        self.init(Quaternion(yaw: yaw, pitch: pitch, roll: roll))
    }

    /// The two frames coincide.
    @inlinable @inline(__always)
    package static var identity: Rotation { Rotation(Quaternion.identity) }

    /// The way back.
    @inlinable @inline(__always)
    package var inverse: Rotation<To, From> { Rotation<To, From>(quaternion.conjugate) }

    /// First `rhs`, from its frame to the shared one, then `lhs`.
    @inlinable @inline(__always)
    package static func * <Origin>(lhs: Rotation, rhs: Rotation<Origin, From>) -> Rotation<Origin, To> {
        Rotation<Origin, To>(lhs.quaternion * rhs.quaternion)
    }

    /// The direction seen in frame `To`.
    @inlinable @inline(__always)
    package func callAsFunction(_ direction: Direction<From>) -> Direction<To> {
        Direction<To>(unit: quaternion.rotate(direction.unit))
    }

    /// Spherical interpolation the shorter way.
    @inlinable @inline(__always)
    package func slerp(to other: Rotation, _ fraction: Double) -> Rotation {
        Rotation(quaternion.slerp(to: other.quaternion, fraction))
    }

    /// The angle between two rotations, 0…π radians.
    @inlinable @inline(__always)
    package func angle(to other: Rotation) -> Double { quaternion.angle(to: other.quaternion) }
}
