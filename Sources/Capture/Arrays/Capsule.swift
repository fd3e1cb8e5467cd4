import Geometry

/// One microphone of an array, with its position, axis and first-order pattern.
package struct Capsule: Hashable, Sendable {
    /// Name in ports and messages, for example `FLU`.
    package var name: String
    /// Position relative to the array's centre, m, in device axes: x front, y left, z up.
    package var position: SIMD3<Double>
    /// Direction of the pattern's axis, in device axes.
    package var axis: Direction<Device>
    /// Proportion of pressure in the pattern, 0…1: 1 omnidirectional, 0.5 cardioid, 0 figure of eight.
    package var pressure: Double

    /// Creates a capsule.
    package init(name: String, position: SIMD3<Double>, axis: Direction<Device>, pressure: Double) {
        (self.name, self.position, self.axis, self.pressure) = (name, position, axis, pressure)
    }

    /// Creates a capsule on a sphere around the array's centre with its axis outwards. `radius`: m.
    package init(
        name: String, azimuthDegrees: Double, elevationDegrees: Double = 0, radius: Double, pressure: Double = 0.5
    ) {
        let axis = Direction<Device>(azimuthDegrees: azimuthDegrees, elevationDegrees: elevationDegrees)
        self.init(name: name, position: radius * axis.unit, axis: axis, pressure: pressure)
    }

    /// Returns the gain of the pattern for a direction, linear, −1…1: p + (1 − p)·cos of the angle to the axis, for a
    /// proportion p of pressure.
    package func gain(_ direction: Direction<Device>) -> Double {
        pressure + (1 - pressure) * (axis.unit * direction.unit).sum()
    }
}
