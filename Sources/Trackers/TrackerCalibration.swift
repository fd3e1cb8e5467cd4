import Desk
import Geometry
import IMU
import Stages
import Synchronization

/// Mounting calibration of a tracker, if one is in progress. Methods may be called on any thread; samples arrive on the
/// tracker's thread.
package final class TrackerCalibration: Sendable {
    private struct Content {
        var body: TrackedBody
        var inlet: TrackerInlet
        var course: MountingCourse
    }
    private let content = Mutex<Content?>(nil)
    private let clock: any SessionClock

    /// Starts without a calibration; `clock` times the movements.
    package init(clock: any SessionClock) { self.clock = clock }

    /// Starts the calibration of a tracker, and ends any other.
    package func start(_ body: TrackedBody, _ inlet: TrackerInlet, seconds: Double) {
        end()
        content.withLock { $0 = Content(body: body, inlet: inlet, course: MountingCourse(seconds: seconds)) }
        inlet.hearOwn { [weak self, clock] sample in
            self?.content.withLock { $0?.course.take(sample, at: clock.now) }
        }
    }

    /// Starts the next movement. Returns its instruction, or the reason of a refusal.
    package func step() -> Result<String, Refusal> {
        content.withLock { content in
            let now = clock.now
            content?.course.advance(to: now)
            guard let course = content?.course else { return .failure(Self.none) }
            if case .found = course.phase {
                return .failure(
                    Refusal(reason: "all movements are made; calibrate/accept uses the mounting that was found"))
            }
            guard content?.course.move(at: now) == true else {
                return .failure(Refusal(reason: "a movement is under way: \(course.step.instruction)"))
            }
            return .success(
                "\(course.step.rawValue + 1)/\(MountingCalibration.Step.allCases.count): \(course.step.instruction)")
        }
    }

    /// Returns the calibrated body, its tracker and the result after all movements. Before that, returns the reason of
    /// the refusal.
    package func found() -> Result<(body: TrackedBody, inlet: TrackerInlet, found: MountingCalibration.Result), Refusal>
    {
        content.withLock { content in
            content?.course.advance(to: clock.now)
            guard let now = content else { return .failure(Self.none) }
            guard case .found(let found) = now.course.phase else {
                return .failure(
                    Refusal(reason: "not all movements are made; the next is: \(now.course.step.instruction)"))
            }
            return .success((now.body, now.inlet, found))
        }
    }

    /// Reason why a command is refused.
    package struct Refusal: Error {
        /// Text for the user.
        package let reason: String
    }

    /// Ends the calibration. Returns false if none is in progress.
    @discardableResult
    package func end() -> Bool {
        guard
            let ended = content.withLock({ content in
                defer { content = nil }
                return content
            })
        else { return false }
        ended.inlet.hearOwn(nil)
        return true
    }

    /// Refusal of a command while no calibration is in progress.
    package static let none = Refusal(reason: "no calibration is in progress; calibrate/start begins one")

    /// State of the calibration, by address; empty if none is in progress.
    package var facts: [String: ParameterValue] {
        let now = clock.now
        let content = content.withLock { content in
            content?.course.advance(to: now)
            return content
        }
        guard let content else { return [:] }
        let course = content.course
        var facts: [String: ParameterValue] = [
            "calibration/of": .word(content.body.rawValue), "calibration/step": .word("\(course.step)"),
            // Rounded to twentieths, to limit the number of updates.
            "calibration/progress": .number((course.progress(at: now) * 20).rounded() / 20),
            "calibration/turn": .number((course.turn * 180 / .pi).rounded()),
        ]
        switch course.phase {
        case .waits: facts["calibration/phase"] = .word("waits")
        case .moves: facts["calibration/phase"] = .word("moves")
        case .found(let found):
            facts["calibration/phase"] = .word("found")
            let q = found.mounting.quaternion
            facts["calibration/mounting"] = .numbers([q.yaw, q.pitch, q.roll].map { Self.tenths($0 * 180 / .pi) })
            facts["calibration/misfit"] = .number(Self.tenths(found.misfit * 180 / .pi))
            if let bias = found.bias?.value {
                facts["calibration/bias"] = .numbers(
                    [bias.x, bias.y, bias.z].map { ($0 * 180 / .pi * 1000).rounded() / 1000 })
            }
        }
        if let refusal = course.refusal { facts["calibration/refusal"] = .word(refusal.description) }
        return facts
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
