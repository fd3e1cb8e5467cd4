import HeadTracking
import IMU

extension HeadTracker {
    /// Takes a fused orientation of the tracker on the head, with its time already in the host's clock.
    mutating func head(_ sample: OrientationSample) { head(TrackerSample(sample)) }

    /// Takes a fused orientation of the tracker on the device or vehicle, as `head` does.
    mutating func device(_ sample: OrientationSample) { device(TrackerSample(sample)) }
}

extension TrackerSample {
    fileprivate init(_ sample: OrientationSample) {
        self.init(
            time: sample.time, .orientation(sample.bodyToWorld, rate: sample.rate), arrival: sample.arrival)
    }
}
