/// What head tracking is doing at a moment.
package struct HeadTrackerStatus: Hashable, Sendable {
    /// How the pose comes about.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// No head has been heard yet: front.
        case waiting
        /// Head against device.
        case relative
        /// Head against its own reference, or against a device that has fallen silent and is held.
        case headOnly = "head only"
        /// The head has fallen silent: the last pose is held.
        case held
        /// The head has been silent for long: front.
        case front
    }

    /// How the pose comes about.
    package var mode: Mode
    /// Whether the head's tracker is heard and used.
    package var headIsFresh: Bool
    /// Whether the device's tracker is heard and used.
    package var deviceIsFresh: Bool
    /// Whether a silent device's last orientation stands in for it.
    package var deviceIsHeld: Bool
    /// Noise of the trackers, radians RMS per axis; `nil` before the first samples.
    package var headNoise: Double?
    /// As `headNoise`.
    package var deviceNoise: Double?
    /// How far recentring and yaw pull have turned the stage, radians.
    package var centringYaw: Double
}
