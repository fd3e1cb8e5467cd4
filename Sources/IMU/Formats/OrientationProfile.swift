import Geometry

/// Layout of a message with an orientation, and its conversion to Proscenium's convention: x front, y left, z up, body
/// to world, R = Rz(yaw)·Ry(−pitch)·Rx(roll). Positive yaw turns left, positive pitch looks up, positive roll lowers
/// the right ear.
///
/// `Axes` converts quaternions from a sender's axes.
package struct OrientationProfile: Hashable, Sendable {
    /// Form of the numbers in a message.
    package enum Form: Hashable, Sendable {
        /// Scalar first.
        case wxyz
        /// Scalar last, as in Android, Unity and ROS.
        case xyzw
        /// Three angles in one message.
        case yawPitchRoll
        /// Pitch, yaw and roll in one message, as Unity's Euler angles x, y, z.
        case pitchYawRoll
        /// One angle; the other two keep their last values.
        case single(Axis)
        /// One number of a quaternion; the index 0 to 3 means w, x, y, z. The other three keep their last values.
        case part(Int)
    }

    /// One of the three angles.
    package enum Axis: Int, Hashable, Sendable, CaseIterable {
        case yaw
        case pitch
        case roll
    }

    /// Axes of a sender, the same for body and world.
    package enum Axes: Hashable, Sendable {
        /// x front, y left, z up: Proscenium's axes.
        case frontLeftUp
        /// x right, y front, z up: Android's sensors with the phone flat and its top edge to the front.
        case rightFrontUp
        /// x front, y right, z down: aircraft.
        case frontRightDown
        /// x right, y up, z front, left-handed: Unity.
        case rightUpFront

        /// Returns a vector in Proscenium's axes.
        func ours(_ v: SIMD3<Double>) -> SIMD3<Double> {
            switch self {
            case .frontLeftUp: v
            case .rightFrontUp: SIMD3(v.y, -v.x, v.z)
            case .frontRightDown: SIMD3(v.x, -v.y, -v.z)
            case .rightUpFront: SIMD3(v.z, -v.x, v.y)
            }
        }

        /// Returns a quaternion in Proscenium's axes, converted for body and world. A rotation of the axes turns the
        /// vector part and leaves w unchanged. From left-handed axes the direction of every turn also changes.
        func ours(_ q: Quaternion) -> Quaternion {
            let v = ours(SIMD3(q.x, q.y, q.z)) * (self == .rightUpFront ? -1 : 1)
            return Quaternion(w: q.w, x: v.x, y: v.y, z: v.z)
        }
    }

    /// OSC address, compared without regard to case.
    package let address: String
    /// Form of the numbers.
    package let form: Form
    /// Radians per unit sent; π/180 for degrees. Not used for quaternions.
    package let radiansPerUnit: Double
    /// Factors that convert yaw, pitch and roll to Proscenium's signs.
    package let signs: SIMD3<Double>
    /// Axes of a quaternion.
    package let axes: Axes
    /// Whether the message turns the scene rather than the head; the head's rotation is then the inverse.
    package let turnsScene: Bool
    /// Number of arguments before the numbers. `name`: required text of the first argument; nil accepts any argument.
    package let skipped: Int, name: String?
    /// Programs that send this message, and the reason for its signs.
    package let remark: String

    init(
        _ address: String, _ form: Form, signs: SIMD3<Double> = SIMD3(1, 1, 1), axes: Axes = .frontLeftUp,
        turnsScene: Bool = false, skips skipped: Int = 0, name: String? = nil, remark: String
    ) {
        self.skipped = skipped
        self.name = name
        self.address = address
        self.form = form
        radiansPerUnit = .pi / 180
        self.signs = signs
        self.axes = axes
        self.turnsScene = turnsScene
        self.remark = remark
    }

    /// Least count of numbers in a message. Android appends an accuracy, which is ignored.
    package var numberCount: Int {
        switch form {
        case .wxyz, .xyzw: 4
        case .yawPitchRoll, .pitchYawRoll: 3
        case .single, .part: 1
        }
    }

    /// Returns the quaternion of a message in Proscenium's axes, with its length unchanged. `numbers` in the order
    /// sent.
    func ours(quaternion numbers: [Double]) -> Quaternion {
        let sent =
            form == .xyzw
            ? Quaternion(w: numbers[3], x: numbers[0], y: numbers[1], z: numbers[2])
            : Quaternion(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])
        let ours = axes.ours(sent)
        return turnsScene ? ours.conjugate : ours
    }

    /// Returns the rotation of a quaternion message; `nil` if its length is outside 0.9…1.1. `numbers` in the order
    /// sent.
    func rotation(quaternion numbers: [Double]) -> Rotation<Body, World>? {
        Rotation(measured: ours(quaternion: numbers))
    }

    /// Converts angles as sent, in the order yaw, pitch, roll, to Proscenium's signs and to radians.
    func angles(_ sent: SIMD3<Double>) -> SIMD3<Double> { sent * signs * radiansPerUnit }
}
