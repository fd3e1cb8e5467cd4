import HeadTracking
import IMU

/// An event of the head tracker during a session.
package enum MotionEvent: Hashable, Sendable {
    /// A sample of the tracker on the head.
    case head(TrackerSample)
    /// A sample of the tracker on the device or vehicle.
    case device(TrackerSample)
    /// A recentring by the user, at seconds of the host's monotonic clock.
    case recentre(HeadTracker.Recentring, at: Double)
    /// A new playback lead, from computing to hearing a sound, in seconds, and the time of the change.
    case playbackLead(Double, at: Double)
    /// New tracking parameters, and the time of the change: reference, weights of yaw, pitch and roll, pull to the
    /// front in degrees per second.
    case following(HeadTrackerOptions.Reference, SIMD3<Double>, yawPull: Double, at: Double)

    /// Time of the event, seconds of the host's monotonic clock.
    package var arrival: Double {
        switch self {
        case .head(let sample), .device(let sample): sample.arrival
        case .recentre(_, let moment), .playbackLead(_, let moment), .following(_, _, _, let moment): moment
        }
    }
}
