import Geometry
import IMU
import Testing

/// Movements of a head as a tracker with an arbitrary mounting measures them.
private struct Wearer {
    var mounting: Quaternion
    var bias = SIMD3<Double>(0, 0, 0)
    /// Axis of each movement in head axes, and its angle, radians.
    var moves: [(step: MountingCalibration.Step, axis: SIMD3<Double>, angle: Double)] = [
        (.left, SIMD3(0, 0, 1), 0.8), (.up, SIMD3(0, -1, 0), 0.6), (.right, SIMD3(1, 0, 0), 0.5),
    ]
    var isFused = false
    var noise = 0.0

    func calibrate() -> MountingCalibration {
        var calibration = MountingCalibration()
        var random = Shaking(state: 7)
        var time = 0.0
        func take(_ pose: Quaternion, _ rate: SIMD3<Double>, _ step: MountingCalibration.Step) {
            time += 0.01
            let own = mounting.conjugate
            let shake = SIMD3(random.next(), random.next(), random.next()) * noise
            let motion: TrackerMotion =
                isFused
                ? .orientation(Rotation(Quaternion(yaw: 2, pitch: 0, roll: 0) * pose * mounting))
                : .inertial(
                    InertialSample(
                        rate: own.rotate(rate) + bias + shake,
                        force: own.rotate(pose.conjugate.rotate(SIMD3(0, 0, 9.81)))))
            calibration.take(TrackerSample(time: time, motion), during: step)
        }
        for _ in 0..<200 { take(.identity, SIMD3(0, 0, 0), .still) }
        for move in moves {
            let length = (move.axis * move.axis).sum().squareRoot()
            let axis = move.axis / max(length, 1e-9)
            for direction in [1.0, -1] {
                for index in 0..<100 {
                    let share = direction > 0 ? Double(index) / 100 : 1 - Double(index) / 100
                    let pose = Quaternion(rotationVector: axis * (move.angle * share))
                    take(pose, axis * (move.angle * direction), move.step)
                }
            }
        }
        return calibration
    }
}

private struct Shaking {
    var state: UInt64
    /// Uniform in −1…1.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double(z ^ (z >> 31)) / Double(UInt64.max) * 2 - 1
    }
}

@Suite struct MountingCalibrationTests {
    private static let mountings = [
        Quaternion.identity, Quaternion(yaw: .pi / 2, pitch: 0, roll: 0), Quaternion(yaw: .pi, pitch: 0, roll: 0),
        Quaternion(yaw: 0, pitch: .pi / 2, roll: 0), Quaternion(yaw: 0, pitch: 0, roll: .pi),
        Quaternion(yaw: 0.3, pitch: -1.1, roll: 2.4), Quaternion(yaw: -2.2, pitch: 0.4, roll: -0.9),
    ]

    @Test(arguments: mountings, [false, true])
    func everyMountingIsFound(mounting: Quaternion, isFused: Bool) throws {
        let found = try Wearer(mounting: mounting, isFused: isFused).calibrate().result().get()
        #expect(found.mounting.quaternion.angle(to: mounting) < 0.01)
        #expect(found.misfit < 0.01)
        #expect((found.bias == nil) == isFused)
        #expect(abs((found.turns[.left] ?? 0) - 0.8) < 0.02)
    }

    @Test(arguments: mountings) func theBiasIsFoundBesides(mounting: Quaternion) throws {
        let bias = SIMD3(0.02, -0.01, 0.005)
        let found = try Wearer(mounting: mounting, bias: bias, noise: 0.005).calibrate().result().get()
        #expect(found.mounting.quaternion.angle(to: mounting) < 0.02)
        let error = try #require(found.bias).value - bias
        #expect((error * error).sum().squareRoot() < 0.001)
    }

    /// Movements 15° off their axes cause a smaller error, because the known direction up has threefold weight.
    @Test(arguments: mountings) func sloppyMovementsWillDo(mounting: Quaternion) throws {
        let found = try Wearer(
            mounting: mounting,
            moves: [
                (.left, SIMD3(0.2, 0.1, 1), 0.9), (.up, SIMD3(0.25, -1, 0.1), 0.5), (.right, SIMD3(1, 0.2, 0.25), 0.4),
            ]
        ).calibrate().result().get()
        #expect(found.mounting.quaternion.angle(to: mounting) < 15 * .pi / 180)
        #expect(found.misfit < 20 * .pi / 180)
    }

    @Test func nonsenseIsRefusedWithItsReason() {
        func refusal(_ change: (inout Wearer) -> Void) -> MountingCalibration.Refusal? {
            var wearer = Wearer(mounting: Quaternion(yaw: 0.4, pitch: 0.2, roll: 1))
            change(&wearer)
            if case .failure(let refusal) = wearer.calibrate().result() { return refusal }
            return nil
        }
        #expect(refusal { _ in } == nil)
        if case .small(.up, _) = refusal({ $0.moves[1].angle = 0.1 }) {} else { Issue.record("small") }
        if case .large(.left, _) = refusal({ $0.moves[0].angle = 2.5 }) {} else { Issue.record("large") }
        if case .alike(.up, .right) = refusal({ $0.moves[2].axis = SIMD3(0.2, -1, 0) }) {
        } else {
            Issue.record("alike")
        }
        // The head is tilted to the left shoulder instead of the right, which equals three mirrored movements.
        if case .mirrored = refusal({ $0.moves[2].axis = SIMD3(-1, 0, 0) }) {} else { Issue.record("other way") }
        #expect(refusal { $0.noise = 0.2 } == .restless)
        #expect(refusal { $0.moves.removeLast() } == .silent(.right))
        if case .failure(.silent(.still)) = MountingCalibration().result() {} else { Issue.record("silent") }
    }

    @Test func aStepCanBeRepeated() throws {
        var calibration = Wearer(mounting: .identity).calibrate()
        calibration.repeated(.up)
        #expect(calibration.refusal(of: .up) == .silent(.up))
        #expect(calibration.refusal(of: .left) == nil)
    }
}
