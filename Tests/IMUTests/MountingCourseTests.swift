import Geometry
import IMU
import Testing

/// A calibration, movement by movement, of a tracker with an arbitrary mounting.
@Suite struct MountingCourseTests {
    private static let mounting = Quaternion(yaw: 0.4, pitch: -0.6, roll: 0.9)
    private static let moves: [MountingCalibration.Step: SIMD3<Double>] = [
        .left: SIMD3(0, 0, 0.7), .up: SIMD3(0, -0.6, 0), .right: SIMD3(0.5, 0, 0),
    ]
    /// The course and the present time, seconds.
    private final class Way {
        var course = MountingCourse(seconds: 2)
        var now = 10.0
    }
    private let way = Way()
    private var course: MountingCourse { way.course }
    private var now: Double { way.now }

    /// Performs the movement that is due, out and back, or `turn` in its place.
    private func move(_ turn: SIMD3<Double>? = nil) {
        let request = turn ?? Self.moves[course.step] ?? SIMD3(0, 0, 0)
        let begins = way.course.move(at: now)
        #expect(begins)
        for index in 0...200 {
            let share = 1 - abs(Double(index) / 100 - 1)
            let pose =
                Quaternion(yaw: 2, pitch: 0, roll: 0) * Quaternion(rotationVector: request * share) * Self.mounting
            way.course.take(TrackerSample(time: now, .orientation(Rotation(pose))), at: now)
            way.now += 0.01
        }
        way.course.advance(to: now)
    }

    @Test func itGoesFromMovementToMovement() throws {
        for step in MountingCalibration.Step.allCases {
            #expect(course.step == step && course.phase == .waits)
            move()
        }
        guard case .found(let found) = course.phase else {
            Issue.record("nothing found")
            return
        }
        #expect(found.mounting.quaternion.angle(to: Self.mounting) < 0.01 && found.bias == nil)
        let begins = way.course.move(at: now)
        #expect(!begins)
    }

    @Test func aMovementTakesItsTime() {
        #expect(course.progress(at: now) == 0)
        let (begins, again) = (way.course.move(at: now), way.course.move(at: now + 0.5))
        #expect(begins && !again)
        #expect(abs(course.progress(at: now + 0.5) - 0.25) < 1e-9)
        way.course.advance(to: now + 1.9)
        #expect(course.phase == .moves)
        // The movement is judged only when its time is over, and no sample has arrived by then.
        way.course.advance(to: now + 2)
        #expect(course.phase == .waits && course.refusal == .silent(.still) && course.progress(at: now + 2) == 0)
    }

    @Test func aMovementOfNoUseIsMadeAgain() {
        move(SIMD3(0, 0, 0.3))
        #expect(course.step == .still && course.refusal == .restless)
        move()
        move(SIMD3(0, 0, 0.1))
        guard case .small(.left, let turn)? = course.refusal else {
            Issue.record("a small turn is taken")
            return
        }
        #expect(course.step == .left && abs(turn - 0.1) < 0.01 && abs(course.turn - 0.1) < 0.01)
        move()
        #expect(course.step == .up && course.refusal == nil)
    }

    @Test func movementsThatDoNotFitAreAllMadeAgain() {
        move()
        move()
        move()
        // The head is tilted to the other shoulder.
        move(SIMD3(-0.5, 0, 0))
        guard case .mirrored? = course.refusal else {
            Issue.record("a tilt the wrong way is taken")
            return
        }
        #expect(course.step == .left && course.phase == .waits)
        for _ in 0..<3 { move() }
        if case .found = course.phase {} else { Issue.record("nothing found") }
    }
}
