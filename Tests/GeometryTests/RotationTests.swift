import Foundation
import Testing

@testable import Geometry

private let right = Double.pi / 2

@Suite struct RotationTests {
    @Test func positiveYawLooksLeft() {
        let nose = Rotation<Head, Stage>(yaw: right)(Direction<Head>(unit: [1, 0, 0])).unit
        #expect(abs(nose.y - 1) < 1e-12)
    }

    @Test func positivePitchLooksUp() {
        let nose = Rotation<Head, Stage>(yaw: 0, pitch: right)(Direction<Head>(unit: [1, 0, 0])).unit
        #expect(abs(nose.z - 1) < 1e-12)
    }

    @Test func positiveRollLowersTheRightEar() {
        let rightEar = Rotation<Head, Stage>(yaw: 0, pitch: 0, roll: 0.5)(Direction<Head>(unit: [0, -1, 0])).unit
        #expect(rightEar.z < -0.4)
    }

    @Test(arguments: [(0.3, -0.7, 1.1), (-2.9, 1.2, -0.4), (3.1, 0, 3.0)])
    func anglesComeBack(_ yaw: Double, _ pitch: Double, _ roll: Double) {
        let q = Quaternion(yaw: yaw, pitch: pitch, roll: roll)
        #expect(abs(q.yaw - yaw) < 1e-12 && abs(q.pitch - pitch) < 1e-12 && abs(q.roll - roll) < 1e-12)
    }

    @Test func anglesEqualTheMatrixProductRzRyRx() {
        let (a, b, c) = (0.4, 0.3, -0.8)
        let q = Quaternion(yaw: a, pitch: b, roll: c)
        let yaw = Quaternion(w: cos(a / 2), x: 0, y: 0, z: sin(a / 2))
        let pitch = Quaternion(w: cos(b / 2), x: 0, y: -sin(b / 2), z: 0)
        let roll = Quaternion(w: cos(c / 2), x: sin(c / 2), y: 0, z: 0)
        #expect(q.angle(to: yaw * pitch * roll) < 1e-12)
    }

    @Test func rotationVectorsAreInverseToTheExponential() {
        for v in [SIMD3(0.1, -0.2, 0.3), SIMD3(0, 0, 3.1), SIMD3(1e-7, 0, 0), SIMD3(0, 0, 0)] {
            let back = Quaternion(rotationVector: v).rotationVector
            #expect(((back - v) * (back - v)).sum().squareRoot() < 1e-12)
        }
    }

    @Test func compositionReadsByMatchingNeighbours() {
        let headToWorld = Rotation<Head, World>(yaw: 1.0)
        let deviceToWorld = Rotation<Device, World>(yaw: 0.4)
        let headToDevice = deviceToWorld.inverse * headToWorld
        #expect(abs(headToDevice.quaternion.yaw - 0.6) < 1e-12)
    }

    @Test func slerpGoesTheShorterWayAtConstantSpeed() {
        let a = Quaternion(yaw: 3.0, pitch: 0, roll: 0)
        let b = Quaternion(yaw: -3.0, pitch: 0, roll: 0)
        #expect(abs(abs(a.slerp(to: b, 0.5).yaw) - .pi) < 1e-9)
    }
}
