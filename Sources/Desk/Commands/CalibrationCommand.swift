import IMU

/// What can be asked of the calibration of a tracker's mounting while a session runs.
package enum CalibrationCommand: Sendable, Equatable {
    /// Begins one; whatever was under way is forgotten. `seconds`: how long each movement takes.
    case start(TrackedBody, seconds: Double)
    /// Begins the movement that is due.
    case step
    /// Takes what was found into use and remembers it.
    case accept
    /// Ends it; the tracker sits as before.
    case cancel

    /// Seconds that a movement takes unless told otherwise.
    package static let usualSeconds = MountingCourse.usualSeconds
    /// Seconds that it may take.
    package static let seconds = MountingCourse.seconds
}

/// What a tracker is fastened to.
package enum TrackedBody: String, Sendable, CaseIterable {
    /// The listener's head.
    case head
    /// The device or vehicle.
    case device
}
