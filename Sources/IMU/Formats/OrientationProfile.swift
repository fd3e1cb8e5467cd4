import Geometry

/// Layout of a message with an orientation, and its conversion to this program's convention: x front, y left, z up,
/// body to world, R = Rz(yaw)·Ry(−pitch)·Rx(roll). Positive yaw turns left, positive pitch up, positive roll lowers the
/// right ear.
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
        /// One angle; the others keep their last values.
        case single(Axis)
        /// One number of a quaternion, w, x, y and z being 0 to 3; the others keep their last values.
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
        /// Ours.
        case frontLeftUp
        /// x right, y front, z up: Android's sensors with the phone flat and its top edge to the front.
        case rightFrontUp
        /// x front, y right, z down: aircraft.
        case frontRightDown
        /// x right, y up, z front, left-handed: Unity.
        case rightUpFront

        /// Returns a vector in our axes.
        func ours(_ v: SIMD3<Double>) -> SIMD3<Double> {
            switch self {
            case .frontLeftUp: v
            case .rightFrontUp: SIMD3(v.y, -v.x, v.z)
            case .frontRightDown: SIMD3(v.x, -v.y, -v.z)
            case .rightUpFront: SIMD3(v.z, -v.x, v.y)
            }
        }

        /// Returns a quaternion in our axes, body and world alike: a rotation of the axes turns the vector part and
        /// leaves w; from left-handed axes the sense of every turn also changes.
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
    /// Factors of yaw, pitch and roll for the conversion to ours.
    package let signs: SIMD3<Double>
    /// Axes of a quaternion.
    package let axes: Axes
    /// Whether the message turns the scene rather than the head: the head's rotation is then its inverse.
    package let turnsScene: Bool
    /// Number of arguments before the numbers, and the required text of the first; nil: any.
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

    /// Least count of numbers in a message; Android appends an accuracy, which is ignored.
    package var numberCount: Int {
        switch form {
        case .wxyz, .xyzw: 4
        case .yawPitchRoll, .pitchYawRoll: 3
        case .single, .part: 1
        }
    }

    /// Returns the quaternion of a message in our axes, with the length sent. `numbers` in sent order.
    func ours(quaternion numbers: [Double]) -> Quaternion {
        let sent =
            form == .xyzw
            ? Quaternion(w: numbers[3], x: numbers[0], y: numbers[1], z: numbers[2])
            : Quaternion(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])
        let ours = axes.ours(sent)
        return turnsScene ? ours.conjugate : ours
    }

    /// Returns the rotation of a quaternion message, in sent order; `nil` where its length is outside 0.9…1.1.
    func rotation(quaternion numbers: [Double]) -> Rotation<Body, World>? {
        Rotation(measured: ours(quaternion: numbers))
    }

    /// Converts angles as sent, in the order yaw, pitch, roll, to ours in radians.
    func angles(_ sent: SIMD3<Double>) -> SIMD3<Double> { sent * signs * radiansPerUnit }
}
