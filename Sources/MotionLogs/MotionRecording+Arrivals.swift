import Geometry
import IMU

/// Data of the head's tracker and of the playback in a log, for measurements.
extension MotionRecording {
    /// Orientations of the head tracker in order: yaw in degrees, and arrival in seconds of the host's monotonic clock.
    package var headArrivals: [(yawDegrees: Double, time: Double)] {
        events.compactMap { event in
            guard case .head(let sample) = event, case .orientation(let pose, _) = sample.motion else { return nil }
            return (pose.quaternion.yaw * 180 / .pi, sample.arrival)
        }
    }

    /// Last playback lead, seconds; nil if there is none.
    package var lastPlaybackLead: Double? {
        events.reduce(nil) { last, event in
            if case .playbackLead(let lead, _) = event { lead } else { last }
        }
    }
}
