/// Sequence of the movements of a mounting calibration. The wearer starts each movement; a refused movement is
/// repeated. A pure value: the time is a parameter of every call. O(1) per sample.
package struct MountingCourse: Sendable {
    /// Phase of the sequence.
    package enum Phase: Sendable, Equatable {
        /// The next movement waits for the wearer's command.
        case waits
        /// A movement is in progress.
        case moves
        /// All movements were made and fit together.
        case found(MountingCalibration.Result)
    }

    /// Default duration of a movement and its permitted range, seconds.
    package static let usualSeconds = 4.0, seconds = 0.5...60.0

    /// Present phase.
    package private(set) var phase = Phase.waits
    /// The next movement, or the one in progress; the last one after the sequence has ended.
    package private(set) var step = MountingCalibration.Step.still
    /// Reason why the last movement, or the fit of all movements, was refused; nil otherwise.
    package private(set) var refusal: MountingCalibration.Refusal?
    private let seconds: Double
    private var calibration = MountingCalibration()
    private var began = 0.0

    /// Begins without samples. `seconds`: duration of each movement.
    package init(seconds: Double = Self.usualSeconds) { self.seconds = seconds }

    /// Begins the next movement at a time in seconds. Returns false if a movement is in progress or the sequence has
    /// ended.
    package mutating func move(at now: Double) -> Bool {
        guard phase == .waits else { return false }
        calibration.repeated(step)
        (phase, refusal, began) = (.moves, nil, now)
        return true
    }

    /// Adds a sample in the tracker's own axes; ignored unless a movement is in progress.
    package mutating func take(_ sample: TrackerSample, at now: Double) {
        advance(to: now)
        if phase == .moves { calibration.take(sample, during: step) }
    }

    /// Evaluates the movement in progress once its duration has passed.
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
            // At least one of the turns is at fault, or the tracker's axes are mirrored. It is not certain which. The
            // step `still` was good, so only the turns are repeated.
            (refusal, step) = (reason, .left)
        }
    }

    /// Returns the elapsed part of the movement's duration, 0…1; 0 without a movement in progress.
    package func progress(at now: Double) -> Double {
        phase == .moves ? max(0, min(1, (now - began) / seconds)) : 0
    }

    /// Largest turn of the head in the movement `step`, radians; 0 before its first sample.
    package var turn: Double { calibration.turn(in: step) }
}
