/// A calibration of a mounting as its wearer goes through it: one movement after the other, each when they say so, and
/// again where it was of no use. A pure value: time comes in with every call. O(1) per sample.
package struct MountingCourse: Sendable {
    /// How far it has come.
    package enum Phase: Sendable, Equatable {
        /// The movement that is due waits for the word.
        case waits
        /// It is under way.
        case moves
        /// All were made, and fit together.
        case found(MountingCalibration.Result)
    }

    /// Seconds that a movement takes unless told otherwise, and those that it may take.
    package static let usualSeconds = 4.0, seconds = 0.5...60.0

    /// How far it has come.
    package private(set) var phase = Phase.waits
    /// The movement that is due, or under way; the last one once all are made.
    package private(set) var step = MountingCalibration.Step.still
    /// Why the last movement, or all together, were of no use; nil where they were.
    package private(set) var refusal: MountingCalibration.Refusal?
    private let seconds: Double
    private var calibration = MountingCalibration()
    private var began = 0.0

    /// A course that has seen nothing. `seconds`: how long each movement takes.
    package init(seconds: Double = Self.usualSeconds) { self.seconds = seconds }

    /// Begins the movement that is due, at a time in seconds; false where one is under way or nothing is left to do.
    package mutating func move(at now: Double) -> Bool {
        guard phase == .waits else { return false }
        calibration.repeated(step)
        (phase, refusal, began) = (.moves, nil, now)
        return true
    }

    /// Takes a sample in the tracker's own axes; heard only while a movement is under way.
    package mutating func take(_ sample: TrackerSample, at now: Double) {
        advance(to: now)
        if phase == .moves { calibration.take(sample, during: step) }
    }

    /// Judges the movement under way once its time is over.
    package mutating func advance(to now: Double) {
        guard phase == .moves, now - began >= seconds else { return }
        phase = .waits
        refusal = calibration.refusal(of: step)
        guard refusal == nil else { return }
        if let next = MountingCalibration.Step(rawValue: step.rawValue + 1) {
            step = next
            return
        }
        switch calibration.result() {
        case .success(let found): phase = .found(found)
        case .failure(let reason):
            // Which of the movements went wrong is not known; rest was good.
            (refusal, step) = (reason, .left)
        }
    }

    /// The share of the movement's time that has gone by; 0 where none is under way.
    package func progress(at now: Double) -> Double {
        phase == .moves ? max(0, min(1, (now - began) / seconds)) : 0
    }

    /// How far the head was turned at most in the movement that is due or under way, radians.
    package var turn: Double { calibration.turn(in: step) }
}
