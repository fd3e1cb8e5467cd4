import CRealtime

/// Direction from the origin of a frame, as a unit vector.
package struct Direction<Frame>: Hashable, Sendable, BitwiseCopyable {
    /// Unit vector: x front, y left, z up.
    package let unit: SIMD3<Double>

    /// Makes a direction from a vector of length 1.
    @inlinable @inline(__always)
    package init(unit: SIMD3<Double>) { self.unit = unit }

    /// Makes a direction from angles in radians. The azimuth is counter-clockwise from the front (π/2 is left); the
    /// elevation is upwards.
    @inlinable @inline(__always)
    package init(azimuth: Double, elevation: Double) {
        let c = prc_cos(elevation)
        self.init(unit: SIMD3(c * prc_cos(azimuth), c * prc_sin(azimuth), prc_sin(elevation)))
    }

    /// Makes a direction from azimuth and elevation in degrees, the unit of the program's inputs.
    @inlinable @inline(__always)
    package init(azimuthDegrees: Double, elevationDegrees: Double) {
        self.init(azimuth: azimuthDegrees * .pi / 180, elevation: elevationDegrees * .pi / 180)
    }

    /// Azimuth, radians, −π…π, counter-clockwise from the front.
    @inlinable @inline(__always)
    package var azimuth: Double { prc_atan2(unit.y, unit.x) }

    /// Elevation, radians, −π/2…π/2.
    @inlinable @inline(__always)
    package var elevation: Double { prc_asin(max(-1, min(1, unit.z))) }

    /// Returns the angle between two directions, radians, 0…π. Small angles are accurate too.
    @inlinable @inline(__always)
    package func angle(to other: Direction) -> Double {
        let (a, b) = (unit, other.unit)
        let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        return prc_atan2(prc_sqrt((cross * cross).sum()), (a * b).sum())
    }
}
