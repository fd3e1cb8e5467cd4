import Geometry
import IMU

/// Fuses a head's raw IMU relative to a device's, as the commands `run` and `track` do: with a filter for each IMU and
/// the corrections from the acceleration of a common vehicle.
///
/// There is no pull to the front, forecast or easing: each pose belongs to the time of a sample of the head. Until the
/// device's first sample the pose is relative to the earth.
struct InertialPair: InertialFusion {
    private var tracker: HeadTracker
    private let device: [InertialRows.Row]
    private var next = 0

    /// `device`: the device's samples in order of time, with times of the head's clock.
    init(device: [InertialRows.Row], options: InertialOptions) {
        self.device = device
        var behaviour = HeadTrackerOptions()
        behaviour.fusion = options
        behaviour.fusion.briefRestTime = options.restTime
        behaviour.choices.yawPull = 0
        tracker = HeadTracker(options: behaviour)
    }

    /// Filters the device's samples up to the head's next sample, then this sample. Returns the head's pose relative to
    /// the device, and the standard deviation of its yaw, radians.
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
