import HeadTracking
import IMU

/// One thing that reached the head tracker while a session played, in the order it came.
package enum MotionEvent: Hashable, Sendable {
    /// A sample of the tracker on the head.
    case head(TrackerSample)
    /// A sample of the tracker on the device or vehicle.
    case device(TrackerSample)
    /// The user asked for the front, at seconds of the host's monotonic clock.
    case recentre(HeadTracker.Recentring, at: Double)
    /// From a moment on sound is heard this many seconds after it is computed.
    case playbackLead(Double, at: Double)
    /// From a moment on the head is followed so: against what, how much of yaw, pitch and roll, pulled to the front by
    /// how many degrees per second.
    case following(HeadTrackerOptions.Reference, SIMD3<Double>, yawPull: Double, at: Double)

    /// Seconds of the host's monotonic clock at which it came.
    package var arrival: Double {
        switch self {
        case .head(let sample), .device(let sample): sample.arrival
        case .recentre(_, let moment), .playbackLead(_, let moment), .following(_, _, _, let moment): moment
        }
    }
}
