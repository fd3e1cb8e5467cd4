import HeadTracking
import IMU

/// An event of the head tracker during a session.
package enum MotionEvent: Hashable, Sendable {
    /// A sample of the tracker on the head.
    case head(TrackerSample)
    /// A sample of the tracker on the device or vehicle.
    case device(TrackerSample)
    /// The user has recentred, at a time of the host's monotonic clock, seconds.
    case recentre(HeadTracker.Recentring, at: Double)
    /// Playback lead, which is the time from computing a sound to its playback, seconds; and the time of the change.
    case playbackLead(Double, at: Double)
    /// New tracking parameters and the time of the change.
    case following(HeadTrackerOptions.Choices, at: Double)
    /// Another tracker took the place of the former one, before its first sample: the name under which its calibration
    /// is stored, and the time.
    case replaced(Place, name: String, at: Double)

    /// What a tracker is fixed to.
    package enum Place: String, Hashable, Sendable {
        /// The listener's head.
        case head
        /// The device or vehicle.
        case device
    }

    /// Time of the event on the host's monotonic clock, seconds.
    package var arrival: Double {
        switch self {
        case .head(let sample), .device(let sample): sample.arrival
        case .recentre(_, let moment), .playbackLead(_, let moment), .following(_, let moment),
            .replaced(_, _, let moment):
            moment
        }
    }
}
