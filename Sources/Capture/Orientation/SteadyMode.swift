import Geometry

/// What a sound field holds to when the device that recorded it has turned.
package enum SteadyMode: String, CaseIterable, Sendable {
    /// The device: the field as it was recorded, which turns against the world as the device did.
    case follow = "device"
    /// The horizon: up is up, and the front is where the device pointed at each moment.
    case level = "horizon"
    /// The world: up is up, and the front is where the device pointed at the beginning.
    case hold = "world"
}
