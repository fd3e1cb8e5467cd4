import Geometry

/// How a device with microphones is held, seen by a person who holds it and looks the way it records.
package enum InputOrientation: String, CaseIterable, Sendable {
    /// Its top is up.
    case portrait
    /// Its top is to the left: turned counter-clockwise by a quarter.
    case landscapeLeft = "landscape-left"
    /// Its top is to the right.
    case landscapeRight = "landscape-right"
    /// Its top is down.
    case upsideDown = "upside-down"

    /// From the device's own axes to those of the scene: x stays the front, and y is to the left whatever the device.
    package var deviceToScene: Rotation<Device, Stage> {
        switch self {
        case .portrait: .identity
        case .landscapeLeft: Rotation(yaw: 0, roll: -.pi / 2)
        case .landscapeRight: Rotation(yaw: 0, roll: .pi / 2)
        case .upsideDown: Rotation(yaw: 0, roll: .pi)
        }
    }
}
