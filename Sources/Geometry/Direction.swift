import CRealtime

/// A direction seen from the origin of a frame, as a unit vector.
package struct Direction<Frame>: Hashable, Sendable, BitwiseCopyable {
    /// Unit vector: x front, y left, z up.
    package let unit: SIMD3<Double>

    /// Creates a direction from a vector of length 1.
    @inlinable @inline(__always)
    package init(unit: SIMD3<Double>) { self.unit = unit }

    /// Creates a direction; radians. Azimuth counter-clockwise from the front (90° is left), elevation up.
    @inlinable @inline(__always)
    package init(azimuth: Double, elevation: Double) {
        let c = prc_cos(elevation)
        self.init(unit: SIMD3(c * prc_cos(azimuth), c * prc_sin(azimuth), prc_sin(elevation)))
    }

    /// Creates a direction from azimuth and elevation in degrees, for input and output.
    @inlinable @inline(__always)
    package init(azimuthDegrees: Double, elevationDegrees: Double) {
        self.init(azimuth: azimuthDegrees * .pi / 180, elevation: elevationDegrees * .pi / 180)
    }

    /// Azimuth, −π…π, counter-clockwise.
    @inlinable @inline(__always)
    package var azimuth: Double { prc_atan2(unit.y, unit.x) }

    /// Elevation, −π/2…π/2.
    @inlinable @inline(__always)
    package var elevation: Double { prc_asin(max(-1, min(1, unit.z))) }

    /// Returns the angle between two directions, 0…π; also accurate for small angles.
    @inlinable @inline(__always)
    package func angle(to other: Direction) -> Double {
        let (a, b) = (unit, other.unit)
        let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        return prc_atan2(prc_sqrt((cross * cross).sum()), (a * b).sum())
    }
}
