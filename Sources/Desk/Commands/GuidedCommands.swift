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
    /// Records the present look again, or between takes the last one.
    case again
    /// Leaves the present look out.
    case skip
    /// Ends the measurement; its good takes stay.
    case stop
}
