import Geometry

/// Mounting of a tracker on the head, or on the device or vehicle whose turns are subtracted from the head's.
///
/// The named attitudes are those of a phone. The phone either lies flat with its top edge to the front, as the decoders
/// assume, or stands upright with its screen to the back, towards the listener.
package enum Mounting: Hashable, Sendable {
    /// A usual attitude of a phone.
    package enum Attitude: String, Hashable, Sendable, CaseIterable {
        /// Screen up, top edge to the front.
        case flat
        /// Upright, top edge up.
        case portrait
        /// Upright, top edge to the left.
        case landscapeLeft = "landscape-left"
        /// Upright, top edge to the right.
        case landscapeRight = "landscape-right"
        /// Upright, top edge down.
        case upsideDown = "upside-down"
    }

    /// A usual attitude of a phone.
    case attitude(Attitude)
    /// Attitude of the tracker in the axes of the head or device, degrees: yaw (positive to the left), pitch (positive
    /// upwards) and roll (positive with the right side down).
    case angles(yaw: Double, pitch: Double, roll: Double)

    /// Reads the name of an attitude, such as `portrait`, or `YAW/PITCH/ROLL` in degrees, each −360…360; nil for other
    /// text.
    package init?(_ text: some StringProtocol) {
        if let attitude = Attitude(rawValue: String(text)) {
            self = .attitude(attitude)
            return
        }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 3, let yaw = numbers[0], let pitch = numbers[1], let roll = numbers[2],
            numbers.allSatisfy({ abs($0 ?? .nan) <= 360 })
        else { return nil }
        self = .angles(yaw: yaw, pitch: pitch, roll: roll)
    }

    /// Rotation from the tracker's own axes to those of the head or device.
    package var rotation: Rotation<Tracker, Body> {
        // Portrait: the top edge (the phone's x) is up, the screen's normal (its z) points to the back.
        switch self {
        case .attitude(.flat): .identity
        case .attitude(.portrait): Rotation(yaw: 0, pitch: .pi / 2)
        case .attitude(.landscapeLeft): Self.upright(turned: -.pi / 2)
        case .attitude(.landscapeRight): Self.upright(turned: .pi / 2)
        case .attitude(.upsideDown): Self.upright(turned: .pi)
        case .angles(let yaw, let pitch, let roll):
            Rotation(yaw: yaw * .pi / 180, pitch: pitch * .pi / 180, roll: roll * .pi / 180)
        }
    }

    /// Returns the portrait attitude after a roll of the phone, radians. A positive roll is clockwise for a user who
    /// looks at the screen.
    private static func upright(turned roll: Double) -> Rotation<Tracker, Body> {
        Rotation(
            Quaternion(rotationVector: SIMD3(roll, 0, 0)) * Quaternion(yaw: 0, pitch: .pi / 2, roll: 0))
    }
}

extension Mounting: CustomStringConvertible {
    /// Text of the value of the option `mount=`.
    package var description: String {
        switch self {
        case .attitude(let attitude): attitude.rawValue
        case .angles(let yaw, let pitch, let roll): "\(yaw)/\(pitch)/\(roll)"
        }
    }
}

/// Frame fixed to the head or to the device: x front, y left, z up.
package enum Body {}

/// Frame fixed to the tracker's own case. The output of the tracker's decoder is in these axes.
package enum Tracker {}
