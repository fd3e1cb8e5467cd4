import Geometry
import IMU

/// Datagrams that other programs encoded.
enum Golden {
    static func bytes(_ hex: String) -> [UInt8] { hex.split(separator: " ").compactMap { UInt8($0, radix: 16) } }

    /// `/ypr 30 -5 2.5` by python-osc.
    static let ypr = bytes("2f 79 70 72 00 00 00 00 2c 66 66 66 00 00 00 00 41 f0 00 00 c0 a0 00 00 40 20 00 00")
    /// `/SceneRotator/quaternions 0.70710677 0 0 0.70710677` by python-osc.
    static let sceneRotator = bytes(
        """
        2f 53 63 65 6e 65 52 6f 74 61 74 6f 72 2f 71 75 61 74 65 72 6e 69 6f 6e 73 00 00 00 2c 66 66 66 66 00 00 00 \
        3f 35 04 f3 00 00 00 00 00 00 00 00 3f 35 04 f3
        """)
    /// opentrack: position 0, yaw 30, pitch −5, roll 2.5.
    static let opentrack = bytes(
        """
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 3e 40 \
        00 00 00 00 00 00 14 c0 00 00 00 00 00 00 04 40
        """)
}

/// Yaw, pitch and roll in degrees.
func degrees(_ rotation: Rotation<Body, World>) -> SIMD3<Double> {
    let q = rotation.quaternion
    return SIMD3(q.yaw, q.pitch, q.roll) * (180 / .pi)
}

func near(_ a: SIMD3<Double>?, _ b: SIMD3<Double>, within tolerance: Double = 1e-4) -> Bool {
    guard let a else { return false }
    let d = a - b
    return max(abs(d.x), max(abs(d.y), abs(d.z))) <= tolerance
}
