import Geometry
import OSC

extension OrientationProfile {
    /// The message that says an orientation in this profile's own order, unit, signs and axes: what its decoder reads
    /// back as the same orientation. A profile of a single angle says that angle.
    package func message(saying orientation: Quaternion) -> OSCMessage {
        OSCMessage(address, numbers(saying: orientation).map { .float(Float($0)) })
    }

    private func numbers(saying orientation: Quaternion) -> [Double] {
        let angles = SIMD3(orientation.yaw, orientation.pitch, orientation.roll) / signs / radiansPerUnit
        switch form {
        case .yawPitchRoll: return [angles.x, angles.y, angles.z]
        case .single(let axis): return [angles[axis.rawValue]]
        case .wxyz, .xyzw:
            let turned = turnsScene ? orientation.conjugate : orientation
            let q =
                switch axes {
                case .frontLeftUp: turned
                case .rightFrontUp: Quaternion(w: turned.w, x: -turned.y, y: turned.x, z: turned.z)
                case .frontRightDown: Quaternion(w: turned.w, x: turned.x, y: -turned.y, z: -turned.z)
                }
            return form == .wxyz ? [q.w, q.x, q.y, q.z] : [q.x, q.y, q.z, q.w]
        }
    }
}
