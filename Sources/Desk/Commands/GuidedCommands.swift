import IMU

/// Commands for the calibration of a tracker's mounting while a session runs.
package enum CalibrationCommand: Sendable, Equatable {
    /// Starts a calibration, and discards an unfinished one. `seconds`: length of each movement.
    case start(TrackedBody, seconds: Double)
    /// Starts the next movement.
    case step
    /// Applies and stores the result.
    case accept
    /// Cancels the calibration; the mounting stays as before.
    case cancel

    /// Default length of a movement, seconds.
    package static let usualSeconds = MountingCourse.usualSeconds
    /// Permitted length of a movement, seconds.
    package static let seconds = MountingCourse.seconds
}

/// The body to which a tracker is attached.
package enum TrackedBody: String, Sendable, CaseIterable {
    /// The listener's head.
    case head
    /// The device or vehicle.
    case device
}

/// Commands for the measurement of a person, which `measure me` carries out.
package enum MeasurementCommand: Sendable, Equatable {
    /// Begins the take for which the person has got ready.
    case begin
    /// Records the present look anew, or between takes the last one.
    case again
    /// Leaves the present look out.
    case skip
    /// Ends the measurement; its good takes stay.
    case stop
}

extension Command {
    /// Commands for the measurement of a person. Its progress appears as values of the state (`measurement/phase`).
    static let measurement: [Command] = [
        Command(
            "measure/begin", "begins the take that waits for the measured person",
            means: .measurement(.begin)),
        Command(
            "measure/repeat",
            "repeats the take of the present look in a measurement, or between takes that of the last look",
            means: .measurement(.again)),
        Command("measure/skip", "leaves out the present look of a measurement", means: .measurement(.skip)),
        Command("measure/stop", "ends a measurement; its good takes are kept", means: .measurement(.stop)),
    ]
}
