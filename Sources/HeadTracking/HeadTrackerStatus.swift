import IMU

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
        /// The user wants no tracking: front.
        case still = "static"
    }

    /// What a tracker's own filter knows of a raw IMU.
    package struct Inertial: Hashable, Sendable {
        /// What is known of the gyroscope's bias, rad/s, body axes.
        package var bias: GyroscopeBias
        /// Whether it is taken to be at rest.
        package var isAtRest: Bool
        /// Degrees per minute by which its heading may drift (one standard deviation).
        package var headingDrift: Double
        /// How sure its heading is, radians (one standard deviation); see `InertialFilter.headingDeviation`.
        package var headingDeviation: Double
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
    /// What is known of the head's raw IMU; `nil` where its tracker sends orientations.
    package var headInertial: Inertial?
    /// As `headInertial`.
    package var deviceInertial: Inertial?
    /// Degrees per minute by which the yaw of the head against its reference may drift by what is not known of the
    /// gyroscopes' biases (one standard deviation); 0 where the trackers send orientations.
    package var yawDrift: Double
    /// How sure the yaw of the head against its reference is, radians (one standard deviation): what the gyroscopes may
    /// have gone astray by since the last recentring, the pull to the front left out; 0 where the trackers send
    /// orientations.
    package var yawDeviation: Double
}
