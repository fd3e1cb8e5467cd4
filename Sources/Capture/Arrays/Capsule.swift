import Geometry

/// One microphone of an array: where it is, where it looks, and its pattern of first order.
package struct Capsule: Hashable, Sendable {
    /// As ports and messages call it, `FLU`.
    package var name: String
    /// Metres from the array's middle, in device axes: x front, y left, z up.
    package var position: SIMD3<Double>
    /// Where its axis points.
    package var axis: Direction<Device>
    /// Share of the pressure in its pattern, 0…1: 1 omnidirectional, ½ cardioid, 0 figure of eight.
    package var pressure: Double

    /// A capsule.
    package init(name: String, position: SIMD3<Double>, axis: Direction<Device>, pressure: Double) {
        (self.name, self.position, self.axis, self.pressure) = (name, position, axis, pressure)
    }

    /// A capsule that sits on the sphere around the array's middle, and looks outwards.
    package init(
        name: String, azimuthDegrees: Double, elevationDegrees: Double = 0, radius: Double, pressure: Double = 0.5
    ) {
        let axis = Direction<Device>(azimuthDegrees: azimuthDegrees, elevationDegrees: elevationDegrees)
        self.init(name: name, position: radius * axis.unit, axis: axis, pressure: pressure)
    }

    /// What its pattern passes of a direction, linear, −1…1: p + (1 − p)·cos of the angle to the axis.
    package func gain(_ direction: Direction<Device>) -> Double {
        pressure + (1 - pressure) * (axis.unit * direction.unit).sum()
    }
}
