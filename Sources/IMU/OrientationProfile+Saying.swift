import Geometry
import OSC

extension OrientationProfile {
    /// Returns an OSC message of an orientation in this profile's order, unit, signs and axes. From a message of a
    /// whole orientation, the profile's decoder reads the same orientation. A profile of one angle or one quaternion
    /// component sends only that number. Arguments that the profile skips are a name and zeros.
    package func message(saying orientation: Quaternion) -> OSCMessage {
        let before =
            skipped == 0
            ? [] : [.string(name ?? "Proscenium")] + [OSCArgument](repeating: .float(0), count: skipped - 1)
        return OSCMessage(address, before + numbers(saying: orientation).map { .float(Float($0)) })
    }

    private func numbers(saying orientation: Quaternion) -> [Double] {
        let angles = SIMD3(orientation.yaw, orientation.pitch, orientation.roll) / signs / radiansPerUnit
        switch form {
        case .yawPitchRoll: return [angles.x, angles.y, angles.z]
        case .pitchYawRoll: return [angles.y, angles.x, angles.z]
        case .single(let axis): return [angles[axis.rawValue]]
        case .wxyz, .xyzw, .part:
            let turned = turnsScene ? orientation.conjugate : orientation
            let q =
                switch axes {
                case .frontLeftUp: turned
                case .rightFrontUp: Quaternion(w: turned.w, x: -turned.y, y: turned.x, z: turned.z)
                case .frontRightDown: Quaternion(w: turned.w, x: turned.x, y: -turned.y, z: -turned.z)
                case .rightUpFront: Quaternion(w: turned.w, x: turned.y, y: -turned.z, z: -turned.x)
                }
            if case .part(let index) = form { return [[q.w, q.x, q.y, q.z][index]] }
            return form == .wxyz ? [q.w, q.x, q.y, q.z] : [q.x, q.y, q.z, q.w]
        }
    }
}
