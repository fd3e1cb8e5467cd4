import Geometry

/// Orientation of a device with microphones, seen from behind it in the direction of recording.
package enum InputOrientation: String, CaseIterable, Sendable {
    /// The top of the device is up.
    case portrait
    /// The top of the device is to the left; it is rotated by a quarter turn counter-clockwise.
    case landscapeLeft = "landscape-left"
    /// The top of the device is to the right.
    case landscapeRight = "landscape-right"
    /// The top of the device is down.
    case upsideDown = "upside-down"

    /// Rotation from device axes to scene axes. x stays the front, and y points to the left in any orientation.
    package var deviceToScene: Rotation<Device, Stage> {
        switch self {
        case .portrait: .identity
        case .landscapeLeft: Rotation(yaw: 0, roll: -.pi / 2)
        case .landscapeRight: Rotation(yaw: 0, roll: .pi / 2)
        case .upsideDown: Rotation(yaw: 0, roll: .pi)
        }
    }
}
