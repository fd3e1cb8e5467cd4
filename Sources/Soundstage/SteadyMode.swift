/// Reference to which a sound field stays fixed when the recording device turns.
package enum SteadyMode: String, CaseIterable, Sendable {
    /// The device: the field stays as it was recorded.
    case follow = "device"
    /// The horizon: the vertical stays vertical, and the front is the device's heading at each moment.
    case level = "horizon"
    /// The world: the vertical stays vertical, and the front is the device's heading at the beginning.
    case hold = "world"
}
