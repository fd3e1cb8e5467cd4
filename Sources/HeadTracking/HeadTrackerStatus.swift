import IMU

/// State of head tracking at a moment.
package struct HeadTrackerStatus: Hashable, Sendable {
    /// Source of the pose.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// The head has no estimate: no usable sample has arrived yet, or the mounting has just changed.
        case waiting
        /// The head relative to the device.
        case relative
        /// The head relative to its own reference, or to the held orientation of a silent device.
        case headOnly = "head only"
        /// The head's stream is not fresh; the last pose is held.
        case held
        /// The head's tracker has been silent for long; the stage is at the front.
        case front
        /// Tracking is switched off by the user; the stage is at the front.
        case still = "static"
    }

    /// State of the filter that fuses a tracker's raw IMU.
    package struct Inertial: Hashable, Sendable {
        /// Estimate of the gyroscope's bias, rad/s, body axes.
        package var bias: GyroscopeBias
        /// Whether the filter considers the tracker to be at rest.
        package var isAtRest: Bool
        /// Drift of the heading, degrees per minute (one standard deviation).
        package var headingDrift: Double
        /// Uncertainty of the heading, radians (one standard deviation); see `InertialFilter.headingDeviation`.
        package var headingDeviation: Double
        /// Gap in the samples since the last recentring, after which the heading may be wrong; nil without a gap.
        package var gap: InertialFilter.Gap?
    }

    /// Measured latency of one tracker relative to the other, in addition to the stated `latency=`.
    package struct Lateness: Hashable, Sendable {
        /// Seconds by which the head's samples are later than the device's; below 0 the device's are later.
        package var seconds: Double
        /// One standard deviation, seconds.
        package var deviation: Double

        /// Creates a lateness; see the properties.
        package init(seconds: Double, deviation: Double) { (self.seconds, self.deviation) = (seconds, deviation) }
    }

    /// Source of the pose.
    package var mode: Mode
    /// Whether the head's stream is fresh and its estimate is in use.
    package var headIsFresh: Bool
    /// Whether the device's stream is fresh and its estimate is in use.
    package var deviceIsFresh: Bool
    /// Whether the device is the reference, but is silent, so that its last orientation is held.
    package var deviceIsHeld: Bool
    /// Noise of the head's tracker, radians RMS per axis; `nil` for a raw IMU, and without an estimate.
    package var headNoise: Double?
    /// Noise of the device's tracker, as `headNoise`.
    package var deviceNoise: Double?
    /// Yaw of the rotation from the reference to the stage, radians: the sum of recentrings, yaw pull, and turns that
    /// kept the yaw when an estimate or the reference changed.
    package var centringYaw: Double
    /// State of the head's raw IMU; `nil` if its tracker sends orientations, and without an estimate.
    package var headInertial: Inertial?
    /// State of the device's raw IMU, as `headInertial`.
    package var deviceInertial: Inertial?
    /// Drift of the head's yaw relative to its reference, degrees per minute (one standard deviation). It follows from
    /// the uncertainty of the gyroscopes' biases; 0 if the trackers send orientations.
    package var yawDrift: Double
    /// Uncertainty of the head's yaw relative to its reference, radians (one standard deviation): the error of the
    /// gyroscopes since the last recentring, without the pull to the front. 0 if the trackers send orientations.
    package var yawDeviation: Double
    /// Latency of one tracker relative to the other, measured while both are in a vehicle; nil while it is uncertain or
    /// below 30 ms.
    package var lateness: Lateness?
}
