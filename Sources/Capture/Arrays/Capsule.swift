import Geometry

/// One microphone of an array: its position, axis and first-order pattern.
package struct Capsule: Hashable, Sendable {
    /// Name in ports and messages, such as `FLU`.
    package var name: String
    /// Position from the array's centre, metres, device axes: x front, y left, z up.
    package var position: SIMD3<Double>
    /// Direction of the pattern's axis, device axes.
    package var axis: Direction<Device>
    /// Share of the pressure in its pattern, 0…1: 1 omnidirectional, ½ cardioid, 0 figure of eight.
    package var pressure: Double

    /// Creates a capsule.
    package init(name: String, position: SIMD3<Double>, axis: Direction<Device>, pressure: Double) {
        (self.name, self.position, self.axis, self.pressure) = (name, position, axis, pressure)
    }

    /// Creates a capsule on a sphere around the array's centre, its axis outwards; `radius` in metres.
    package init(
        name: String, azimuthDegrees: Double, elevationDegrees: Double = 0, radius: Double, pressure: Double = 0.5
    ) {
        let axis = Direction<Device>(azimuthDegrees: azimuthDegrees, elevationDegrees: elevationDegrees)
        self.init(name: name, position: radius * axis.unit, axis: axis, pressure: pressure)
    }

    /// Returns the gain of the pattern for a direction, linear, −1…1: p + (1 − p)·cos of the angle to the axis.
    package func gain(_ direction: Direction<Device>) -> Double {
        pressure + (1 - pressure) * (axis.unit * direction.unit).sum()
    }
}
