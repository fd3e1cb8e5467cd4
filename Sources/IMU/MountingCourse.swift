/// Sequence of a mounting's calibration: one movement after the other, each begun by the wearer, and repeated where it
/// was refused. A pure value: the time is a parameter of every call. O(1) per sample.
package struct MountingCourse: Sendable {
    /// Phase of the sequence.
    package enum Phase: Sendable, Equatable {
        /// The next movement waits for its start.
        case waits
        /// A movement is under way.
        case moves
        /// All movements were made and fit together.
        case found(MountingCalibration.Result)
    }

    /// Default duration of a movement and its permitted range, seconds.
    package static let usualSeconds = 4.0, seconds = 0.5...60.0

    /// Present phase.
    package private(set) var phase = Phase.waits
    /// The next movement, or the one under way; the last one once all are made.
    package private(set) var step = MountingCalibration.Step.still
    /// Reason why the last movement, or all together, were refused; nil otherwise.
    package private(set) var refusal: MountingCalibration.Refusal?
    private let seconds: Double
    private var calibration = MountingCalibration()
    private var began = 0.0

    /// Begins without samples. `seconds`: duration of each movement.
    package init(seconds: Double = Self.usualSeconds) { self.seconds = seconds }

    /// Begins the next movement at a time in seconds. Returns false where one is under way or all are made.
    package mutating func move(at now: Double) -> Bool {
        guard phase == .waits else { return false }
        calibration.repeated(step)
        (phase, refusal, began) = (.moves, nil, now)
        return true
    }

    /// Takes a sample in the tracker's own axes; ignored unless a movement is under way.
    package mutating func take(_ sample: TrackerSample, at now: Double) {
        advance(to: now)
        if phase == .moves { calibration.take(sample, during: step) }
    }

    /// Evaluates the movement under way once its time is over.
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
            // The faulty movement is unknown, but the rest was good: the turns are repeated.
            (refusal, step) = (reason, .left)
        }
    }

    /// Returns the elapsed share of the movement's time; 0 without one under way.
    package func progress(at now: Double) -> Double {
        phase == .moves ? max(0, min(1, (now - began) / seconds)) : 0
    }

    /// Largest turn of the head in the next movement or the one under way, radians.
    package var turn: Double { calibration.turn(in: step) }
}
