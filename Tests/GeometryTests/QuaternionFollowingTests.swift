import Geometry
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct QuaternionFollowingTests {
    private let turns = [-3.1, -2, -0.7, -0.1, 0, 0.2, 1, 1.57, 2.5, 3.1]

    @Test func followingAllChangesNothing() {
        for yaw in turns {
            for pitch in [-1.4, -0.3, 0, 0.8] {
                let q = Quaternion(yaw: yaw, pitch: pitch, roll: 0.4)
                #expect(q.following(SIMD3(1, 1, 1)).angle(to: q) < 1e-12)
            }
        }
    }

    @Test func eachAxisAloneIsScaledByTheTangentOfHalfItsAngle() {
        for angle in turns {
            for weight in [0, 0.25, 0.5, 0.9] {
                let half = 2 * atan(weight * tan(angle / 2))
                let yaw = Quaternion(yaw: angle, pitch: 0, roll: 0).following(SIMD3(weight, 1, 1))
                #expect(yaw.angle(to: Quaternion(yaw: half, pitch: 0, roll: 0)) < 1e-9)
                let roll = Quaternion(yaw: 0, pitch: 0, roll: angle).following(SIMD3(1, 1, weight))
                #expect(roll.angle(to: Quaternion(yaw: 0, pitch: 0, roll: half)) < 1e-9)
                let pitch = Quaternion(yaw: 0, pitch: angle / 2, roll: 0).following(SIMD3(1, weight, 1))
                let quarter = 2 * atan(weight * tan(angle / 4))
                #expect(pitch.angle(to: Quaternion(yaw: 0, pitch: quarter, roll: 0)) < 1e-9)
            }
        }
    }

    @Test func yawAloneKeepsTheHorizonLevel() {
        let q = Quaternion(yaw: 1, pitch: 0.5, roll: 0).following(SIMD3(1, 0, 0))
        #expect(q.angle(to: Quaternion(yaw: 1, pitch: 0, roll: 0)) < 1e-9)
    }

    /// The head turns a full circle in steps of a degree. A followed step is never longer than the weights allow.
    @Test func allTheWayRoundNothingJumps() {
        for weights in [SIMD3(0.5, 1, 1), SIMD3(0.25, 0.5, 0.5), SIMD3(0, 1, 1), SIMD3(1, 0, 0)] {
            var last: Quaternion?
            for degrees in 0...360 {
                let q = Quaternion(yaw: Double(degrees) * .pi / 180, pitch: 0.3, roll: 0.2).following(weights)
                if let last { #expect(q.angle(to: last) * 180 / .pi < 4.5) }
                last = q
            }
        }
    }

    @Test func theSignOfAQuaternionDoesNotMatter() {
        let q = Quaternion(yaw: 2, pitch: 0.4, roll: -0.3)
        let other = Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z)
        let weights = SIMD3(0.3, 0.6, 0.9)
        #expect(q.following(weights).angle(to: other.following(weights)) < 1e-12)
    }
}
