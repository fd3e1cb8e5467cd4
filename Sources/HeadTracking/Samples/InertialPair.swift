import Geometry
import IMU

/// A head's raw IMU against a device's, fused as `run` and `track` do: both filters, and the corrections by a ride.
///
/// Without pull to the front, forecast and easing: the pose is that at the head's own sample. Until the device's first
/// sample it is the head against the earth.
struct InertialPair: InertialFusion {
    private var tracker: HeadTracker
    private let device: [InertialRows.Row]
    private var next = 0

    /// `device`: the device's samples in order of time, on the head's clock.
    init(device: [InertialRows.Row], options: InertialOptions) {
        self.device = device
        var behaviour = HeadTrackerOptions()
        behaviour.fusion = options
        behaviour.fusion.briefRestTime = options.restTime
        behaviour.yawPull = 0
        tracker = HeadTracker(options: behaviour)
    }

    /// Takes the head's next sample, and before it the device's until then. Returns the head's pose against the device,
    /// and the standard deviation of its yaw, radians.
    mutating func take(_ row: InertialRows.Row) -> (pose: Quaternion, headingDeviation: Double) {
        while next < device.count, device[next].time <= row.time {
            tracker.device(TrackerSample(time: device[next].time, .inertial(device[next].sample)))
            next += 1
        }
        tracker.head(TrackerSample(time: row.time, .inertial(row.sample)))
        var forecast = tracker.forecast(at: row.time)
        forecast.correctionDuration = 0
        return (forecast.headToStage(at: row.time), tracker.status(at: row.time).yawDeviation)
    }
}
