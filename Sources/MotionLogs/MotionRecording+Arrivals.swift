import Geometry
import IMU

/// What a log holds of the head's tracker and of the playback, for measurements.
extension MotionRecording {
    /// The head tracker's orientations: yaw in degrees, and arrival in seconds of the host's monotonic clock; in order.
    package var headArrivals: [(yawDegrees: Double, time: Double)] {
        events.compactMap { event in
            guard case .head(let sample) = event, case .orientation(let pose, _) = sample.motion else { return nil }
            return (pose.quaternion.yaw * 180 / .pi, sample.arrival)
        }
    }

    /// The last playback lead, seconds; nil without one.
    package var lastPlaybackLead: Double? {
        events.reduce(nil) { last, event in
            if case .playbackLead(let lead, _) = event { lead } else { last }
        }
    }
}
