import HeadTracking
import IMU

extension HeadTracker {
    /// Takes a fused orientation of the tracker on the head, its time already that of the host.
    mutating func head(_ sample: OrientationSample) { head(TrackerSample(sample)) }

    /// As `head`, of the tracker on the device or vehicle.
    mutating func device(_ sample: OrientationSample) { device(TrackerSample(sample)) }
}

extension TrackerSample {
    fileprivate init(_ sample: OrientationSample) {
        self.init(
            time: sample.time, .orientation(sample.bodyToWorld, rate: sample.rate), arrival: sample.arrival)
    }
}
